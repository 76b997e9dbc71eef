package view

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// This file describes coordinated election: the candidates with their versions and standing, the API servers, and the
// controller's decisions step by step.

// Roles that only API servers have. API servers compete for their own Lease and never count as leaders. A world without
// them uses roleServing for nodes without an elector.
const (
	roleController = "controller" // the API server that runs the controller
	roleServing    = "serving"
)

// roleWord returns the role to draw. An API server that holds the controllers' Lease has its own role, because it is
// not a leader of the run.
func roleWord(w *world.World, i int32, role world.Role) string {
	if w.Node(i).IsServer() {
		switch role {
		case world.RoleLeading, world.RoleLost:
			return roleController
		case world.RoleFollowing:
			return roleServing
		}
	}
	if role == world.RoleFollowing && !w.Node(i).HasElector() {
		return roleServing
	}
	return role.String()
}

// laneNotes returns the notes in a span of time up to the live cursor, or nil. A note belongs to one lane. Other
// names a second lane: a handover involves the holder and its preferredHolder. The index is in order, so a binary
// search finds the first one, and maxNotes limits a window of a long run.
func laneNotes(look timeline.Look, r *timeline.Run, fromNs, toNs int64) []protocol.LaneNote {
	all := r.Index().Notes
	first := sort.Search(len(all), func(k int) bool { return all[k].Cursor.T >= fromNs })
	var out []protocol.LaneNote
	for _, n := range all[first:] {
		if n.Cursor.T > toNs || look.Live.Before(n.Cursor) || len(out) >= maxNotes {
			break
		}
		out = append(out, protocol.LaneNote{T: n.Cursor.T, N: n.Cursor.N, Index: int(n.Lane), Other: int(n.Other),
			Kind: n.Kind, Text: n.Text})
	}
	return out
}

// maxNotes is the maximum number of notes in one timeline.
const maxNotes = 4000

// lastDecision returns the last decision of a controller, nil before the first. The second result, by, is the node
// index of the controller's API server. After a failover of the control plane, two servers may have made decisions.
// lastDecision takes the one that ended later or, at the same instant, the server with the higher number. In the
// numbering of nodes, servers come after the candidates.
func lastDecision(w *world.World) (last *coordinator.Decision, by int32) {
	for i := range int32(len(w.Setup().Servers)) {
		node := int32(len(w.Setup().Candidates)) + i
		if d, known := w.Node(node).Decision(0); known && (last == nil || d.EndNs >= last.EndNs) {
			last, by = d, node
		}
	}
	return last, by
}

// worldNs converts an object's time to an instant of the run. It returns nil if the time is absent. MicroTime counts
// microseconds since the Unix epoch, and the run counts nanoseconds since its own. The time comes from a node's own
// clock, so it may be in the run's future.
func worldNs(t coordination.MicroTime, there bool) *int64 {
	if !there {
		return nil
	}
	ns := int64(t)*1000 - world.EpochUnixNs
	return &ns
}

// candidateView returns a node's LeaseCandidate and its standing in the controller's last decision. It returns nil
// for a node without a LeaseCandidate. The versions come from the stored object once it exists, not from the
// settings: after an upgrade the object may still say the old version until the candidate writes again. Unacked means
// that pingTime is later than renewTime, so the candidate owes an answer. Place is the rank, from 1, or 0 if the
// candidate has no rank.
func candidateView(w *world.World, i int32, d *coordinator.Decision, by int32) *protocol.CandidateView {
	settings, _ := w.Node(i).Settings()
	if settings.BinaryVersion == 0 {
		return nil
	}
	text := w.Setup().Symbols.Text
	v := &protocol.CandidateView{Name: text(w.Node(i).Identity()), BinaryVersion: text(settings.BinaryVersion),
		EmulationVersion: text(settings.EmulationVersion), Mark: "none", Standing: "has no LeaseCandidate yet"}
	spec, exists := w.Node(i).LeaseCandidate()
	if exists {
		v.Exists = true
		v.BinaryVersion, v.EmulationVersion = text(spec.BinaryVersion), text(spec.EmulationVersion)
		v.PingTime, v.RenewTime = worldNs(spec.PingTime, spec.Has(coordination.HasPing)),
			worldNs(spec.RenewTime, spec.Has(coordination.HasRenew))
		v.Unacked = spec.Unacked()
		v.Standing = "no controller has checked it yet"
	}
	if d == nil || !exists {
		return v
	}
	for k := range d.Considered {
		c := &d.Considered[k]
		if c.Name != w.Node(i).Identity() {
			continue
		}
		v.Mark, v.Standing = standing(c, d)
		at := d.BeginNs
		v.JudgedAt, v.JudgedBy = &at, w.Node(by).Name()
		v.Place, v.Behind = rankOf(d, c.Name)+1, behind(d, c.Name, text)
	}
	return v
}

// `standing` says whether a candidate counts. It returns a mark, and a sentence with the reason. `mark` is "counts",
// "waits" or "out". The ages are on the controller's clock at the time of the decision, not at the cursor, because the
// reason for a decision is what the controller knew then. The checks come in the controller's order: an expired
// candidate is out even if it owes an ack. If a candidate is silent, the sentence says so even if the candidate counts,
// because the silence is the reason for the election. A candidate with unreadable versions cannot win, so it is out
// whatever its times say.
func standing(c *coordinator.Considered, d *coordinator.Decision) (mark, words string) {
	ago := func(t coordination.MicroTime) string { return age(d.WallNs - int64(t)*1000) }
	within, valid := round(d.ElectionNs), round(d.ValidNs)
	switch c.Standing {
	case coordinator.NeverRenewed:
		return "out", "has no renewTime: does not count"
	case coordinator.Expired:
		return "out", fmt.Sprintf("renewTime %s old, more than %s: does not count", ago(c.Spec.RenewTime), valid)
	case coordinator.Unanswered:
		return "out", fmt.Sprintf("pinged %s ago and no ack within %s: left out of the election", ago(c.Spec.PingTime),
			within)
	}
	mark = "counts"
	switch c.Standing {
	case coordinator.AwaitingAck:
		mark, words = "waits", fmt.Sprintf("pinged %s ago, no ack yet: waits up to %s", ago(c.Spec.PingTime),
			within)
	case coordinator.Fresh:
		words = fmt.Sprintf("renewTime %s old, within %s: counts as an ack", ago(c.Spec.RenewTime), within)
	default:
		words = fmt.Sprintf("renewTime %s old: counts, but must be pinged before an election", ago(c.Spec.RenewTime))
	}
	if c.Silent {
		words = fmt.Sprintf("renewTime %s old: forces an election", ago(c.Spec.RenewTime))
	}
	if !c.Readable {
		mark, words = "out", words+"; its versions are unreadable"
	}
	return mark, words
}

// `age` formats a length of time in whole minutes, or in seconds if it is below a minute. The controller may read a
// time written by a clock that is ahead. For such a negative age it returns "0 s".
func age(ns int64) string {
	if ns >= int64(time.Minute) {
		return fmt.Sprintf("%d min", ns/int64(time.Minute))
	}
	return words.Seconds(max(ns, 0))
}

// `round` formats a length of time in minutes if it is a whole number of minutes, and otherwise in seconds.
func round(ns int64) string {
	if ns%60_000_000_000 == 0 {
		return strconv.FormatInt(ns/60_000_000_000, 10) + " min"
	}
	return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64) + " s"
}

// rankOf returns a candidate's index in the ranking, or -1.
func rankOf(d *coordinator.Decision, name coordination.Symbol) int {
	return slices.IndexFunc(d.Ranking, func(r coordinator.Ranked) bool { return r.Name == name })
}

// `behind` says why a candidate is behind the previous one in the ranking. It returns "" for the first candidate, and
// for one without a rank.
func behind(d *coordinator.Decision, name coordination.Symbol, text func(coordination.Symbol) string) string {
	k := rankOf(d, name)
	if k < 1 {
		return ""
	}
	return fmt.Sprintf("behind %s: %s", text(d.Ranking[k-1].Name), advantage(d, k, text))
}

// advantage says why the candidate before index k is better, with the values. If the versions are equal, creation
// time or name decides. Their values would tell a reader nothing, so `advantage` returns only the name of the
// advantage.
func advantage(d *coordinator.Decision, k int, text func(coordination.Symbol) string) string {
	better, worse := consideredOf(d, d.Ranking[k-1].Name), consideredOf(d, d.Ranking[k].Name)
	by := d.Ranking[k].Behind
	words := by.String()
	if better == nil || worse == nil {
		return words
	}
	switch by {
	case coordinator.OlderEmulation:
		words += fmt.Sprintf(" (%s, not %s)", text(better.Spec.EmulationVersion), text(worse.Spec.EmulationVersion))
	case coordinator.OlderBinary:
		words += fmt.Sprintf(" (%s, not %s)", text(better.Spec.BinaryVersion), text(worse.Spec.BinaryVersion))
	}
	return words
}

// consideredOf returns what the controller knew about one candidate at a decision, or nil.
func consideredOf(d *coordinator.Decision, name coordination.Symbol) *coordinator.Considered {
	for k := range d.Considered {
		if d.Considered[k].Name == name {
			return &d.Considered[k]
		}
	}
	return nil
}

// serverView returns what the page shows of an API server.
func serverView(w *world.World, i int32) *protocol.ServerView {
	if !w.Node(i).IsServer() {
		return nil
	}
	version, up := w.Node(i).ServerVersion()
	return &protocol.ServerView{Version: w.Setup().Symbols.Text(version), Up: up,
		RunsController: roleWord(w, i, timeline.RoleOf(w, i)) == roleController}
}

// Decision returns a decision by its number from 1, up to the live cursor; number 0 is the last one at the cursor.
// Decisions have numbers in the order of the run, across all API servers, while each controller counts its own.
// Numbers is the number of decisions so far. The view is empty before the first decision, and in a run without API
// servers. A server keeps only its latest decisions; an older one has a number and a cursor, but no steps. The error
// names the numbers that exist.
func Decision(look timeline.Look, number int) (*protocol.DecisionView, error) {
	r := look.Run
	r.Compute(look.Live.T)
	all := r.Index().Decisions
	upTo := func(c timeline.Cursor) int {
		return sort.Search(len(all), func(k int) bool { return c.Before(all[k].Cursor) })
	}
	v := &protocol.DecisionView{Run: r.ID(), Numbers: upTo(look.Live), Index: -1, Steps: []protocol.DecisionStep{},
		Considered: []protocol.ConsideredView{}}
	here := look.Here().World
	if len(here.Setup().Servers) == 0 {
		return v, nil
	}
	if d, by := lastDecision(here); d != nil {
		v.Latest = fmt.Sprintf("Last check at %s, by %s: %s.", words.Instant(d.EndNs), here.Node(by).Name(),
			outcomeWords(d))
	}
	number = cmp.Or(number, upTo(look.Cursor))
	if number == 0 {
		return v, nil
	}
	if number < 0 || number > v.Numbers {
		return nil, fmt.Errorf("the run has decisions 1 to %d so far, but no decision %d", v.Numbers, number)
	}
	n := all[number-1]
	v.Number, v.Cursor = number, n.Cursor
	w := r.At(n.Cursor).World
	v.By = w.Node(n.Node).Name()
	d, known := w.Node(n.Node).Decision(n.Number)
	if !known {
		return v, nil
	}
	shapeDecision(v, w, d)
	return v, nil
}

// outcomeWords returns the result of a decision in words. For NotNeeded it adds the reason.
func outcomeWords(d *coordinator.Decision) string {
	if d.Outcome == coordinator.NotNeeded && d.Need != coordinator.NeedUnknown {
		return d.Outcome.String() + ": " + d.NeedText()
	}
	return d.Outcome.String()
}

// `elects` reports whether a decision names an electee. Unchanged also names an electee, the confirmed holder.
func elects(d *coordinator.Decision) bool {
	switch d.Outcome {
	case coordinator.LeaseCreated, coordinator.LeaseUpdated, coordinator.Unchanged:
		return len(d.Ranking) > 0
	}
	return false
}

// `steps` collects the steps of a decision.
type steps struct {
	all  []protocol.DecisionStep
	text func(coordination.Symbol) string
}

func (s *steps) add(title, mark, format string, values ...any) {
	s.all = append(s.all, protocol.DecisionStep{Title: title, Text: fmt.Sprintf(format, values...), Mark: mark})
}

// shapeDecision divides a decision into steps. The steps follow the order of the controller's code: read the Lease,
// consider the candidates, check whether an election is necessary, wait for acks, choose a strategy, rank, write. A
// decision that stops early has fewer steps, and "Then" always says when the controller looks again.
func shapeDecision(v *protocol.DecisionView, w *world.World, d *coordinator.Decision) {
	s := steps{text: w.Setup().Symbols.Text}
	v.Title = fmt.Sprintf("%s reconciles the Lease: %s.", v.By, d.Outcome)
	if elects(d) {
		nameElectee(v, w, d)
	}
	s.add("Lease", "", "%s", leaseWords(d, s.text))
	s.add("Candidates", "", "%s", consideredCandidates(v, w, d, s.text))
	if d.Need != coordinator.NeedUnknown {
		if d.Need.Needed() {
			s.add("Needed?", "yes", "Yes: %s.", d.NeedText())
		} else {
			s.add("Needed?", "no", "No: %s.", d.NeedText())
		}
	}
	s.acks(d)
	s.strategy(d)
	if elects(d) {
		parts := []string{s.text(d.Ranking[0].Name)}
		for k := 1; k < len(d.Ranking); k++ {
			parts = append(parts, fmt.Sprintf("before %s: %s", s.text(d.Ranking[k].Name), advantage(d, k, s.text)))
		}
		s.add("Ranking", "yes", "%s.", strings.Join(parts, ", "))
	}
	s.writes(d)
	next := "Checks again when something changes."
	if d.RequeueNs > 0 {
		next = fmt.Sprintf("Checks again in %s, or when something changes.", words.Seconds(d.RequeueNs))
	}
	s.add("Then", "", "%s. %s", upper(d.Outcome.String()), next)
	v.Steps = append(v.Steps, s.all...)
}

// nameElectee names the electee, and why it is better than the next candidate. For a version comparison, the text is
// "older emulationVersion than b". The other advantages are not comparisons, so they need a different sentence.
func nameElectee(v *protocol.DecisionView, w *world.World, d *coordinator.Decision) {
	text, electee := w.Setup().Symbols.Text, d.Ranking[0].Name
	v.Index = int(w.ByIdentity(electee))
	v.Title, v.Reason = text(electee)+" is elected.", "the only candidate that answered"
	if len(d.Ranking) > 1 {
		v.Reason = advantage(d, 1, text) + " than " + text(d.Ranking[1].Name)
		if by := d.Ranking[1].Behind; by != coordinator.OlderEmulation && by != coordinator.OlderBinary {
			v.Reason = advantage(d, 1, text) + ": before " + text(d.Ranking[1].Name)
		}
	}
}

// strategy says which strategy the election uses, or why it uses none. The candidate with the highest binaryVersion
// determines the strategy, and Decider names that candidate. If two candidates with that version have different
// strategies, the controller picks no strategy until one of them changes.
func (s *steps) strategy(d *coordinator.Decision) {
	switch {
	case d.Conflict[0] != 0:
		s.add("Strategy", "no",
			"%s and %s have the same binaryVersion but ask for different strategies, so the controller doesn't "+
				"touch the Lease.", s.text(d.Conflict[0]), s.text(d.Conflict[1]))
	case d.Outcome == coordinator.StrategiesDiffer, d.Need == coordinator.StrategyConflict:
		s.add("Strategy", "no", "No strategy supersedes all others, so the controller doesn't touch the Lease.")
	case d.Decider != 0:
		s.add("Strategy", "", "%s, as %s asks.", s.text(d.Strategy), s.text(d.Decider))
	case d.Strategy != 0:
		s.add("Strategy", "", "%s.", s.text(d.Strategy))
	}
}

// `writes` adds a line for each change that the decision makes, with the result of the write.
func (s *steps) writes(d *coordinator.Decision) {
	if d.Change != coordinator.NoChange {
		mark := "yes"
		if d.Change == coordinator.Crashes {
			mark = "no"
		}
		s.add("Change", mark, "%s.", upper(d.Change.String()))
	}
	for _, one := range d.Writes {
		mark := "yes"
		if one.Result != step.Success {
			mark = "no"
		}
		s.add("Writes", mark, "%s %s: %s.", one.Verb, s.text(one.Name), one.Result)
	}
}

// leaseWords describes the Lease that a controller read. The age is on the controller's clock, as in standing.
func leaseWords(d *coordinator.Decision, text func(coordination.Symbol) string) string {
	l := &d.Lease
	switch {
	case !l.There:
		return "The Lease does not exist."
	case l.Spec.HolderIdentity == 0:
		return "It has no holder."
	}
	words := text(l.Spec.HolderIdentity) + " holds it"
	renewed := age(d.WallNs - int64(l.Spec.RenewTime)*1000)
	if l.Expired {
		words += fmt.Sprintf("; expired: renewed %s ago, valid for %d s", renewed, l.Spec.LeaseDurationSeconds)
	} else {
		words += fmt.Sprintf(", renewed %s ago", renewed)
	}
	if l.Spec.PreferredHolder != 0 {
		words += "; " + text(l.Spec.PreferredHolder) + " is already its preferredHolder"
	}
	return words + "."
}

// consideredCandidates lists the candidates as the controller saw them, and counts them. It also fills in v.Considered,
// in the order of the controller's list. Candidates with mark "waits" count too: only their ack is missing.
func consideredCandidates(v *protocol.DecisionView, w *world.World, d *coordinator.Decision,
	text func(coordination.Symbol) string) string {
	counts := 0
	for k := range d.Considered {
		c := &d.Considered[k]
		view := protocol.ConsideredView{
			Name: text(c.Name), Index: int(w.ByIdentity(c.Name)), BinaryVersion: text(c.Spec.BinaryVersion),
			EmulationVersion: text(c.Spec.EmulationVersion),
			PingTime:         worldNs(c.Spec.PingTime, c.Spec.Has(coordination.HasPing)),
			RenewTime:        worldNs(c.Spec.RenewTime, c.Spec.Has(coordination.HasRenew)),
		}
		view.Mark, view.Standing = standing(c, d)
		view.Behind = behind(d, c.Name, text)
		if view.Mark != "out" {
			counts++
		}
		v.Considered = append(v.Considered, view)
	}
	switch {
	case len(d.Considered) == 0:
		return "No LeaseCandidate names the Lease."
	case counts == 1 && len(d.Considered) == 1:
		return "The only candidate counts."
	case counts == len(d.Considered):
		return fmt.Sprintf("All %d count.", counts)
	}
	return fmt.Sprintf("%d of %d count.", counts, len(d.Considered))
}

// `acks` lists the pings of a decision, and the candidates whose acks are missing. Groups appear in the order of an
// election: candidates that have answered, candidates that the controller waits for, candidates that it pings next,
// and candidates that have used up the time. If no election is necessary, the controller sends no pings, so the step
// does not appear.
func (s *steps) acks(d *coordinator.Decision) {
	if !d.Need.Needed() {
		return
	}
	by := map[string][]string{}
	for k := range d.Considered {
		c := &d.Considered[k]
		switch c.Standing {
		case coordinator.AwaitingAck:
			by["waits"] = append(by["waits"], s.text(c.Name))
		case coordinator.Unanswered:
			by["out"] = append(by["out"], s.text(c.Name))
		case coordinator.Fresh:
			by["acked"] = append(by["acked"], s.text(c.Name))
		case coordinator.Stale:
			by["ping"] = append(by["ping"], s.text(c.Name))
		}
	}
	var parts []string
	for _, p := range []struct{ key, words string }{
		{"acked", "renewed within " + round(d.ElectionNs)}, {"waits", "pinged, no ack yet"}, {"ping", "to be pinged"},
		{"out", "did not ack within " + round(d.ElectionNs) + ", left out"},
	} {
		if names := by[p.key]; len(names) > 0 {
			parts = append(parts, strings.Join(names, ", ")+": "+p.words)
		}
	}
	if len(parts) == 0 {
		return
	}
	mark := "yes"
	if len(by["waits"])+len(by["ping"]) > 0 {
		mark = "waits"
	}
	s.add("Acks", mark, "%s.", strings.Join(parts, "; "))
}

// `upper` makes the first letter a capital. The texts begin with an ASCII letter.
func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
