package programs

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/words"
)

// Node is one process of a candidate, from its start to its end. It is the http.RoundTripper of the clients in this
// process.
type Node struct {
	// Host is the address of the API server for a client's configuration. Nothing listens there: the Node itself is the
	// transport.
	Host string
	// Settings are the scenario's settings for this candidate's elector. The program may use them or its own.
	Settings Settings

	c      *Cluster
	index  int32
	number int // how many processes of the candidate came before
	name   string
	ctx    context.Context
	cancel context.CancelFunc
	silent chan struct{} // closed when the process has crashed

	// The cluster's lock guards the fields below.
	taken   bool // a program runs in the process
	exited  bool // the process has ended by itself
	ended   bool
	asking  int   // number of unanswered requests about the Lease
	endedNs int64 // when the last of these requests ended; -1 once the world knows
	worked  bool  // the process's work has changed at this instant
	begins  bool  // a piece of Work has begun at this instant
	alive   int   // number of open calls of Work whose context has not ended
	working int   // number of open calls of Work
	leads   bool  // whether the node leads, according to the trace
	active  bool  // whether the node works, according to the trace
	atWork  bool  // the program has called BeginsWork, or seems to work
	reports bool  // the program reports its work
	pieces  bool  // the program works piece by piece
	pieceNs int64 // when the program last reported a piece

	leaseEndsNs int64          // when the Lease that it last wrote expires
	lines       []conduct.Fact // the last lines that it printed, which the record does not have yet
}

// Settings are an elector's settings in the scenario.
type Settings struct {
	Namespace, Lease string
	Identity         string // holderIdentity of this process
	LeaseDuration    time.Duration
	RenewDeadline    time.Duration
	RetryPeriod      time.Duration
	ReleaseOnCancel  bool
	RequestTimeout   time.Duration // timeout of a request; 0 for none
}

func newNode(c *Cluster, i int32) *Node {
	w := c.run.World
	node := w.Node(i)
	running, _ := node.Settings()
	n := &Node{
		c: c, index: i, name: node.Name(), silent: make(chan struct{}), endedNs: -1, Host: "http://" + host,
		Settings: Settings{
			Namespace: w.Setup().Namespace, Lease: w.Setup().LeaseNames[running.Lease],
			Identity:      w.Setup().Symbols.Text(node.Identity()),
			LeaseDuration: running.LeaseDuration, RenewDeadline: running.RenewDeadline,
			RetryPeriod:     running.RetryPeriod,
			ReleaseOnCancel: running.ReleaseOnCancel, RequestTimeout: time.Duration(running.RequestTimeoutNs),
		},
	}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	return n
}

// host is a name that no resolver can resolve.
const host = "leaselab.invalid"

// Name returns the candidate's name in the scenario.
func (n *Node) Name() string { return n.name }

// Context returns a context that ends when the scenario tells the process to stop, or when the process ends.
func (n *Node) Context() context.Context { return n.ctx }

// Client returns an http.Client over the node.
func (n *Node) Client() *http.Client { return &http.Client{Transport: n} }

// `end` silences a process that has crashed or has left for good. The caller holds the lock.
func (n *Node) end(nowNs int64) {
	if n.ended {
		return
	}
	n.ended = true
	close(n.silent)
	n.cancel()
	for _, s := range n.c.streams {
		if s.node == n {
			s.silence()
		}
	}
	n.closeSpan(nowNs)
}

// Work tells the cluster that the process works as a leader from now on. ctx is the context that the elector passes
// to the work. If the work continues after ctx ends, a story says when ctx ended. Call the function that Work returns
// when the work has ended, for whatever reason:
//
//	OnStartedLeading: func(ctx context.Context) {
//		defer n.Work(ctx)()
//		...
//	},
//
// Deferred like this, it also catches a panic of the work: the process crashes, and the test fails with a sentence.
func (n *Node) Work(ctx context.Context) (done func()) {
	ended := false // whether the driver knows that the context has ended
	n.c.post(n, func() {
		n.begins, n.worked = true, true
		n.alive++
		n.working++
	})
	contextEnds := func() {
		if !ended {
			ended, n.worked = true, true
			n.alive--
		}
	}
	stop := context.AfterFunc(ctx, func() { n.c.post(n, contextEnds) })
	return func() {
		why := recover()
		stop()
		n.c.post(n, func() {
			contextEnds()
			n.worked = true
			n.working--
		})
		if why != nil {
			n.notePanic(why)
		}
	}
}

// tellWork tells the world how the work has changed at an instant. The caller holds the lock. Several reports at one
// instant count together: a term that ends and another that begins at 20 s are one stretch of work.
func (n *Node) tellWork(atNs int64) {
	begins := n.begins
	n.worked, n.begins = false, false
	if n.ended {
		return
	}
	if begins && !n.leads {
		n.c.attendance.Worked = true
		n.c.carry(replay.Call{Do: replay.CallLeads, Node: n.index})
		n.leads, n.active = true, true
		if n.openSpan() == nil {
			n.c.spans = append(n.c.spans, span{Span: Span{From: time.Duration(atNs)}, name: n.name})
		}
	}
	if n.leads && n.alive == 0 {
		n.leads = false
		n.c.carry(replay.Call{Do: replay.CallStopsLeading, Node: n.index, GoesOn: n.working > 0})
		n.active = n.working > 0
	}
	if n.active && n.working == 0 {
		n.c.carry(replay.Call{Do: replay.CallStopsWork, Node: n.index, Leads: n.leads})
		n.leads, n.active = false, false
	}
	if !n.active {
		n.closeSpan(atNs)
	}
}

// NoteReturn tells the cluster that the program has returned on its own.
func (n *Node) NoteReturn() { n.c.post(n, func() { n.tellEnd(replay.CallReturns, nil) }) }

// NoteCrash tells the cluster that the program's process has died on its own.
func (n *Node) NoteCrash() { n.c.post(n, func() { n.tellEnd(replay.CallCrashes, nil) }) }

// tellEnd tells the world that the process has ended on its own.
func (n *Node) tellEnd(do replay.CallKind, how *conduct.Exit) {
	if !n.ended {
		n.c.carry(replay.Call{Do: do, Node: n.index, Exit: how})
	}
}

// noteAnswer records the end of a request. The attempt is over if no other request follows at the same instant.
func (n *Node) noteAnswer(x *exchange, atNs int64) {
	if x.asked.IsElectors && !x.isOver {
		x.isOver = true
		n.asking--
		n.endedNs = atNs
	}
}

// tellAttempt tells the world that an attempt before an instant is over, unless the program leads now. The world
// cannot see where an attempt ends. But if no request of the elector follows an answer at the same instant, the
// elector is waiting, so its attempt is over.
func (n *Node) tellAttempt(now int64) {
	if n.endedNs < 0 || n.endedNs >= now {
		return
	}
	if n.asking == 0 && !n.leads && !n.ended {
		n.c.atNs = n.endedNs
		n.c.carry(replay.Call{Do: replay.CallAttemptEnds, Node: n.index})
	}
	n.endedNs = -1
}

// openSpan returns the open span of work, or nil.
func (n *Node) openSpan() *span {
	for k := len(n.c.spans) - 1; k >= 0; k-- {
		if s := &n.c.spans[k]; s.name == n.name {
			if s.Until == 0 {
				return s
			}
			return nil
		}
	}
	return nil
}

func (n *Node) closeSpan(atNs int64) {
	if s := n.openSpan(); s != nil {
		s.Until = time.Duration(atNs)
	}
}

// notePanic records a panic, which makes the process crash.
func (n *Node) notePanic(why any) {
	if late, is := why.(TooLate); is {
		n.c.fail(string(late))
		return
	}
	n.c.fail(fmt.Sprintf("%s panicked at %s: %v. Its process has crashed.\n%s", n.name, words.Instant(n.c.nowNs()),
		why, debug.Stack()))
	n.NoteCrash()
}

func (c *Cluster) fail(why string) {
	if c.options.Failed != nil {
		c.options.Failed(why)
	}
}
