package explain

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// The sentences about coordinated leader election. Each is about a candidate, or about the API server that runs
// the controller.

func candidateStored(w *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	candidate, _ := w.Node(r.Candidate).LeaseCandidate()
	text := w.Setup().Symbols.Text
	switch {
	case r.Verb == elector.Create:
		return fmt.Sprintf("creates its LeaseCandidate: binaryVersion %s, emulationVersion %s.",
			text(candidate.BinaryVersion), text(candidate.EmulationVersion))
	case r.Candidacy().Acked():
		return "answers the ping: it sets its renewTime to now."
	}
	return "renews its LeaseCandidate."
}

// candidateFailed says why a write of a LeaseCandidate failed. The client retries with growing waits, like an
// informer's work queue, so a single failure costs little.
func candidateFailed(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	s.Outcome = OutcomeWord(r.Result)
	return fmt.Sprintf("cannot write its LeaseCandidate: %s. It retries, later each time.", resultWord(r.Result))
}

// candidatePinged describes how a controller asks a candidate to show that it is alive. A deletion by the garbage
// collector has the same kind of record: the candidate has not renewed its LeaseCandidate for too long.
func candidatePinged(w *world.World, r *trace.Record, _ Note, s *Sentence) string {
	if r.Candidate < 0 { // an administrator wrote the LeaseCandidate, so no node belongs to it
		s.Subject = w.Setup().Symbols.Text(r.Name)
	}
	controller := w.Node(r.Candidacy().Controller).Name()
	if r.Outcome == storage.Deleted {
		return "has not renewed for too long: " + controller + " deletes its LeaseCandidate."
	}
	return "is pinged by " + controller + "."
}

// controllerWrite says what a controller wrote into the Lease. It checks preferredHolder first: such a write keeps
// the holder and only asks it to give up the Lease.
func controllerWrite(w *world.World, r *trace.Record, _ Note, s *Sentence) string {
	s.Subject = w.Node(r.Assignment().Controller).Name()
	symbols, spec := w.Setup().Symbols, &r.Spec
	switch {
	case spec.PreferredHolder != 0:
		return fmt.Sprintf("asks %s to hand the Lease over to %s: preferredHolder.", symbols.Text(spec.HolderIdentity),
			symbols.Text(spec.PreferredHolder))
	case spec.HolderIdentity == 0:
		return "writes a Lease without a holder: another controller's strategy, " + symbols.Text(spec.Strategy) +
			", decides who gets it."
	case r.Verb == elector.Create:
		return fmt.Sprintf("creates the Lease and gives it to %s for %d s.", symbols.Text(spec.HolderIdentity),
			spec.LeaseDurationSeconds)
	}
	return fmt.Sprintf("gives the Lease to %s for %d s.", symbols.Text(spec.HolderIdentity), spec.LeaseDurationSeconds)
}

// controllerDecision says what a reconciliation of the controller decided, and why. A controller keeps only its
// latest decisions. For an older decision the record has the number but not the reasons.
func controllerDecision(w *world.World, r *trace.Record, _ Note, s *Sentence) string {
	d, known := w.Node(r.Candidate).Decision(r.Decision().Number)
	if !known {
		return "has reconciled the Lease."
	}
	symbols := w.Setup().Symbols
	if d.Need.Needed() {
		s.Detail = d.NeedText()
	}
	switch {
	case len(d.Ranking) > 0 && (d.Outcome == coordinator.LeaseCreated || d.Outcome == coordinator.LeaseUpdated ||
		d.Outcome == coordinator.Unchanged):
		text := "elects " + symbols.Text(d.Ranking[0].Name)
		before := elements.Of(d.Ranking[1:], func(ranked coordinator.Ranked) string {
			return fmt.Sprintf("before %s: %s", symbols.Text(ranked.Name), ranked.Behind)
		})
		if len(before) > 0 {
			return text + ", " + strings.Join(before, ", ") + "."
		}
		return text + ", the only candidate that answered."
	case d.Outcome == coordinator.RequestFailed:
		return "reconciles the Lease: error: " + failedRequest(symbols, d) + "."
	}
	return "reconciles the Lease: " + d.Outcome.String() + "."
}

// failedRequest says which request of a reconciliation failed, and why. The trace has no records of reads, so if no
// write failed, a read did. It searches from the end, because a reconciliation stops at the first failure.
// AlreadyExists is not a failure: another controller created the Lease in the meantime.
func failedRequest(symbols *coordination.Symbols, d *coordinator.Decision) string {
	for k := len(d.Writes) - 1; k >= 0; k-- {
		write := &d.Writes[k]
		if write.Result == step.Success || write.Verb == coordinator.CreateLease && write.Result == step.AlreadyExists {
			continue
		}
		why := resultWord(write.Result)
		if write.Verb == coordinator.Ping {
			switch write.Result {
			case step.Conflict:
				why = "the LeaseCandidate had changed in the meantime"
			case step.NotFound:
				why = "the LeaseCandidate is gone"
			}
			return "its ping of " + symbols.Text(write.Name) + " failed, " + why
		}
		return "its " + write.Verb.String() + " failed, " + why
	}
	return "its " + coordinator.GetLease.String() + " failed"
}
