package coordinator

import "github.com/leaselab/leaselab/core/step"

// collector deletes LeaseCandidates that have not been renewed for half an hour. It runs in every API server, leading
// or not. Source: kubernetes v1.36.2 leasecandidategc_controller.go.
type collector struct {
	phase  phase
	serial int32
	nextNs int64       // monotonic
	left   []Candidate // as they were in the cache when the round began; the first is being checked
}

// collect goes through the cache once. A candidate that is expired there is read from the API before it is deleted.
func (m *Machine) collect(at step.Reading, out []Output) []Output {
	m.gc.nextNs = step.Never
	m.gc.left = m.gc.left[:0]
	for i := range m.cache.candidates {
		m.gc.left = append(m.gc.left, m.cache.candidates[i].Candidate)
	}
	return m.collectNext(at, out)
}

// collectNext handles the next expired candidate, or waits half an hour from now: the period does not include the work.
func (m *Machine) collectNext(at step.Reading, out []Output) []Output {
	for len(m.gc.left) > 0 && !m.config.expired(&m.gc.left[0].Spec, at.Wall) {
		m.gc.left = m.gc.left[1:]
	}
	if len(m.gc.left) == 0 {
		m.gc.left, m.gc.phase, m.gc.nextNs = nil, resting, at.Mono+m.config.collectEveryNs()
		return out
	}
	m.gc.phase = reading
	return m.collectorSend(Request{Verb: GetCandidate, Key: m.gc.left[0].Key}, out)
}

func (m *Machine) collectorSend(r Request, out []Output) []Output {
	// The collector's requests are numbered below zero: those of the controller must follow each other.
	m.gc.serial--
	r.Serial = m.gc.serial
	return append(out, Output{Kind: Send, Request: r})
}

// collectorAnswer goes on after any answer: upstream only logs errors.
func (m *Machine) collectorAnswer(at step.Reading, in *Input, out []Output) []Output {
	if m.gc.phase == reading && in.Result == step.Success && m.config.expired(&in.Candidate.Spec, at.Wall) {
		m.gc.phase = deleting
		return m.collectorSend(Request{Verb: DeleteCandidate, Key: m.gc.left[0].Key}, out)
	}
	m.gc.left = m.gc.left[1:]
	return m.collectNext(at, out)
}
