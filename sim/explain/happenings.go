package explain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// happening is the sentence for one kind of record. Records about requests and about leading have their own
// functions. `phrase` may also set the sentence's other fields.
type happening struct {
	kind string // kind of the sentence; "" means fault
	text string
	// if the words depend on the record, `phrase` replaces `text`
	phrase func(w *world.World, r *trace.Record, note Note, s *Sentence) string
	// the sentence is not about a node and has no subject
	system bool
}

// `happenings` contains a row for each of these kinds of records. The kinds without a row are callbacks and metrics:
// see minorWords.
var happenings = [trace.NoKind]happening{
	trace.Started:     {kind: "act", text: "starts."},
	trace.Restarted:   {kind: "act", phrase: restart},
	trace.Joined:      {kind: "act", text: "joins."},
	trace.StopAsked:   {kind: "act", text: "is asked to stop."},
	trace.Burst:       {kind: "act", phrase: burst},
	trace.Reconnected: {kind: "act", phrase: reconnection},
	trace.SettingsChanged: {kind: "act",
		text: "gets new settings: network settings apply now, elector settings at its next start."},
	trace.Skipped:          {kind: "act", phrase: skip},
	trace.Throttled:        {kind: "request", phrase: throttling},
	trace.RequestRetries:   {kind: "request", phrase: requestRetries},
	trace.CandidateRetries: {kind: "request", phrase: candidateRetries},
	trace.RunReturned:      {kind: "callback", text: "returns from LeaderElector.Run: its elector has ended."},
	trace.ConfigError:      {phrase: configError},
	trace.Removed:          {text: "leaves for good."},
	trace.Paused:           {phrase: pauseBegan},
	trace.Resumed:          {phrase: pauseEnded},
	trace.Crashed:          {phrase: crash},
	trace.ClockChanged:     {phrase: clockChanged},

	trace.CutBegan: {phrase: cutBegan},
	trace.CutEnded: {phrase: ended([3]string{"reaches", "reach", " the API server again."},
		[3]string{"is", "are", " still cut off: one cut has ended, but another continues."})},
	trace.FailBegan: {phrase: failBegan},
	trace.FailEnded: {phrase: ended([3]string{"no longer gets", "no longer get", " errors."},
		[3]string{"still gets", "still get", " errors: one fault has ended, but another continues."})},
	trace.LatencyChanged: {phrase: latencyChanged},
	trace.LatencyRestored: {phrase: ended([3]string{"has", "have", " the normal latency again."},
		[3]string{"still has", "still have", " a changed latency: one change has ended, but another continues."})},
	trace.Intercepted:      {phrase: interception},
	trace.Delivered:        {kind: "act", phrase: delivery},
	trace.ResourceCutBegan: {phrase: resourceCutBegan},
	trace.ResourceCutEnded: {phrase: ended([3]string{"reaches", "reach", " the resource again."},
		[3]string{"is", "are", " still cut off from the resource: one cut has ended, but another continues."})},

	trace.CapacityChanged: {system: true, text: "The capacity of the API server changes."},
	trace.RolledBack:      {system: true, phrase: rolledBack},
	trace.Written:         {kind: "write", phrase: administrator},
	trace.Asked:           {kind: "write", phrase: administrator},

	trace.NodeReady:    {kind: "act", phrase: nodeReady},
	trace.NodeNotReady: {phrase: nodeNotReady},

	trace.CandidateStored: {kind: "write", phrase: candidateStored},
	trace.CandidateFailed: {kind: "request", phrase: candidateFailed},
	trace.CandidatePinged: {kind: "write", phrase: candidatePinged},
	trace.Coordinated:     {kind: "write", phrase: controllerWrite},
	trace.Decided:         {kind: "callback", phrase: controllerDecision},
	trace.ControllerLeads: {kind: "callback", text: "now runs the controller of coordinated election."},
	trace.ControllerEnds:  {kind: "callback", text: "stops running the controller."},
	trace.ServerCrashed: {kind: "act",
		text: "crashes: the Lease has no holderIdentity, and the controller of v1.36 reads it without a check."},

	trace.ResourceAccepted: {kind: "write", phrase: resourceAccepted},
	trace.ResourceRefused:  {kind: "write", phrase: resourceRefused},
	trace.ResourceLost:     {kind: "write", text: "does not reach the resource."},
	trace.ResourceGivenUp:  {kind: "write", text: "gives up the resource."},
	trace.ResourceKept:     {kind: "write", text: "still owns the resource: the step that gives it up got lost."},
}

// `other` describes a record that is not about requests or leading. For a kind without a row, the words come from
// minorWords.
func other(w *world.World, r *trace.Record, note Note, s *Sentence) {
	h := &happenings[r.Kind]
	s.Kind, s.Text = h.kind, h.text
	switch {
	case h.phrase != nil:
		if h.system {
			s.Subject = ""
		}
		s.Text = h.phrase(w, r, note, s)
	case h.text == "":
		s.Kind, s.Text = "callback", minorWords[r.Kind]
	case h.system:
		s.Subject = ""
	}
	s.Kind = cmp.Or(s.Kind, "fault")
}

func restart(w *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return "starts again" + as(w, r.Candidate) + "."
}

func burst(_ *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return fmt.Sprintf("sends %s besides its elector's; the last one waits %s.",
		words.Count(r.Requests().Count, "request", "requests"), words.Seconds(r.Requests().LastWaitNs))
}

func reconnection(w *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	if to := r.Connection().Server; to >= 0 {
		return "opens a new connection, to " + w.Node(to).Name() + "."
	}
	return "opens a new connection."
}

func skip(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	switch left := r.Skip().Left; {
	case r.Skip().Control != int32(world.DoRollout):
	case left > 0:
		return fmt.Sprintf("blocks the rolling update, which has %s left: to go on it needs another Ready "+
			"pod, and no other pod is Ready before this one stops leading.",
			words.Count(left, "old pod", "old pods"))
	default:
		return "is the only Ready pod, so the rolling update never reports success: the others wait for its Lease."
	}
	if s.Subject == "" {
		return "The target matched no node, so nothing happened."
	}
	return "is skipped: the act does not apply to its state."
}

func throttling(_ *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return fmt.Sprintf("holds back its %s for %s because of the client's rate limiter.", r.Verb,
		words.Seconds(r.Limited().WaitNs))
}

func requestRetries(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	return asksAgain(method(r.Verb, r.Object), r, s)
}

func candidateRetries(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	return asksAgain("LeaseCandidate "+methods[r.Verb], r, s)
}

// asksAgain says why a client repeats a request inside a call.
func asksAgain(request string, r *trace.Record, s *Sentence) string {
	wait := words.WholeSeconds(r.Retry().WaitNs)
	s.Outcome = OutcomeWord(r.Result)
	if r.Retry().RetryAfter {
		s.Detail = fmt.Sprintf("%s answered %s, asked again after %s (Retry-After)", request, codes[r.Result], wait)
		return fmt.Sprintf("asks again in %s, within the same call, because the answer says Retry-After.", wait)
	}
	s.Detail = fmt.Sprintf("%s failed, asked again after %s (%s)", request, wait, resultWord(r.Result))
	return fmt.Sprintf("asks again in %s, within the same call: client-go repeats a GET whose connection broke.", wait)
}

func configError(w *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return "does not start: " + w.Setup().Symbols.Text(r.Name) + "."
}

func pauseBegan(_ *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return [...]string{
		trace.ProcessStopped: "is paused.",
		trace.ElectorHangs:   "hangs: its elector's loop is stuck, but the process lives.",
		trace.NodeSuspended:  "is suspended: its node sleeps, and its monotonic clock stops.",
	}[r.Pause().Kind]
}

func pauseEnded(_ *world.World, r *trace.Record, note Note, _ *Sentence) string {
	if r.Pause().Kind == trace.NodeSuspended {
		return fmt.Sprintf("wakes after %s: its wall clock jumps forward, its monotonic clock does not.",
			words.Seconds(note.DurationNs))
	}
	return fmt.Sprintf("resumes after %s.", words.Seconds(note.DurationNs))
}

func crash(_ *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	if r.Crash().ByWatchdog {
		return "is killed by its watchdog: it failed its probes."
	}
	if r.Crash().ByGrace {
		return "is killed (SIGKILL): it did not end within its grace period."
	}
	return "crashes."
}

func clockChanged(_ *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return fmt.Sprintf("now has a clock with offset %s and rate %s.", words.WholeSeconds(r.Clock().OffsetNs),
		rateWord(r.Clock().RatePpm))
}

func cutBegan(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	cut := r.Cut()
	if cut.Refuse {
		return everybody(s, "is refused by the API server", "are refused by the API server") +
			share(cut.Chance, "requests") + "."
	}
	text := everybody(s, "is", "are") + " cut off from the API server (" +
		[...]string{"both ways", "requests are lost", "answers are lost"}[cut.Direction] + ")" +
		share(cut.Chance, "messages")
	if cut.Hold != network.Drop {
		return text + ", and messages wait until the cut ends."
	}
	return text + "."
}

// ended returns a function for the end of a fault. The words `lasts` are for when another fault of the kind continues.
// Each has the verb for one node, the verb for all nodes, and the rest.
func ended(over, lasts [3]string) func(*world.World, *trace.Record, Note, *Sentence) string {
	return func(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
		words := over
		if r.Over().AnotherLasts {
			words = lasts
		}
		return everybody(s, words[0], words[1]) + words[2]
	}
}

func failBegan(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	text := everybody(s, "gets", "get") + " errors: " + faultWords[r.Fault]
	if after := r.FaultSpan().After; after != 0 {
		text += fmt.Sprintf(" with Retry-After: %d", after.Seconds())
	}
	return text + share(r.FaultSpan().Chance, "requests") + "."
}

// `share` formats the share of messages that a fault affects: ", for 30 % of its requests".
func share(chance network.Chance, of string) string {
	if chance == 0 {
		return ""
	}
	return fmt.Sprintf(", for %.3g %% of its %s", 100*chance.Probability(), of)
}

func latencyChanged(w *world.World, r *trace.Record, _ Note, s *Sentence) string {
	return everybody(s, "now has", "now have") + " " + legs(w, r) + "."
}

// interception describes what an act does to one message.
func interception(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	i := r.Interception()
	s.Detail = fmt.Sprintf("request %d", r.Seq)
	where := [...]string{network.HeldUp: "on its way to the API server", network.HeldServer: "at the API server",
		network.HeldDown: "on its way back"}[i.At]
	if i.Sender == network.ResourceWriter {
		where = "on its way to the resource"
	}
	what := message(r)
	if i.At == network.HeldDown {
		what = "the answer to " + what
	}
	switch i.Effect {
	case network.LoseAnswer:
		if i.At != network.HeldDown {
			return "gets no answer to " + what + ": an act drops the answer."
		}
		fallthrough
	case network.LoseMessage:
		return fmt.Sprintf("loses %s: an act drops it %s.", what, where)
	}
	until := "until another act delivers it"
	if i.UntilNs > 0 {
		until = "for " + words.WholeSeconds(i.UntilNs-r.At)
	}
	return fmt.Sprintf("waits longer: an act holds %s %s %s.", what, where, until)
}

func delivery(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	s.Detail = fmt.Sprintf("request %d", r.Seq)
	if r.Interception().At == network.HeldDown {
		return "waits no longer: the act lets the answer to " + message(r) + " through."
	}
	return "waits no longer: the act lets " + message(r) + " through."
}

// `message` names the request that an act stops.
func message(r *trace.Record) string {
	switch r.Interception().Sender {
	case network.LeaseCandidate:
		return "the write of its LeaseCandidate"
	case network.Controller:
		return "a request of its controllers"
	case network.Kubelet:
		return "its heartbeat"
	case network.ResourceWriter:
		return "its write to the resource"
	}
	return "its " + method(r.Verb, r.Object)
}

func resourceCutBegan(_ *world.World, _ *trace.Record, _ Note, s *Sentence) string {
	return everybody(s, "no longer reaches", "no longer reach") + " the resource."
}

// `everybody` returns the beginning of a sentence about one node or about all nodes.
func everybody(s *Sentence, one, all string) string {
	if s.Subject == "" {
		return "All nodes " + all
	}
	return one
}

func rolledBack(_ *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return fmt.Sprintf("An administrator restores the store to its state at %s, resourceVersion %d.",
		words.WholeSeconds(r.Restore().ToNs), r.ResourceVersion)
}

func nodeReady(w *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return "is ready, says " + w.Node(r.Readiness().Monitor).Name() + "."
}

func nodeNotReady(w *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	state := "is not ready"
	if r.Readiness().Running {
		state = "is alive but not ready"
	}
	return fmt.Sprintf("%s, says %s, which has seen no heartbeat for %s.", state, w.Node(r.Readiness().Monitor).Name(),
		words.Seconds(r.Readiness().HeartbeatAgeNs))
}

func resourceAccepted(_ *world.World, r *trace.Record, _ Note, s *Sentence) string {
	s.Detail = token(r)
	return "writes to the resource."
}

func resourceRefused(_ *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	return "is refused by the resource: its " + token(r) + " is older than " + words.Number(r.Tokens().Highest) + "."
}

func token(r *trace.Record) string { return "token " + words.Number(r.Tokens().Sent) }

// `legs` says which latency an act sets: for requests, for responses, or for both.
func legs(w *world.World, r *trace.Record) string {
	l, known := w.ChangedLatency(r.Control, r.Candidate)
	if !known {
		return "a new latency"
	}
	var ways []string
	way := func(what string, ns int64, drawn bool) {
		switch {
		case drawn:
			ways = append(ways, "a "+what+" latency drawn for each")
		case ns >= 0:
			ways = append(ways, "a "+what+" latency of "+words.Short(ns))
		}
	}
	way("request", l.RequestNs, l.RequestDraw != nil)
	way("response", l.ResponseNs, l.ResponseDraw != nil)
	if len(ways) == 0 {
		return "a new latency"
	}
	text := strings.Join(ways, " and ")
	switch l.Verb {
	case network.AnyVerb:
	case network.AnyRead:
		text += ", for reads only"
	case network.AnyWrite:
		text += ", for writes only"
	default:
		text += ", for each " + l.Verb.String() + " only"
	}
	if l.EveryNs > 0 {
		text += fmt.Sprintf(", for %s of every %s", words.WholeSeconds(l.ForNs), words.WholeSeconds(l.EveryNs))
	}
	return text
}

var minorWords = map[trace.Kind]string{
	trace.MetricLeaderOn:      "sets the metric leader_election_master_status to 1.",
	trace.MetricLeaderOff:     "sets the metric leader_election_master_status to 0.",
	trace.MetricSlowPath:      "increments the metric leader_election_slowpath_total.",
	trace.EventBecameLeader:   "records the event “became leader”.",
	trace.EventStoppedLeading: "records the event “stopped leading”.",
	trace.StoppedLeading:      "calls OnStoppedLeading.", trace.Probed: "answers a health check.",
}

var faultWords = map[network.FaultKind]string{
	network.Http429: "429 too many requests", network.Http500: "500 internal error", network.Http503: "503 unavailable",
	network.Http504: "504 timeout", network.HttpConflict: "409 conflict",
	network.Http504Applied: "504, although the write is stored",
	network.DropRequest:    "requests are lost", network.DropResponse: "answers are lost",
	network.RefuseConnection: "connections are refused",
	network.Http401:          "401 unauthorized", network.Http403: "403 forbidden", network.Http502: "502 bad gateway",
	network.ResetConnection: "connections are reset", network.CloseConnection: "connections close before an answer",
	network.BrokenBody: "half of each answer arrives", network.EmptyBody: "200 comes without a body",
	network.Hang: "requests hang at the server", network.Stall: "requests wait at the server",
}

func rateWord(ppm int64) string {
	return fmt.Sprintf("%d.%03d", ppm/1_000_000, ppm%1_000_000/1000)
}

func administrator(w *world.World, r *trace.Record, _ Note, _ *Sentence) string {
	if r.Write().Op == trace.Requested {
		return administratorRequest(w, r)
	}
	what := [...]string{trace.Put: "puts the Lease", trace.Patch: "patches the Lease",
		trace.Delete: "deletes the Lease", trace.Touch: "touches the Lease's metadata"}[r.Write().Op]
	switch {
	case r.Outcome == storage.Deleted, r.Write().Op == trace.Touch && r.Outcome.Accepted():
		return "An administrator " + what + "."
	case r.Outcome.Accepted():
		return fmt.Sprintf("An administrator %s: holderIdentity is %s now.", what, orEmpty(w, r.Spec.HolderIdentity))
	}
	return fmt.Sprintf("An administrator %s, which fails: %s.", what, r.Outcome)
}

// administratorRequest says what an administrator's request to the API did.
func administratorRequest(w *world.World, r *trace.Record) string {
	q := w.Request(r.Control)
	text := fmt.Sprintf("An administrator sends %s %s: %d", q.Method, q.Path, r.Write().Status)
	switch {
	case r.Outcome == storage.Deleted:
		return text + ". The Lease is gone."
	case r.Kind == trace.Written:
		return fmt.Sprintf("%s. holderIdentity is %s now.", text, orEmpty(w, r.Spec.HolderIdentity))
	}
	return text + ". The Lease does not change."
}
