package explain

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// coordinated puts what concerns LeaseCandidates and controllers into words.
func coordinated(w *world.World, r *trace.Record, s *Sentence) {
	s.Kind = "write"
	symbols := w.Setup().Symbols
	switch r.Kind {
	case trace.CandidateStored:
		candidateStored(w, r, s)
	case trace.CandidateFailed:
		s.Kind, s.Outcome = "request", OutcomeWord(r.Result)
		s.Text = fmt.Sprintf("cannot write its LeaseCandidate: %s. It tries again, later each time.", resultWord(r.Result))
	case trace.CandidatePinged:
		if r.Candidate < 0 { // an administrator's: no node is behind it
			s.Subject = symbols.Text(r.Name)
		}
		s.Text = "is pinged by " + w.Node(r.Candidacy().Controller).Name() + "."
		if r.Outcome == storage.Deleted {
			s.Text = "has not renewed for too long: " + w.Node(r.Candidacy().Controller).Name() + " deletes its LeaseCandidate."
		}
	case trace.Coordinated:
		s.Subject, s.Text = w.Node(r.Assignment().Controller).Name(), given(symbols, r)
	case trace.Decided:
		s.Kind = "callback"
		s.Text, s.Detail = decided(w, r)
	case trace.ControllerLeads:
		s.Kind, s.Text = "callback", "runs the controller of coordinated election now."
	case trace.ControllerEnds:
		s.Kind, s.Text = "callback", "stops running the controller."
	case trace.ServerCrashed:
		s.Kind, s.Text = "act", "crashes: the Lease has no holderIdentity, and the controller of v1.36 does not look before it reads it."
	}
}

func candidateStored(w *world.World, r *trace.Record, s *Sentence) {
	spec, _ := w.Node(r.Candidate).LeaseCandidate()
	text := w.Setup().Symbols.Text
	switch {
	case r.Verb == elector.Create:
		s.Text = fmt.Sprintf("puts itself forward: a LeaseCandidate of version %s that behaves as %s.", text(spec.BinaryVersion), text(spec.EmulationVersion))
	case r.Candidacy().Acked():
		s.Text = "answers the ping: its renewTime is now."
	default:
		s.Text = "renews its LeaseCandidate."
	}
}

// given is what a controller wrote into the Lease.
func given(symbols *coordination.Symbols, r *trace.Record) string {
	spec := &r.Spec
	switch {
	case spec.PreferredHolder != 0:
		return fmt.Sprintf("asks %s to hand the Lease over to %s: preferredHolder.", symbols.Text(spec.HolderIdentity), symbols.Text(spec.PreferredHolder))
	case spec.HolderIdentity == 0:
		return "writes a Lease without a holder: who gets it is somebody else's strategy, " + symbols.Text(spec.Strategy) + "."
	case r.Verb == elector.Create:
		return fmt.Sprintf("creates the Lease and gives it to %s for %d s.", symbols.Text(spec.HolderIdentity), spec.LeaseDurationSeconds)
	}
	return fmt.Sprintf("gives the Lease to %s for %d s.", symbols.Text(spec.HolderIdentity), spec.LeaseDurationSeconds)
}

// decided is what came of a look at the candidates, and why.
func decided(w *world.World, r *trace.Record) (text, detail string) {
	d, known := w.Node(r.Candidate).Decision(r.Decision().Number)
	if !known {
		return "has looked at the candidates.", ""
	}
	symbols := w.Setup().Symbols
	reason := ""
	if d.Need.Needed() {
		reason = d.NeedText()
	}
	switch {
	case len(d.Ranking) > 0 && (d.Outcome == coordinator.LeaseCreated || d.Outcome == coordinator.LeaseUpdated || d.Outcome == coordinator.Unchanged):
		text = "elects " + symbols.Text(d.Ranking[0].Name)
		var before []string
		for _, ranked := range d.Ranking[1:] {
			before = append(before, fmt.Sprintf("before %s: %s", symbols.Text(ranked.Name), ranked.Behind))
		}
		if len(before) > 0 {
			text += ", " + strings.Join(before, ", ")
		} else {
			text += ", the only one who answered"
		}
		text += "."
	case d.Outcome == coordinator.RequestFailed:
		text = "looks at the candidates: error: " + failed(symbols, d) + "."
	default:
		text = "looks at the candidates: " + d.Outcome.String() + "."
	}
	return text, reason
}

// failed is which request of a look at the candidates failed, and why. Reads are not noted: one failed if no write did.
func failed(symbols *coordination.Symbols, d *coordinator.Decision) string {
	for k := len(d.Writes) - 1; k >= 0; k-- {
		write := &d.Writes[k]
		if write.Result == step.Success || write.Verb == coordinator.CreateLease && write.Result == step.AlreadyExists {
			continue
		}
		why := resultWord(write.Result)
		if write.Verb == coordinator.Ping {
			switch write.Result {
			case step.Conflict:
				why = "the LeaseCandidate had changed meanwhile"
			case step.NotFound:
				why = "the LeaseCandidate is gone"
			}
			return "its ping of " + symbols.Text(write.Name) + " failed, " + why
		}
		return "its " + write.Verb.String() + " failed, " + why
	}
	return "its " + coordinator.GetLease.String() + " failed"
}
