package explain

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Sentence is a trace record in words. Subject is the node's name, "" for the network or an administrator; Text begins
// with the verb when there is a subject.
type Sentence struct {
	Subject string
	Text    string
	Detail  string // "PUT 200, v12, 5.0 ms"
	Kind    string // request write lead fault act callback
	Outcome string // ok conflict notFound error lost, "" when it is no request
}

// String is the one line that goldens and the command print.
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

// Minor reports whether records of a kind are left out of the usual list of events.
func Minor(kind trace.Kind) bool {
	switch kind {
	case trace.RequestSent, trace.RequestServed, trace.JitterDrawn, trace.ResourceAccepted, trace.ResourceLost:
		return true
	}
	_, minor := minorWords[kind]
	return minor
}

// Say puts a record into words; the world is as the record's step left it.
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
	case trace.RequestEnded:
		request(w, r, note, &s)
	case trace.JitterDrawn:
		s.Kind = "callback"
		s.Text = fmt.Sprintf("waits %s before it looks again (%s).", words.Seconds(r.Jitter().DelayNs), percent(r.Jitter().Draw))
	case trace.StartedLeading:
		s.Kind, s.Text = "lead", "starts leading."
	case trace.LeadingDone:
		s.Kind, s.Text = "lead", "stops leading: its context ends."
		left := r.Work().LeftNs
		if left < 0 {
			s.Text = "has lost the Lease: its context ends, but its work was never tied to it and goes on."
		}
		if left > 0 {
			s.Text = fmt.Sprintf("must stop: its context ends, but its work goes on for %s.", words.Seconds(left))
		}
	case trace.WorkDone:
		s.Kind, s.Text = "lead", "ends its work at last."
	case trace.NewLeader:
		s.Kind, s.Text = "callback", newLeader(w, r)
	default:
		happening(w, r, note, &s)
	}
	if r.Object == elector.ConfigMap {
		s.Text = strings.ReplaceAll(s.Text, "the Lease", "the ConfigMap")
	}
	return s
}

func newLeader(w *world.World, r *trace.Record) string {
	switch {
	case r.Name == w.Node(r.Candidate).Identity():
		return "notes that it is the leader itself."
	case r.Name == 0:
		return "notes that nobody leads."
	}
	return "notes that " + w.DisplayName(r.Name) + " leads."
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
}

// OutcomeWord sorts a result into what a tick's shape shows.
func OutcomeWord(r step.Result) string {
	switch r {
	case step.Success:
		return "ok"
	case step.Conflict, step.AlreadyExists:
		return "conflict"
	case step.NotFound:
		return "notFound"
	case step.ClientTimeout, step.ContextDeadline, step.ContextCanceled, step.NotSentDeadline, step.NotSentCanceled, step.RateLimited:
		return "lost"
	}
	return "error"
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
		s.Text = "reads the Lease: there is none."
	case r.Result == step.AlreadyExists:
		s.Text = "tries to create the Lease: somebody else was faster."
	case r.Result == step.Conflict:
		s.Text = "tries to write the Lease: it has changed meanwhile."
	case r.Result == step.ClientTimeout:
		s.Text = fmt.Sprintf("gives up its %s: no answer in %s.", r.Verb, words.Short(note.DurationNs))
	case r.Result == step.ContextDeadline:
		s.Text = fmt.Sprintf("breaks off its %s: renewDeadline has passed.", r.Verb)
	case r.Result == step.ContextCanceled:
		s.Text = fmt.Sprintf("breaks off its %s: it was asked to stop.", r.Verb)
	case r.Result == step.ConnRefused:
		s.Text = fmt.Sprintf("cannot connect for its %s.", r.Verb)
	default:
		s.Text = fmt.Sprintf("is refused its %s: %s.", r.Verb, resultWord(r.Result))
	}
}

// as says by which identity a candidate goes, where that tells it from the process before it.
func as(w *world.World, i int32) string {
	if now := w.Node(i).ProcessName(); now != w.Node(i).Name() {
		return " as " + now
	}
	return ""
}

func read(w *world.World, r *trace.Record, note Note) string {
	holder := w.DisplayName(r.Spec.HolderIdentity)
	reads := "reads the Lease" + as(w, r.Candidate)
	switch {
	case r.Spec.HolderIdentity == 0:
		return reads + ": nobody holds it. It is free to take."
	case r.Spec.HolderIdentity == w.Node(r.Candidate).Identity():
		if own := w.Setup().Symbols.Text(r.Spec.HolderIdentity); own != w.Node(r.Candidate).Name() {
			return reads + ": it names " + own + ", and so " + w.Node(r.Candidate).Name() + " itself."
		}
		return reads + ": it names " + w.Node(r.Candidate).Name() + " itself."
	case note.Changed && (note.Unseen || note.Before.HolderIdentity != r.Spec.HolderIdentity):
		return reads + " and learns that " + holder + " holds it."
	case note.Changed && note.Before.RenewTime == r.Spec.RenewTime:
		return reads + ": it has changed, and " + holder + " still holds it. The countdown starts again."
	case note.Changed:
		return reads + ": " + holder + " has renewed it. The countdown starts again."
	case note.Free:
		return reads + fmt.Sprintf(": unchanged for %s, longer than %s's %s. It is free to take.",
			words.Seconds(note.AgeNs), holder, words.WholeSeconds(note.LengthNs))
	}
	return reads + fmt.Sprintf(": unchanged for %s, %s still holds it.", words.Seconds(max(note.AgeNs, 0)), holder)
}

func wrote(w *world.World, r *trace.Record, note Note) string {
	before := &note.Before
	switch {
	case r.Verb == elector.Create:
		return "creates the Lease and holds it."
	case r.Spec.HolderIdentity == 0:
		return "lets go of the Lease: holderIdentity is empty now."
	case r.Outcome == storage.Unchanged:
		return "renews the Lease: nothing differs, so nothing is stored."
	case note.HadBefore && before.HolderIdentity != r.Spec.HolderIdentity:
		return fmt.Sprintf("takes the Lease: holderIdentity %s → %s, leaseTransitions %d → %d.",
			quoted(w, before.HolderIdentity), quoted(w, r.Spec.HolderIdentity), before.LeaseTransitions, r.Spec.LeaseTransitions)
	}
	return "renews the Lease."
}

func quoted(w *world.World, identity coordination.Symbol) string {
	if identity == 0 {
		return "(empty)"
	}
	return w.Setup().Symbols.Text(identity)
}

// happening is everything that is neither a request nor a step of leading.
func happening(w *world.World, r *trace.Record, note Note, s *Sentence) {
	s.Kind = "fault"
	switch r.Kind {
	case trace.Started:
		s.Kind, s.Text = "act", "starts."
	case trace.Restarted:
		s.Kind, s.Text = "act", "starts again"+as(w, r.Candidate)+"."
	case trace.Joined:
		s.Kind, s.Text = "act", "joins."
	case trace.ConfigError:
		s.Text = "does not start: " + w.Setup().Symbols.Text(r.Name) + "."
	case trace.Paused:
		s.Text = [...]string{"is paused.", "hangs: its elector's loop is stuck, the process lives.", "is suspended: its node sleeps, and its monotonic clock with it."}[r.Pause().Kind]
	case trace.Resumed:
		s.Text = fmt.Sprintf("goes on after %s.", words.Seconds(note.DurationNs))
		if r.Pause().Kind == trace.NodeSuspended {
			s.Text = fmt.Sprintf("wakes after %s: its wall clock jumps on, its monotonic clock knows nothing of it.", words.Seconds(note.DurationNs))
		}
	case trace.Crashed:
		s.Text = "crashes. A crash sends no message."
		if r.Crash().ByWatchdog {
			s.Text = "is killed by its watchdog: it failed its probes."
		}
	case trace.Throttled:
		s.Kind, s.Text = "request", fmt.Sprintf("holds its %s back for %s: the client's rate limiter.", r.Verb, words.Seconds(r.Limited().WaitNs))
	case trace.Burst:
		s.Kind, s.Text = "act", fmt.Sprintf("sends %s beside its elector's; the last of them waits %s.", words.Count(r.Requests().Count, "request", "requests"), words.Seconds(r.Requests().LastWaitNs))
	case trace.Removed:
		s.Text = "leaves for good."
	case trace.StopAsked:
		s.Kind, s.Text = "act", "is asked to stop."
	case trace.RunReturned:
		s.Kind, s.Text = "callback", "is done: Run returns."
	case trace.CutBegan:
		cut := r.Cut()
		if cut.Refuse {
			s.Text = everybody(s, "is refused by the API server.", "are refused by the API server.")
			return
		}
		s.Text = everybody(s, "is", "are") + " cut off from the API server (" + [...]string{"both ways", "requests are lost", "answers are lost"}[cut.Direction] + ")."
		if cut.Hold != network.Drop {
			s.Text = s.Text[:len(s.Text)-1] + ", until it is over: messages wait."
		}
	case trace.CapacityChanged:
		s.Subject, s.Text = "", "The API server copes with load in another way now."
	case trace.Reconnected:
		s.Kind, s.Text = "act", "opens a new connection."
		if to := r.Connection().Server; to >= 0 {
			s.Text = "opens a new connection, to " + w.Node(to).Name() + "."
		}
	case trace.NodeReady:
		s.Kind, s.Text = "act", "is ready, says "+w.Node(r.Readiness().Monitor).Name()+"."
	case trace.NodeNotReady:
		s.Text = fmt.Sprintf("is not ready, says %s, who has seen no heartbeat for %s.", w.Node(r.Readiness().Monitor).Name(), words.Seconds(r.Readiness().HeartbeatAgeNs))
		if r.Readiness().Running {
			s.Text = fmt.Sprintf("is alive, yet not ready, says %s, who has seen no heartbeat for %s.", w.Node(r.Readiness().Monitor).Name(), words.Seconds(r.Readiness().HeartbeatAgeNs))
		}
	case trace.RolledBack:
		s.Subject, s.Text = "", fmt.Sprintf("The store is restored: it is what it was at %s, resourceVersion %d.", words.WholeSeconds(r.Restore().ToNs), r.ResourceVersion)
	case trace.CutEnded, trace.FailEnded, trace.LatencyRestored, trace.ResourceCutEnded:
		faultEnded(r, s)
	case trace.FailBegan:
		s.Text = everybody(s, "gets", "get") + " errors from now on: " + faultWords[r.Fault] + "."
	case trace.LatencyChanged:
		s.Text = everybody(s, "has", "have") + " another latency now" + legs(w, r) + "."
	case trace.ClockChanged:
		s.Text = fmt.Sprintf("has another clock now: %s off, %s times as fast.", words.WholeSeconds(r.Clock().OffsetNs), rateWord(r.Clock().RatePpm))
	case trace.Written:
		s.Kind, s.Text = "write", administrator(w, r)
	case trace.CandidateStored, trace.CandidatePinged, trace.CandidateFailed, trace.Coordinated, trace.Decided, trace.ControllerLeads, trace.ControllerEnds, trace.ServerCrashed:
		coordinated(w, r, s)
	case trace.ResourceAccepted, trace.ResourceRefused, trace.ResourceLost, trace.ResourceGivenUp, trace.ResourceKept, trace.ResourceCutBegan:
		resource(r, s)
	case trace.Asked:
		s.Kind, s.Text = "write", administrator(w, r)
	case trace.SettingsChanged:
		s.Kind, s.Text = "act", "gets other settings: the network's at once, the elector's at its next start."
	case trace.Skipped:
		s.Kind, s.Text = "act", "is left as it is: there was nothing to do."
		if s.Subject == "" {
			s.Text = "Nobody was there to do it to."
		}
	default:
		s.Kind, s.Text = "callback", minorWords[r.Kind]
	}
}

// legs says which latency an act has given: of the way to the API server, of the way back, or of both.
func legs(w *world.World, r *trace.Record) string {
	l, known := w.ChangedLatency(r.Control, r.Candidate)
	if !known {
		return ""
	}
	var ways []string
	way := func(what string, ns int64, drawn bool) {
		switch {
		case drawn:
			ways = append(ways, what+" a time drawn for each")
		case ns >= 0:
			ways = append(ways, what+" "+words.Short(ns))
		}
	}
	way("requests take", l.RequestNs, l.RequestDraw != nil)
	way("answers take", l.ResponseNs, l.ResponseDraw != nil)
	if len(ways) == 0 {
		return ""
	}
	text := ": " + strings.Join(ways, ", ")
	switch l.Verb {
	case network.AnyVerb:
	case network.AnyRead:
		text += ", of reads only"
	case network.AnyWrite:
		text += ", of writes only"
	default:
		text += ", of each " + l.Verb.String() + " only"
	}
	if l.EveryNs > 0 {
		text += fmt.Sprintf(", for %s of every %s", words.WholeSeconds(l.ForNs), words.WholeSeconds(l.EveryNs))
	}
	return text
}

var minorWords = map[trace.Kind]string{
	trace.MetricLeaderOn: "says leader_on.", trace.MetricLeaderOff: "says leader_off.", trace.MetricSlowPath: "says slowpath.",
	trace.EventBecameLeader: "notes the event “became leader”.", trace.EventStoppedLeading: "notes the event “stopped leading”.",
	trace.StoppedLeading: "calls OnStoppedLeading.", trace.Probed: "answers a health check.",
}

var faultWords = map[network.FaultKind]string{
	network.Http429: "429 too many requests", network.Http500: "500 internal error", network.Http503: "503 unavailable",
	network.Http504: "504 timeout", network.HttpConflict: "409 conflict", network.Http504Applied: "504, although the write is stored",
	network.DropRequest: "requests vanish", network.DropResponse: "answers vanish", network.RefuseConnection: "connections are refused",
	network.Hang: "requests hang at the server", network.Stall: "requests wait at the server",
}

// everybody begins a sentence about one node or about all of them.
// faultEnded says what is over, and what goes on all the same.
func faultEnded(r *trace.Record, s *Sentence) {
	still := r.Over().AnotherLasts
	switch r.Kind {
	case trace.CutEnded:
		s.Text = everybody(s, "reaches", "reach") + " the API server again."
		if still {
			s.Text = everybody(s, "is", "are") + " still cut off: one cut is over, another goes on."
		}
	case trace.FailEnded:
		s.Text = everybody(s, "gets", "get") + " answers again."
		if still {
			s.Text = everybody(s, "gets", "get") + " errors of one kind no more; another goes on."
		}
	case trace.LatencyRestored:
		s.Text = everybody(s, "has", "have") + " the old latency again."
		if still {
			s.Text = everybody(s, "has", "have") + " one latency no more; another goes on."
		}
	case trace.ResourceCutEnded:
		s.Kind, s.Text = "fault", everybody(s, "reaches", "reach")+" the resource again."
		if still {
			s.Text = everybody(s, "is", "are") + " still cut off from the resource: another cut goes on."
		}
	}
}

func everybody(s *Sentence, one, all string) string {
	if s.Subject == "" {
		return "All nodes " + all
	}
	return one
}

func rateWord(ppm int64) string {
	return fmt.Sprintf("%d.%03d", ppm/1_000_000, ppm%1_000_000/1000)
}

func administrator(w *world.World, r *trace.Record) string {
	if r.Write().Op == trace.Requested {
		return sent(w, r)
	}
	what := [...]string{trace.Put: "puts the Lease", trace.Patch: "patches the Lease", trace.Delete: "deletes the Lease", trace.Touch: "touches the Lease's metadata"}[r.Write().Op]
	switch {
	case r.Outcome == storage.Deleted, r.Write().Op == trace.Touch && r.Outcome.Accepted():
		return "An administrator " + what + "."
	case r.Outcome.Accepted():
		return fmt.Sprintf("An administrator %s: holderIdentity is %s now.", what, quoted(w, r.Spec.HolderIdentity))
	}
	return fmt.Sprintf("An administrator %s in vain: %s.", what, r.Outcome)
}

// sent is what a request to the API did.
func sent(w *world.World, r *trace.Record) string {
	q := w.Request(r.Control)
	text := fmt.Sprintf("An administrator sends %s %s: %d", q.Method, q.Path, r.Write().Status)
	switch {
	case r.Outcome == storage.Deleted:
		return text + ". The Lease is gone."
	case r.Kind == trace.Written:
		return fmt.Sprintf("%s. holderIdentity is %s now.", text, quoted(w, r.Spec.HolderIdentity))
	}
	return text + ". The Lease stays as it is."
}
