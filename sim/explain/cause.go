package explain

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// This file answers "why did this candidate still lead?" and "why was the Lease free?". It never guesses. Each
// sentence states a fact that the tracker has seen and that could have had the effect. A story lists all such facts
// in order of time. So it may name a cut and a slow clock, even if either alone would have been enough.

// Dialects that keep a leader from stopping, make a follower acquire at a different instant than client-go's, or lose a
// release.
const (
	keepingDialects = elector.NoRequestTimeout | elector.NoDeadline | elector.ReadsResetDeadline | elector.ForLife |
		elector.CallbackBeforeWrite
	takingDialects = elector.OwnLeaseDuration | elector.ReleaseIgnored | elector.ForLife | elector.TTLLock |
		elector.ObserveFromSend | elector.CallbackBeforeWrite | wallDialects
	releasingDialects = elector.BlindRelease | elector.ReleaseWithoutRetry | elector.ZeroDurationRelease
	wallDialects      = elector.WallClockExpiry | elector.WallClockObservation | elector.TrustRenewTime
)

// `lines` collects sentences.
type lines []Line

func (l *lines) say(at reason, text string, args ...any) {
	*l = append(*l, Line{Text: fmt.Sprintf(text, args...), Event: at.Place, Why: at.why})
}

// `did` returns a line about what a node did at a record. `text` has one placeholder for the name and one for the
// instant.
func (l *lines) did(at reason, text, name string) { l.say(at, text, name, words.Instant(at.AtNs)) }

// dialect says which rules of its dialect make a node's elector differ from client-go's. The argument "those" selects
// the rules that matter to the caller: a rule about releases, for example, explains nothing about a countdown.
func (l *lines) dialect(w *world.World, i int32, at Place, those elector.Dialect) {
	running, _ := w.Node(i).Settings()
	rules := running.Dialect & those
	if w.Node(i).RunsProgram() {
		rules = 0 // the program brings its own elector
	}
	if names := dialectNames(rules); len(names) > 0 {
		l.say(at.because(byDialect.with(uint64(rules))), "%s does not follow client-go here: its dialect is %s.",
			w.Node(i).Name(), strings.Join(names, ", "))
	}
}

func dialectNames(rules elector.Dialect) []string {
	var names []string
	for _, rule := range elector.Dialects() {
		if rules&rule.Dialect != 0 {
			names = append(names, rule.Name)
		}
	}
	return names
}

// rate says that a node's clock runs too fast or too slow. The text follows the rate, so it begins with a comma or
// ends the sentence. A suspended node has the rate 0, but `rate` says nothing about that, because the pause already
// explains it.
func (l *lines) rate(n world.Node, at reason, text string, args ...any) {
	if _, rate, _ := n.Clock(); rate != 1_000_000 && rate != 0 { // 0 while the node sleeps
		l.say(at, "The clock of %s ran at %s of the true rate"+text,
			append([]any{n.Name(), rateWord(rate)}, args...)...)
	}
}

// pausedWords describe the states of a paused node.
var pausedWords = [...]string{trace.ProcessStopped: "paused", trace.ElectorHangs: "hanging",
	trace.NodeSuspended: "suspended"}

// stillActive says why a node is still active when another one starts leading. Two cases need no further explanation.
// If identities are equal, each candidate mistakes the other's Lease for its own. If locks differ, the two never
// compete. In all other cases the facts come first, and the last sentence says what the node was doing at that
// instant. The last switch checks the latest stage first: a paused node may also have a renewal under way, but it
// does not notice because of the pause.
func (t *Tracker) stillActive(w *world.World, i int32, r *trace.Record) []Line {
	node, winner, c := w.Node(i), w.Node(r.Candidate), &t.watchers[i]
	name, here := node.Name(), Place{AtNs: r.At, Ordinal: -1}
	var said lines
	switch both := elector.ConfigMapsLeases; {
	case node.Identity() == winner.Identity():
		said.say(here.because(byIdentity), "%s and %s have the same holderIdentity: the Lease cannot tell them apart.",
			name, winner.Name())
		return said
	case node.Lock() != winner.Lock() && node.Lock() != both && winner.Lock() != both:
		said.say(here.because(byOtherLock.with(uint64(node.Lock())<<8|uint64(winner.Lock()))),
			"%s holds the %s, and %s holds the %s: neither reads the other's lock.", name, lockWords[node.Lock()],
			winner.Name(), lockWords[winner.Lock()])
		return said
	}
	tail, freed := c.term.last(tails), c.term.last(released)
	// A leader that has released the Lease and waits for the answer depends on the network as much as one that renews.
	asking := c.term.failing() || freed.Ordinal != 0 && tail.Ordinal == 0
	for _, line := range t.background.hindrances(w, i, during{c.term.lastNs(), r.At}, asking) {
		// The current pause gets its own sentence below.
		if !node.Paused() || line.Event.AtNs != c.pausedNs {
			said = append(said, line)
		}
	}
	said = append(said, c.obstacles(w, i, c.term.lastNs(), asking)...)
	if took := c.term.answerNs; took > secondNs && c.term.renewed.Ordinal != 0 && freed.Ordinal == 0 {
		counts := either(w, i, ", and "+name+" counts its renewDeadline from the answer.", ".")
		said.say(c.term.renewed.because(bySlowAnswer), "The answer to its last renewal took %s"+counts,
			words.Seconds(took))
	}
	if tail.Ordinal == 0 {
		said.rate(node, here.because(byLongTimer), ", so its renewDeadline took %s.",
			words.Seconds(node.TimerNs(node.RenewDeadlineNs())))
		said.dialect(w, i, here, keepingDialects)
	}
	if c.stopAsked.Ordinal > 0 {
		said.did(c.stopAsked.because(byStopAsked), "%s was asked to stop at %s.", name)
	}
	switch gave := c.term.last(gaveUp); {
	case node.Paused():
		said.say(Place{AtNs: c.pausedNs, Ordinal: -1}.because(byPause.with(uint64(c.pause))),
			"%s had been %s since %s, so it could not know that its Lease had expired.", name, pausedWords[c.pause],
			words.Instant(c.pausedNs))
	case tail.Ordinal != 0:
		said.did(tail.because(byWork), "%s's context ended at %s, but its work went on.", name)
	case node.RunsProgram():
		c.term.stillWorks(&said, here, name)
	case freed.Ordinal != 0:
		said.did(freed.because(byLateAnswer),
			"%s released the Lease at %s; its context ends only when it hears the answer.", name)
	case gave.Ordinal != 0 && gave.AtNs < r.At:
		said.did(gave.because(byRelease), "%s gave up at %s; its context ends only when its release returns.",
			name)
	case len(t.background.moves(c.term.lastNs(), r.At)) > 0 && c.term.failing():
		said.say(here.because(byDeadline),
			"%s knew that it did not hold the Lease, but client-go stops only when renewDeadline has passed.",
			name)
	case c.term.failing():
		said.did(c.term.trying.because(byTrying), "%s had tried to renew since %s and had not given up yet.", name)
	default:
		said.say(here.because(byIdle), "%s had not noticed yet: it had not asked since.", name)
	}
	return said
}

// stillWorks says what a real program that still works has done since its last renewal. Nobody knows what the program
// intends, or whether it has given up.
func (m *term) stillWorks(said *lines, here Place, name string) {
	switch freed := m.last(released); {
	case freed.Ordinal != 0:
		said.did(freed.because(byWork), "%s released the Lease at %s, but its work went on.", name)
	case m.failing() && m.latest != m.trying:
		said.say(m.trying.because(byTrying),
			"%s asked for the Lease from %s to %s without a renewal. Its work went on.", name,
			words.Instant(m.trying.AtNs), words.Instant(m.latest.AtNs))
	case m.failing():
		said.did(m.trying.because(byTrying), "%s asked for the Lease at %s without a renewal. Its work went on.", name)
	default:
		said.say(here.because(byIdle), "%s had not asked for the Lease since. Its work went on.", name)
	}
}

// `ending` says how the previous leader stopped, and whether its release got lost. A crash, a stop or a removal needs
// no further explanation. Otherwise a client-go leader gives up for only one reason: it could not renew in time. Then
// `ending` adds the facts about its clock, its dialect and a preferredHolder.
func (x *change) ending() {
	b, leaders := &x.builder, &x.t.leaders
	last, end := leaders.lastName, &leaders.end
	c, node := &x.t.watchers[leaders.last], b.w.Node(leaders.last)
	said := lines(b.e.Story)
	said = append(said, end.why...)
	if c.stopAsked.Ordinal > 0 {
		said.did(c.stopAsked.because(byStopAsked), "%s was asked to stop at %s.", last)
	}
	gave := end.how == trace.LeadingDone && c.stopAsked.Ordinal == 0
	switch {
	case gave && end.failing:
		said.rate(b.w.Node(leaders.last), end.at.because(byRate), ".")
		said.dialect(b.w, leaders.last, end.at, keepingDialects|elector.StopAtOtherHolder)
		if c.handOver.Ordinal != 0 {
			said.say(end.at.because(byHandOver), "%s stopped renewing and gave up when renewDeadline had passed.",
				last)
			break
		}
		if node.RunsProgram() {
			said.say(end.at.because(byNoRenewal), "%s had not renewed the Lease since %s.", last,
				words.Instant(end.fromNs))
			break
		}
		said.say(end.at.because(byNoRenewal),
			ofLock(b.w, b.who, "%s could not renew and gave up when renewDeadline had passed."), last)
	case gave:
		said.dialect(b.w, leaders.last, end.at, keepingDialects|elector.StopAtOtherHolder)
	}
	how, detail := endWord[end.how], uint64(end.how)
	if end.killed {
		how, detail = "was killed (SIGKILL) after its grace period", killed
	}
	said.say(end.at.because(byEnd.with(detail)), "%s %s at %s.", last, how, words.Instant(end.at.AtNs))
	running, _ := node.Settings()
	if end.how == trace.LeadingDone && running.ReleaseOnCancel && !node.RunsProgram() &&
		x.c.lock.taken.before.HolderIdentity == node.Identity() {
		said.say(end.at.because(byLostRelease), "%s",
			ofLock(b.w, b.who, "Its release never arrived: the Lease still named it."))
		said.dialect(b.w, leaders.last, end.at, releasingDialects)
	}
	b.e.Story = said
}

// tellFreeing says what has freed or changed the Lease since the previous leader last renewed. A release belongs to
// the story only if the new leader found the Lease empty. If another candidate took and released the Lease in
// between, the release belongs to that candidate's story.
func (x *change) tellFreeing() {
	b, t := &x.builder, x.t
	sinceNs := t.leaders.end.fromNs
	if last := t.leaders.last; t.leaders.active > 0 {
		sinceNs = t.watchers[last].term.lastNs()
	}
	b.e.Story = append(b.e.Story, t.background.moves(sinceNs, x.leads.At)...)
	gone := &t.objects.released
	if before := &x.c.lock.taken.before; before.HolderIdentity != 0 || x.c.lock.taken.created || gone.at.Ordinal == 0 ||
		gone.at.AtNs < sinceNs {
		return
	}
	by := b.w.Node(gone.by).Name()
	switch {
	case gone.own && b.w.Node(gone.by).Active() && t.watchers[gone.by].term.last(tails).Ordinal == 0: // already told
	case gone.own:
		b.line(gone.at.because(byFreed), "%s released the Lease at %s.", by, words.Instant(gone.at.AtNs))
	default:
		b.line(gone.at.because(byForeignFreed), "%s released the Lease at %s, although the Lease named %s by then.", by,
			words.Instant(gone.at.AtNs), b.w.DisplayName(gone.held))
	}
}

// `late` says what kept the new leader from the free Lease, and which rules of its dialect decided when it acquired. It
// mentions trouble on the way to the API server only if slow is true. A winner whose attempt took 40 ms did not
// suffer from a cut that ended a minute ago.
func (x *change) late(freeNs int64) {
	b, attempt := &x.builder, &x.c.attempt
	said := lines(b.e.Story)
	slow := b.e.Failed > 0 || x.leads.At-attempt.fromNs > secondNs || attempt.held.Ordinal != 0 &&
		attempt.held.AtNs >= freeNs
	said = append(said, x.t.background.hindrances(b.w, b.who, during{freeNs, x.leads.At}, slow)...)
	said = append(said, x.c.crowded.lines(b.w, b.who, freeNs, slow)...)
	if b.e.CountedNs > 0 {
		said.rate(b.w.Node(b.who), x.c.lock.taken.seen.because(byRate), ".")
	}
	if x.t.leaders.last >= 0 {
		said.dialect(b.w, b.who, x.c.attempt.got, takingDialects)
	}
	b.e.Story = said
}

const secondNs = 1_000_000_000

// joinOverlap begins an overlap, or records that another candidate joins it. The story of two active candidates is
// the new leader's explanation, which Follow uses. A third candidate joins the same overlap, since it does not begin
// a new violation.
func (t *Tracker) joinOverlap(w *world.World, r *trace.Record, at Place) {
	o := &t.leaders.overlap
	switch n := len(t.leaders.who); {
	case n == 2:
		*o = overlap{cursorNs: r.At}
	case n > 2:
		said := lines(append(o.lines[:len(o.lines):len(o.lines)], t.Explanations[len(t.Explanations)-1].Story...))
		said.say(at.because(NoCause), "%s started leading at %s: now %s were active.", w.Node(r.Candidate).Name(),
			words.Instant(r.At),
			t.leaders.names(w))
		o.lines = said
	}
}

// leaveOverlap records that a candidate stops being active while others still are. The parts follow one leader at a
// time: first what one leader did until it stopped, then what the next leader did after that. So the parts leave no
// hole, however many leaders overlap. leaveOverlap limits the capacity of each slice before it appends, because a
// clone may share the array.
func (t *Tracker) leaveOverlap(w *world.World, who int32, nowNs int64, at Place) {
	o := &t.leaders.overlap
	o.parts = append(o.parts[:len(o.parts):len(o.parts)],
		t.watchers[who].term.parts(w.Node(who).Name(), o.cursorNs, nowNs)...)
	o.cursorNs = nowNs
	if len(t.leaders.who) > 1 {
		said := lines(o.lines[:len(o.lines):len(o.lines)])
		said.say(at.because(NoCause), "%s stopped being active at %s, but %s still were.", w.Node(who).Name(),
			words.Instant(nowNs),
			t.leaders.names(w))
		o.lines = said
	}
}

// `names` returns the active candidates as "a, b and c".
func (l *leaders) names(w *world.World) string {
	text := ""
	for k, i := range l.who {
		switch {
		case k == 0:
		case k == len(l.who)-1:
			text += " and "
		default:
			text += ", "
		}
		text += w.Node(i).Name()
	}
	return text
}
