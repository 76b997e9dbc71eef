package coordinator

import "github.com/leaselab/leaselab/core/step"

// collector deletes LeaseCandidates that have not renewed for half an hour. It runs in every API server, leading or
// not. Source: kubernetes v1.36.2 leasecandidategc_controller.go.
type collector struct {
	phase  phase
	serial int32
	nextNs int64       // monotonic clock
	left   []Candidate // copies that the cache held when the round began; the collector is checking the first one
}

// collect goes through the cache once. Before it deletes a candidate that has expired there, it reads the candidate
// from the API.
func (m *Machine) collect(at step.Reading, out []Output) []Output {
	m.gc.nextNs = step.Never
	m.gc.left = m.gc.left[:0]
	for i := range m.cache.candidates {
		m.gc.left = append(m.gc.left, m.cache.candidates[i].Candidate)
	}
	return m.collectNext(at, out)
}

// collectNext handles the next expired candidate. If none is left, it waits half an hour from now: the period does not
// include the work.
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
	// The collector's requests have negative numbers, because the controller's must be consecutive.
	m.gc.serial--
	r.Serial = m.gc.serial
	return append(out, Output{Kind: Send, Request: r})
}

// collectorAnswer continues after any answer, because upstream only logs errors.
func (m *Machine) collectorAnswer(at step.Reading, in *Input, out []Output) []Output {
	if m.gc.phase == reading && in.Result == step.Success && m.config.expired(&in.Candidate.Spec, at.Wall) {
		m.gc.phase = deleting
		return m.collectorSend(Request{Verb: DeleteCandidate, Key: m.gc.left[0].Key}, out)
	}
	m.gc.left = m.gc.left[1:]
	return m.collectNext(at, out)
}
