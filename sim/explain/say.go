package explain

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Sentence is a trace record in words. Subject is the node's name, or "" for the network or an administrator. With a
// subject, Text begins with the verb. Detail has figures for experts; a story leaves it out.
type Sentence struct {
	_       incomparable
	Subject string
	Text    string
	Detail  string // "PUT 200, v12, 5.0 ms"
	Kind    string // request, write, lead, fault, act or callback
	Outcome string // ok conflict notFound error lost, or "" for anything but a request
}

// String returns the line that goldens and the command print.
func (s Sentence) String() string {
	text := s.Text
	if s.Subject != "" {
		text = s.Subject + " " + text
	}
	if s.Detail != "" {
		text += " (" + s.Detail + ")"
	}
	return text
}

// Minor reports whether the usual list of events leaves out records of a kind. Such records are frequent and
// mechanical, for example a draw, or the sending of a request, whose answer has its own row.
func Minor(kind trace.Kind) bool {
	switch kind {
	case trace.RequestSent, trace.RequestServed, trace.JitterDrawn, trace.ResourceAccepted, trace.ResourceLost:
		return true
	}
	_, minor := minorWords[kind]
	return minor
}

// Say describes a record in words. The world must be in the state after the record's step. The sentence depends on
// nothing else, so it is the same in the command, in the page and in a golden file.
func Say(w *world.World, r *trace.Record, note Note) Sentence {
	s := Sentence{}
	if r.Candidate >= 0 {
		s.Subject = w.Node(r.Candidate).Name()
	}
	switch r.Kind {
	case trace.RequestSent, trace.RequestServed:
		s.Kind, s.Text = "request", "sends a "+r.Verb.String()+"."
		if r.Kind == trace.RequestServed {
			s.Text = "is served a " + r.Verb.String() + "."
		}
	case trace.RequestNotSent:
		s.Kind, s.Outcome = "request", "lost"
		s.Text = fmt.Sprintf("does not send its %s: %s.", r.Verb, resultWord(r.Result))
		if r.Result == step.ClientTimeout {
			s.Text = fmt.Sprintf("gives up its %s before it asks again: the client's timeout has passed.", r.Verb)
		}
	case trace.RequestEnded:
		request(w, r, note, &s)
	case trace.JitterDrawn:
		s.Kind = "callback"
		s.Text = fmt.Sprintf("waits %s before its next attempt (%s).", words.Seconds(r.Jitter().DelayNs),
			percent(r.Jitter().Draw))
	case trace.StartedLeading:
		s.Kind, s.Text = "lead", "starts leading."
	case trace.LeadingDone:
		s.Kind, s.Text = "lead", "stops leading: its context ends, which tells its work to stop."
		left := r.Work().LeftNs
		if left == 0 && w.Node(r.Candidate).RunsProgram() {
			s.Text = "stops leading: its work ends."
		}
		if left == trace.UntilReported {
			s.Text = "stops leading: its context ends, but its work does not."
		}
		if left == trace.UntilProcessEnds {
			s.Text = "has lost the Lease: its context ends, but its work ignores the context and goes on."
		}
		if left > 0 {
			s.Text = fmt.Sprintf("stops leading: its context is cancelled, and its worker drains for %s.",
				words.Seconds(left))
		}
	case trace.WorkDone:
		s.Kind, s.Text = "lead", "finishes its work."
	case trace.NewLeader:
		s.Kind, s.Text = "callback", newLeader(w, r)
	default:
		other(w, r, note, &s)
	}
	if r.Object == elector.ConfigMap {
		s.Text = strings.ReplaceAll(s.Text, "the Lease", "the ConfigMap")
	}
	return s
}

func newLeader(w *world.World, r *trace.Record) string {
	switch {
	case r.Name == w.Node(r.Candidate).Identity():
		return "observes itself as the leader."
	case r.Name == 0:
		return "observes that nobody leads."
	}
	return "observes that " + w.DisplayName(r.Name) + " leads."
}

var methods = [...]string{elector.Get: "GET", elector.Create: "POST", elector.Update: "PUT"}

func method(v elector.Verb, o elector.Object) string {
	if o == elector.ConfigMap {
		return methods[v] + " ConfigMap"
	}
	return methods[v]
}

var codes = map[step.Result]string{
	step.Success: "200", step.NotFound: "404", step.AlreadyExists: "409", step.Conflict: "409", step.Invalid: "422",
	step.TooManyRequests: "429", step.InternalError: "500", step.Unavailable: "503", step.GatewayTimeout: "504",
	step.BadGateway: "502", step.Unauthorized: "401", step.Forbidden: "403",
}

// OutcomeWord returns the word for the outcome of a request. The page draws a tick of a different shape for each
// outcome.
func OutcomeWord(r step.Result) string {
	switch r {
	case step.Success:
		return "ok"
	case step.Conflict, step.AlreadyExists:
		return "conflict"
	case step.NotFound:
		return "notFound"
	case step.ClientTimeout, step.ContextDeadline, step.ContextCanceled, step.NotSentDeadline, step.NotSentCanceled,
		step.RateLimited, step.NotSentUnnamed:
		return "lost"
	}
	return "error"
}

// Failure describes how a request failed: "connection reset by peer", "answered 503 unavailable". It returns ""
// unless OutcomeWord calls the result an error.
func Failure(r step.Result) string {
	switch word := resultWord(r); {
	case OutcomeWord(r) != "error":
		return ""
	case r == step.ConnReset:
		return word + " by peer"
	case word[0] >= '0' && word[0] <= '9':
		return "answered " + word
	default:
		return word
	}
}

func request(w *world.World, r *trace.Record, note Note, s *Sentence) {
	s.Kind, s.Outcome = "request", OutcomeWord(r.Result)
	s.Detail = method(r.Verb, r.Object)
	if code, answered := codes[r.Result]; answered {
		if r.Verb == elector.Create && r.Result == step.Success {
			code = "201"
		}
		s.Detail += " " + code
	} else {
		s.Detail += ", " + resultWord(r.Result)
	}
	if r.Result == step.Success {
		s.Detail += fmt.Sprintf(", v%d", r.ResourceVersion)
	}
	s.Detail += ", " + words.Short(note.DurationNs)
	switch {
	case r.Result == step.Success && r.Verb == elector.Get:
		s.Text = read(w, r, note)
	case r.Result == step.Success:
		s.Kind = "write"
		s.Text = wrote(w, r, note)
	case r.Result == step.NotFound && r.Verb == elector.Get:
		s.Text = "reads the Lease: it does not exist."
	case r.Result == step.AlreadyExists:
		s.Text = "tries to create the Lease: another candidate was faster."
	case r.Result == step.Conflict:
		s.Text = "tries to write the Lease: it has changed in the meantime."
	case r.Result == step.ClientTimeout:
		s.Text = fmt.Sprintf("gives up its %s: no answer in %s.", r.Verb, words.Short(note.DurationNs))
	case (r.Result == step.ContextDeadline || r.Result == step.ContextCanceled) && w.Node(r.Candidate).RunsProgram():
		s.Text = fmt.Sprintf("gives up its %s: it no longer waits for the answer.", r.Verb)
	case r.Result == step.ContextDeadline:
		s.Text = fmt.Sprintf("cancels its %s: renewDeadline has passed.", r.Verb)
	case r.Result == step.ContextCanceled:
		s.Text = fmt.Sprintf("cancels its %s: it was asked to stop.", r.Verb)
	case r.Result == step.ConnRefused:
		s.Text = fmt.Sprintf("cannot connect for its %s.", r.Verb)
	case r.Result == step.ConnReset, r.Result == step.ConnEOF:
		s.Text = fmt.Sprintf("gets no answer to its %s: %s.", r.Verb, resultWord(r.Result))
	case r.Result == step.Undecodable && r.Outcome.Accepted():
		s.Text = fmt.Sprintf("cannot decode the answer to its %s. The write is stored but counts as failed.", r.Verb)
	case r.Result == step.Undecodable:
		s.Text = fmt.Sprintf("cannot decode the answer to its %s.", r.Verb)
	default:
		s.Text = fmt.Sprintf("fails to %s the Lease: %s.", r.Verb, resultWord(r.Result))
	}
}

// `as` returns which identity a candidate uses, if that identity differs from its node's name.
func as(w *world.World, i int32) string {
	if now := w.Node(i).ProcessName(); now != w.Node(i).Name() {
		return " as " + now
	}
	return ""
}

// `read` describes what a candidate learns from a successful get: a new holder, a renewal, nothing new, or that the
// Lease is free. If the Lease has changed without a renewal, an administrator wrote it, which also restarts the
// countdown.
func read(w *world.World, r *trace.Record, note Note) string {
	holder := w.DisplayName(r.Spec.HolderIdentity)
	reads, again := "reads the Lease"+as(w, r.Candidate), either(w, r.Candidate, " The countdown starts again.", "")
	switch {
	case r.Spec.HolderIdentity == 0:
		return reads + ": nobody holds it. It is free to take."
	case r.Spec.HolderIdentity == w.Node(r.Candidate).Identity():
		if own := w.Setup().Symbols.Text(r.Spec.HolderIdentity); own != w.Node(r.Candidate).Name() {
			return reads + ": it names " + own + ", which is " + w.Node(r.Candidate).Name() + " itself."
		}
		return reads + ": it names " + w.Node(r.Candidate).Name() + " itself."
	case note.Changed && (note.Unseen || note.Before.HolderIdentity != r.Spec.HolderIdentity):
		return reads + " and learns that " + holder + " holds it."
	case note.Changed && note.Before.RenewTime == r.Spec.RenewTime:
		return reads + ": it has changed, and " + holder + " still holds it." + again
	case note.Changed:
		return reads + ": " + holder + " has renewed it." + again
	case note.Free:
		return reads + fmt.Sprintf(": unchanged for %s, longer than %s's %s. It is free to take.",
			words.Seconds(note.AgeNs), holder, words.WholeSeconds(note.LengthNs))
	}
	return reads + fmt.Sprintf(": unchanged for %s, %s still holds it.", words.Seconds(max(note.AgeNs, 0)), holder)
}

// `wrote` describes what a successful write did. The sentence mentions leaseTransitions only if the holder changes. An
// update with identical content counts as a renewal, even though the server stores nothing.
func wrote(w *world.World, r *trace.Record, note Note) string {
	before := &note.Before
	switch {
	case r.Verb == elector.Create:
		return "creates the Lease and holds it."
	case r.Spec.HolderIdentity == 0:
		return "releases the Lease: holderIdentity is now empty."
	case r.Outcome == storage.Unchanged:
		return "renews the Lease: nothing changed, so the API server stores nothing."
	case note.HadBefore && before.HolderIdentity != r.Spec.HolderIdentity:
		return fmt.Sprintf("takes the Lease: holderIdentity %s → %s, leaseTransitions %d → %d.",
			orEmpty(w, before.HolderIdentity), orEmpty(w, r.Spec.HolderIdentity), before.LeaseTransitions,
			r.Spec.LeaseTransitions)
	}
	return "renews the Lease."
}

func orEmpty(w *world.World, identity coordination.Symbol) string {
	if identity == 0 {
		return "(empty)"
	}
	return w.Setup().Symbols.Text(identity)
}
