package explain

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
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
func Minor(kind world.Kind) bool {
	switch kind {
	case world.RequestSent, world.RequestServed, world.JitterDrawn, world.ResourceAccepted, world.ResourceLost:
		return true
	}
	_, minor := minorWords[kind]
	return minor
}

// Say puts a record into words; the world is as the record's step left it.
func Say(w *world.World, r *world.Record, note Note) Sentence {
	s := Sentence{}
	if r.Candidate >= 0 {
		s.Subject = w.Name(r.Candidate)
	}
	switch r.Kind {
	case world.RequestSent, world.RequestServed:
		s.Kind, s.Text = "request", "sends a "+r.Verb.String()+"."
		if r.Kind == world.RequestServed {
			s.Text = "is served a " + r.Verb.String() + "."
		}
	case world.RequestNotSent:
		s.Kind, s.Outcome = "request", "lost"
		s.Text = fmt.Sprintf("does not send its %s: %s.", r.Verb, resultWord(r.Result))
	case world.RequestEnded:
		request(w, r, note, &s)
	case world.JitterDrawn:
		s.Kind = "callback"
		s.Text = fmt.Sprintf("waits %s before it looks again (%s).", seconds(r.A), percent(r.Draw))
	case world.StartedLeading:
		s.Kind, s.Text = "lead", "starts leading."
	case world.LeadingDone:
		s.Kind, s.Text = "lead", "stops leading: its context ends."
		if r.A < 0 {
			s.Text = "has lost the Lease: its context ends, but its work was never tied to it and goes on."
		}
		if r.A > 0 {
			s.Text = fmt.Sprintf("must stop: its context ends, but its work goes on for %s.", seconds(r.A))
		}
	case world.WorkDone:
		s.Kind, s.Text = "lead", "ends its work at last."
	case world.NewLeader:
		s.Kind, s.Text = "callback", newLeader(w, r)
	default:
		happening(w, r, note, &s)
	}
	if r.Object == elector.ConfigMap {
		s.Text = strings.ReplaceAll(s.Text, "the Lease", "the ConfigMap")
	}
	return s
}

func newLeader(w *world.World, r *world.Record) string {
	switch {
	case r.Name == w.Identity(r.Candidate):
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

var codes = map[elector.Result]string{
	elector.Success: "200", elector.NotFound: "404", elector.AlreadyExists: "409", elector.Conflict: "409", elector.Invalid: "422",
	elector.TooManyRequests: "429", elector.InternalError: "500", elector.Unavailable: "503", elector.GatewayTimeout: "504",
}

// OutcomeWord sorts a result into what a tick's shape shows.
func OutcomeWord(r elector.Result) string {
	switch r {
	case elector.Success:
		return "ok"
	case elector.Conflict, elector.AlreadyExists:
		return "conflict"
	case elector.NotFound:
		return "notFound"
	case elector.ClientTimeout, elector.ContextDeadline, elector.ContextCanceled, elector.NotSentDeadline, elector.NotSentCanceled, elector.RateLimited:
		return "lost"
	}
	return "error"
}

func request(w *world.World, r *world.Record, note Note, s *Sentence) {
	s.Kind, s.Outcome = "request", OutcomeWord(r.Result)
	s.Detail = method(r.Verb, r.Object)
	if code, answered := codes[r.Result]; answered {
		if r.Verb == elector.Create && r.Result == elector.Success {
			code = "201"
		}
		s.Detail += " " + code
	} else {
		s.Detail += ", " + resultWord(r.Result)
	}
	if r.Result == elector.Success {
		s.Detail += fmt.Sprintf(", v%d", r.ResourceVersion)
	}
	s.Detail += ", " + short(note.DurationNs)
	switch {
	case r.Result == elector.Success && r.Verb == elector.Get:
		s.Text = read(w, r, note)
	case r.Result == elector.Success:
		s.Kind = "write"
		s.Text = wrote(w, r, note)
	case r.Result == elector.NotFound && r.Verb == elector.Get:
		s.Text = "reads the Lease: there is none."
	case r.Result == elector.AlreadyExists:
		s.Text = "tries to create the Lease: somebody else was faster."
	case r.Result == elector.Conflict:
		s.Text = "tries to write the Lease: it has changed meanwhile."
	case r.Result == elector.ClientTimeout:
		s.Text = fmt.Sprintf("gives up its %s: no answer in %s.", r.Verb, short(note.DurationNs))
	case r.Result == elector.ContextDeadline:
		s.Text = fmt.Sprintf("breaks off its %s: renewDeadline has passed.", r.Verb)
	case r.Result == elector.ContextCanceled:
		s.Text = fmt.Sprintf("breaks off its %s: it was asked to stop.", r.Verb)
	case r.Result == elector.ConnRefused:
		s.Text = fmt.Sprintf("cannot connect for its %s.", r.Verb)
	default:
		s.Text = fmt.Sprintf("is refused its %s: %s.", r.Verb, resultWord(r.Result))
	}
}

// as says by which identity a candidate goes, where that tells it from the process before it.
func as(w *world.World, i int32) string {
	if now := w.ProcessName(i); now != w.Name(i) {
		return " as " + now
	}
	return ""
}

func read(w *world.World, r *world.Record, note Note) string {
	holder := w.DisplayName(r.Spec.HolderIdentity)
	reads := "reads the Lease" + as(w, r.Candidate)
	switch {
	case r.Spec.HolderIdentity == 0:
		return reads + ": nobody holds it. It is free to take."
	case r.Spec.HolderIdentity == w.Identity(r.Candidate):
		if own := w.Setup().Symbols.Text(r.Spec.HolderIdentity); own != w.Name(r.Candidate) {
			return reads + ": it names " + own + ", and so " + w.Name(r.Candidate) + " itself."
		}
		return reads + ": it names " + w.Name(r.Candidate) + " itself."
	case note.Changed && (note.Unseen || note.Before.HolderIdentity != r.Spec.HolderIdentity):
		return reads + " and learns that " + holder + " holds it."
	case note.Changed && note.Before.RenewTime == r.Spec.RenewTime:
		return reads + ": it has changed, and " + holder + " still holds it. The countdown starts again."
	case note.Changed:
		return reads + ": " + holder + " has renewed it. The countdown starts again."
	case note.Free:
		return reads + fmt.Sprintf(": unchanged for %s, longer than %s's %s. It is free to take.",
			seconds(note.AgeNs), holder, whole(note.LengthNs))
	}
	return reads + fmt.Sprintf(": unchanged for %s, %s still holds it.", seconds(max(note.AgeNs, 0)), holder)
}

// whole is a length without decimals where it has none.
func whole(ns int64) string {
	if ns%1_000_000_000 == 0 {
		return fmt.Sprintf("%d s", ns/1_000_000_000)
	}
	return seconds(ns)
}

func wrote(w *world.World, r *world.Record, note Note) string {
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
func happening(w *world.World, r *world.Record, note Note, s *Sentence) {
	s.Kind = "fault"
	switch r.Kind {
	case world.Started:
		s.Kind, s.Text = "act", "starts."
	case world.Restarted:
		s.Kind, s.Text = "act", "starts again"+as(w, r.Candidate)+"."
	case world.Joined:
		s.Kind, s.Text = "act", "joins."
	case world.ConfigError:
		s.Text = "does not start: " + w.Setup().Symbols.Text(r.Name) + "."
	case world.Paused:
		s.Text = [...]string{"stands still (paused).", "hangs: its elector's loop is stuck, the process lives.", "is suspended: its node sleeps, and its monotonic clock with it."}[r.B]
	case world.Resumed:
		s.Text = fmt.Sprintf("goes on after %s.", seconds(note.DurationNs))
		if r.B == 2 {
			s.Text = fmt.Sprintf("wakes after %s: its wall clock jumps on, its monotonic clock knows nothing of it.", seconds(note.DurationNs))
		}
	case world.Crashed:
		s.Text = "crashes. A crash sends no message."
		if r.B == 1 {
			s.Text = "is killed by its watchdog: it failed its probes."
		}
	case world.Throttled:
		s.Kind, s.Text = "request", fmt.Sprintf("holds its %s back for %s: the client's rate limiter.", r.Verb, seconds(r.A))
	case world.Burst:
		s.Kind, s.Text = "act", fmt.Sprintf("sends %s beside its elector's; the last of them waits %s.", plural(int(r.A), "request", "requests"), seconds(r.B))
	case world.Removed:
		s.Text = "leaves for good."
	case world.StopAsked:
		s.Kind, s.Text = "act", "is asked to stop."
	case world.RunReturned:
		s.Kind, s.Text = "callback", "is done: Run returns."
	case world.CutBegan:
		if r.Name != 0 {
			s.Text = everybody(s, "is refused by the API server.", "are refused by the API server.")
			return
		}
		s.Text = everybody(s, "is", "are") + " cut off from the API server (" + [...]string{"both ways", "requests are lost", "answers are lost"}[r.B] + ")."
		if r.Seq != 0 {
			s.Text = s.Text[:len(s.Text)-1] + ", until it is over: messages wait."
		}
	case world.CapacityChanged:
		s.Subject, s.Text = "", "The API server copes with load in another way now."
	case world.Reconnected:
		s.Kind, s.Text = "act", "opens a new connection."
		if r.Seq >= 0 {
			s.Text = "opens a new connection, to " + w.Name(r.Seq) + "."
		}
	case world.NodeReady:
		s.Kind, s.Text = "act", "is ready, says "+w.Name(r.Seq)+"."
	case world.NodeNotReady:
		s.Text = fmt.Sprintf("is not ready, says %s, who has seen no heartbeat for %s.", w.Name(r.Seq), seconds(r.A))
		if r.B != 0 {
			s.Text = fmt.Sprintf("is alive, yet not ready, says %s, who has seen no heartbeat for %s.", w.Name(r.Seq), seconds(r.A))
		}
	case world.RolledBack:
		s.Subject, s.Text = "", fmt.Sprintf("The store is restored: it is what it was at %s, resourceVersion %d.", whole(r.A), r.ResourceVersion)
	case world.CutEnded, world.FailEnded, world.LatencyRestored, world.ResourceCutEnded:
		faultEnded(r, s)
	case world.FailBegan:
		s.Text = everybody(s, "gets", "get") + " errors from now on: " + faultWords[r.Fault] + "."
	case world.LatencyChanged:
		s.Text = everybody(s, "has", "have") + " another latency now" + legs(w, r) + "."
	case world.ClockChanged:
		s.Text = fmt.Sprintf("has another clock now: %s off, %s times as fast.", whole(r.A), rateWord(r.B))
	case world.Written:
		s.Kind, s.Text = "write", administrator(w, r)
	case world.CandidateStored, world.CandidatePinged, world.CandidateFailed, world.Coordinated, world.Decided, world.ControllerLeads, world.ControllerEnds, world.ServerCrashed:
		coordinated(w, r, s)
	case world.ResourceAccepted, world.ResourceRefused, world.ResourceLost, world.ResourceGivenUp, world.ResourceKept, world.ResourceCutBegan:
		resource(r, s)
	case world.Asked:
		s.Kind, s.Text = "write", administrator(w, r)
	case world.SettingsChanged:
		s.Kind, s.Text = "act", "gets other settings: the network's at once, the elector's at its next start."
	case world.Skipped:
		s.Kind, s.Text = "act", "is left as it is: there was nothing to do."
		if s.Subject == "" {
			s.Text = "Nobody was there to do it to."
		}
	default:
		s.Kind, s.Text = "callback", minorWords[r.Kind]
	}
}

// legs says which latency an act has given: of the way to the API server, of the way back, or of both.
func legs(w *world.World, r *world.Record) string {
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
			ways = append(ways, what+" "+short(ns))
		}
	}
	way("requests take", l.RequestNs, l.RequestDraw != nil)
	way("answers take", l.ResponseNs, l.ResponseDraw != nil)
	if len(ways) == 0 {
		return ""
	}
	text := ": " + strings.Join(ways, ", ")
	switch l.Verb {
	case world.AnyVerb:
	case world.AnyRead:
		text += ", of reads only"
	case world.AnyWrite:
		text += ", of writes only"
	default:
		text += ", of each " + l.Verb.String() + " only"
	}
	if l.EveryNs > 0 {
		text += fmt.Sprintf(", for %s of every %s", whole(l.ForNs), whole(l.EveryNs))
	}
	return text
}

var minorWords = map[world.Kind]string{
	world.MetricLeaderOn: "says leader_on.", world.MetricLeaderOff: "says leader_off.", world.MetricSlowPath: "says slowpath.",
	world.EventBecameLeader: "notes the event “became leader”.", world.EventStoppedLeading: "notes the event “stopped leading”.",
	world.StoppedLeading: "calls OnStoppedLeading.", world.Probed: "answers a health check.",
}

var faultWords = map[world.FaultKind]string{
	world.Http429: "429 too many requests", world.Http500: "500 internal error", world.Http503: "503 unavailable",
	world.Http504: "504 timeout", world.HttpConflict: "409 conflict", world.Http504Applied: "504, although the write is stored",
	world.DropRequest: "requests vanish", world.DropResponse: "answers vanish", world.RefuseConnection: "connections are refused",
	world.Hang: "requests hang at the server", world.Stall: "requests wait at the server",
}

// everybody begins a sentence about one node or about all of them.
// faultEnded says what is over, and what goes on all the same.
func faultEnded(r *world.Record, s *Sentence) {
	still := r.B == 1
	switch r.Kind {
	case world.CutEnded:
		s.Text = everybody(s, "reaches", "reach") + " the API server again."
		if still {
			s.Text = everybody(s, "is", "are") + " still cut off: one cut is over, another goes on."
		}
	case world.FailEnded:
		s.Text = everybody(s, "gets", "get") + " answers again."
		if still {
			s.Text = everybody(s, "gets", "get") + " errors of one kind no more; another goes on."
		}
	case world.LatencyRestored:
		s.Text = everybody(s, "has", "have") + " the old latency again."
		if still {
			s.Text = everybody(s, "has", "have") + " one latency no more; another goes on."
		}
	case world.ResourceCutEnded:
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

func administrator(w *world.World, r *world.Record) string {
	if r.Seq == int32(world.Requested) {
		return sent(w, r)
	}
	what := [...]string{world.Put: "puts the Lease", world.Patch: "patches the Lease", world.Delete: "deletes the Lease", world.Touch: "touches the Lease's metadata"}[r.Seq]
	switch {
	case r.Outcome == storage.Deleted, r.Seq == int32(world.Touch) && r.Outcome.Accepted():
		return "An administrator " + what + "."
	case r.Outcome.Accepted():
		return fmt.Sprintf("An administrator %s: holderIdentity is %s now.", what, quoted(w, r.Spec.HolderIdentity))
	}
	return fmt.Sprintf("An administrator %s in vain: %s.", what, r.Outcome)
}

// sent is what a request to the API did.
func sent(w *world.World, r *world.Record) string {
	q := w.Request(r.Control)
	text := fmt.Sprintf("An administrator sends %s %s: %d", q.Method, q.Path, r.A)
	switch {
	case r.Outcome == storage.Deleted:
		return text + ". The Lease is gone."
	case r.Kind == world.Written:
		return fmt.Sprintf("%s. holderIdentity is %s now.", text, quoted(w, r.Spec.HolderIdentity))
	}
	return text + ". The Lease stays as it is."
}
