package world

// class orders what happens at one instant: a candidate's own timers, run to quiescence, then control in list order,
// then arrivals at the server, responses, client timeouts.
type class uint8

const (
	ownTimer class = iota
	control
	arrival
	response
	clientTimeout
)

// message is an entry of the queue: data, never a closure. Its key is the total order inside an instant:
// class, candidate index, that candidate's number.
type message struct {
	at   int64
	key  uint64
	slot int32
	what messageKind
}

type messageKind uint8

const (
	requestArrives messageKind = iota
	responseArrives
	clientGivesUp
	processReturns // the restart delay of a process is over
	workEnds       // the work tail is over

	resourceDue     // a leader's write to the resource
	resourceReached // it arrives there

	clientAsks // a LeaseCandidate client's request arrives at the store
	clientHears
	clientLists
	clientSees
	controllerAsks // a controller's request arrives at the store
	serverHears
	serverSees
	clientWakes
	serverWakes

	watchdogAsks
	processStarts
	limiterAdmits
	limiterRefuses
	requestServed // a request's stay at the server is over
	beatDue       // a node's next heartbeat
	beatArrives
	beatServed
	beatHeard
	beatGivesUp
	viewShown // a monitor sees a heartbeat
	evaluates // a monitor looks who is ready
)

func orderKey(c class, candidate int32, number uint32) uint64 {
	return uint64(c)<<56 | uint64(uint32(candidate))<<32 | uint64(number)
}

func (m *message) candidate() int32 { return int32(m.key >> 32 & 0xffffff) }
func (m *message) number() uint32   { return uint32(m.key) }

func (m *message) before(o *message) bool {
	return m.at < o.at || m.at == o.at && m.key < o.key
}

// queue is a 4-ary heap of messages: values in one slice, so a world is cloned by copying it.
type queue []message

func (q *queue) push(m message) {
	*q = append(*q, m)
	h := *q
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !m.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = m
}

func (q *queue) pop() message {
	h := *q
	top := h[0]
	last := h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		least := child
		for k := child + 1; k < min(child+4, len(h)); k++ {
			if h[k].before(&h[least]) {
				least = k
			}
		}
		if !h[least].before(&last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return top
}
