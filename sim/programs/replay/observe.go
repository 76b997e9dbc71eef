package replay

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Observed is what the trace shows about the programs, so that simulated candidates can do the same. It assumes that
// all candidates run copies of the same program. For example, it takes the shortest time from a renewal to the
// leader's next request as retryPeriod, because a longer time may contain a pause.
type Observed struct {
	retryNs     int64 // the shortest time from a renewal to the leader's next request; 0 if unknown
	durationNs  int64 // leaseDuration; 0 if unknown
	deadlineNs  int64 // renewDeadline; 0 if unknown
	drainedNs   [2]int64
	drained     [2]bool // the trace shows how the work ends after a loss, and after a stop
	ignoresLoss bool
	released    bool
	afterWork   bool // the program has released the Lease only after its work
	nodes       []seenOf
}

// seenOf is what the trace shows about one candidate.
type seenOf struct {
	leads, works, stopped bool
	renewedNs             int64 // end of the candidate's last renewal; -1 after another request
	heardNs               int64 // end of the candidate's last renewal
	attemptNs             int64 // end of the candidate's last attempt; -1 after the next one has begun
	lostNs                int64 // when the context of the candidate's work ended
	stopAsked             bool  // when the context of the work before that ended
	waits                 []int64
}

// wonWait in a list of waits stands for the draw after a successful attempt. No wait follows such a draw.
const wonWait = int64(-1)

func (k *Observed) node(i int32) *seenOf {
	for int(i) >= len(k.nodes) {
		k.nodes = append(k.nodes, seenOf{renewedNs: -1, heardNs: -1, attemptNs: -1})
	}
	return &k.nodes[i]
}

// Observe takes the records of one step.
func (k *Observed) Observe(records []trace.Record) {
	for i := range records {
		if r := &records[i]; r.Candidate >= 0 {
			k.record(k.node(r.Candidate), r)
		}
	}
}

func (k *Observed) record(n *seenOf, r *trace.Record) {
	switch r.Kind {
	case trace.Started, trace.Restarted:
		*n = seenOf{renewedNs: -1, heardNs: -1, attemptNs: -1, waits: n.waits}
	case trace.StopAsked:
		n.stopped = true
	case trace.RequestSent:
		if n.leads && n.renewedNs >= 0 && r.At > n.renewedNs && (k.retryNs == 0 || r.At-n.renewedNs < k.retryNs) &&
			!n.stopped {
			k.retryNs = r.At - n.renewedNs
		}
		if n.attemptNs >= 0 {
			n.waits = append(n.waits, r.At-n.attemptNs)
		}
		n.renewedNs, n.attemptNs = -1, -1
	case trace.RequestServed:
		if r.Verb != elector.Get && r.Outcome.Accepted() {
			k.wrote(n, r)
		}
	case trace.RequestEnded:
		if r.Verb != elector.Get && r.Result == step.Success && r.Spec.HolderIdentity != 0 {
			n.renewedNs, n.heardNs = r.At, r.At
		}
	case trace.JitterDrawn:
		n.attemptNs = r.At
	case trace.StartedLeading:
		n.leads, n.works = true, true
		n.waits = append(n.waits, wonWait)
	case trace.LeadingDone:
		n.leads, n.lostNs, n.stopAsked = false, r.At, n.stopped
		if !n.stopAsked && n.heardNs >= 0 && k.retryNs > 0 && !k.released {
			k.deadlineNs = max(k.deadlineNs, r.At-n.heardNs-k.retryNs)
		}
		if r.Work().LeftNs == 0 {
			k.noteEnd(n, r.At)
		}
	case trace.WorkDone:
		k.noteEnd(n, r.At)
	case trace.Crashed, trace.Removed:
		n.leads, n.works = false, false
	}
}

// `wrote` handles a write that the API server has stored.
func (k *Observed) wrote(n *seenOf, r *trace.Record) {
	if r.Spec.HolderIdentity == 0 {
		k.afterWork = !n.works && (k.afterWork || !k.released)
		k.released = true
		return
	}
	k.durationNs = max(k.durationNs, int64(r.Spec.LeaseDurationSeconds)*1e9)
}

// noteEnd handles the end of a leader's work.
func (k *Observed) noteEnd(n *seenOf, atNs int64) {
	if !n.works {
		return
	}
	n.works = false
	if n.leads { // the work has ended on its own
		return
	}
	after := 0
	if n.stopAsked {
		after = 1
	}
	k.drained[after] = true
	k.drainedNs[after] = max(k.drainedNs[after], atNs-n.lostNs)
}

// Scenario returns a scenario whose simulated candidates do what the programs did, as far as the format allows. The
// programs' waits become jitterDraws. If they contradict the format, it returns the original scenario. The world is at
// the end of the run: work that still continues there after the loss of the Lease was never tied to the Lease.
func (k *Observed) Scenario(was scenario.Scenario, w *world.World) scenario.Scenario {
	for i := range k.nodes {
		n := &k.nodes[i]
		k.ignoresLoss = k.ignoresLoss || n.works && !n.leads && !n.stopAsked
	}
	s := compile.Pin(was)
	s.Lease = scenario.Lease{Namespace: w.Setup().Namespace, Name: w.Setup().LeaseNames[0]}
	duration := func(ns int64) *scenario.Duration { d := scenario.Duration(ns); return &d }
	if k.durationNs > 0 {
		s.Elector.LeaseDuration = duration(k.durationNs)
	}
	if k.retryNs > 0 {
		s.Elector.RetryPeriod = duration(k.retryNs)
	}
	if k.deadlineNs > 0 {
		s.Elector.RenewDeadline = duration(k.deadlineNs)
	}
	s.Elector.ReleaseOnCancel, s.Elector.ReleaseAfterWork = &k.released, nil
	if k.released && k.afterWork && (k.drained[0] && k.drainedNs[0] > 0 || k.drained[1] && k.drainedNs[1] > 0) {
		s.Elector.ReleaseAfterWork = &k.afterWork
	}
	switch {
	case k.ignoresLoss:
		s.Process.OnLoss = scenario.OnLossIgnore
	case k.drained[0]:
		s.Process.OnLoss, s.Process.DrainAfterLoss = "", duration(k.drainedNs[0])
	}
	if k.drained[1] {
		s.Process.DrainAfterCancel = duration(k.drainedNs[1])
	}
	for i := range s.Candidates {
		if c := &s.Candidates[i]; c.Replicas == 0 && i < len(k.nodes) && !hasReplicas(s.Candidates[:i]) {
			c.JitterDraws = k.draws(k.nodes[i].waits, s)
		}
	}
	if scenario.Validate(s) != nil {
		return was
	}
	return s
}

func hasReplicas(before []scenario.Candidate) bool {
	return slices.ContainsFunc(before, func(c scenario.Candidate) bool { return c.Replicas > 0 })
}

// mostDraws is the maximum number of a candidate's draws in a file. That is enough for more than an hour.
const mostDraws = 2000

// `draws` returns the jitter draws behind a candidate's waits, or nil if the waits are not client-go's.
func (k *Observed) draws(waits []int64, s scenario.Scenario) []float64 {
	retryNs := k.retryNs
	if retryNs == 0 {
		retryNs = int64(*scenario.Resolve(s).Candidates[0].Elector.RetryPeriod)
	}
	var draws []float64
	for _, ns := range waits {
		draw := 0.5
		if ns != wonWait {
			draw = (float64(ns-retryNs) + 0.5) / (elector.JitterFactor * float64(retryNs)) // the elector rounds down
		}
		if draw < 0 || draw >= 1 || len(draws) == mostDraws {
			return nil
		}
		draws = append(draws, draw)
	}
	return draws
}
