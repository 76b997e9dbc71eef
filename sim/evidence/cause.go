package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
)

// The causes of a leader change, under the names that reports and files use. cause.go looks at the end of each term
// and asks what the old leader did after its last renewal. The best evidence comes from the leader itself, such as a
// failed request or a late read. Next comes a pattern in requests without a known candidate. Silence comes last.
const (
	causeCrash     = "crash"
	causePause     = "pause"
	causePartition = "partition"
	causeRelease   = "release"
	causeSlow      = "slow"
	causeEarly     = "early"
	causeDeleted   = "deleted"
	causeEdited    = "edited"
	causeServer    = "control plane"
)

// finding is a sentence, the instant that the sentence describes, and the lines that prove it.
type finding struct {
	says   string
	ns     int64
	places []Place
}

// change is a leader change with all inferences about it. If the evidence does not show a field's value, the field
// stays 0 or empty, and the report leaves out what depends on it.
type change struct {
	term          int   // the new leader's term
	old, next     *term // the two leaders' terms; nil for the first change
	from          string
	cause         string
	alternatives  []string // causes that the evidence cannot tell from cause
	confidence    float64
	findings      []finding
	endNs         int64 // the last instant at which the evidence shows the old leader leading
	overlapNs     int64 // at most
	overlapLeast  int64 // at least, in nanoseconds
	overlapWith   string
	overlapOpen   bool  // the new leader may have begun earlier
	overlapFromNs int64 // 0 means the new leader's start
	overlapBasis  string
	overlapPlaces []Place
	deadlineNs    int64 // how long the old leader tried to renew; 0 if unknown
	resumedNs     int64 // 0 if not seen
	healedNs      int64 // when the API server answered again, at the earliest; 0 if it did not fail
}

// caseOf collects everything known about a Lease. The method judge works on one change at a time and never looks at
// another Lease: two Leases of one candidate are two cases.
type caseOf struct {
	*LeaseReport
	m        *material
	joined   *joinedWrites
	skewed   bool // the clocks of the logs contradict each other
	speakers []*speaker

	linesOf    map[string][]int32 // indexes of lines, by node
	attemptsOf map[string][]int32 // indexes of attempts, by candidate
	termsOf    map[string][]int32 // indexes of terms, by holder
}

// `index` records where each candidate appears in the evidence, so that judge reads only what is near a change.
func (c *caseOf) index() {
	c.linesOf = indexBy(len(c.lines), func(i int) string { return c.lines[i].node })
	c.attemptsOf = indexBy(len(c.attempts), func(i int) string { return c.attempts[i].holder })
	c.termsOf = indexBy(len(c.terms), func(i int) string { return c.terms[i].holder })
}

// deadlineNs is the renewDeadline, which no file shows: client-go's default is two thirds of leaseDuration.
func (c *caseOf) deadlineNs() int64 { return c.leaseNs * 2 / 3 }

// clockOf returns what to add to a time that a candidate wrote.
func (c *caseOf) clockOf(holder string) int64 { return c.joined.clocks[holder].ns }

// `from` takes sorted elements and leaves out the ones before an instant.
func from[T any](all []T, ns int64, at func(one *T) int64) []T {
	return all[sort.Search(len(all), func(i int) bool { return at(&all[i]) >= ns }):]
}

// within takes sorted elements and keeps the ones from an instant to another one.
func within[T any](all []T, fromNs, toNs int64, at func(one *T) int64) []T {
	all = from(all, fromNs, at)
	return all[:len(all)-len(from(all, toNs+1, at))]
}

// linesFrom returns the lines of a candidate's log from an instant on.
func (c *caseOf) linesFrom(node string, ns int64) []int32 {
	return from(c.linesOf[node], ns, func(i *int32) int64 { return c.lines[*i].ns })
}

func (l *logLine) atNs() int64 { return l.ns }
func (g *get) atNs() int64     { return g.ns }

// `bounds` finds the first and the last instant of everything that concerns the Lease.
func (c *caseOf) bounds() {
	see := func(ns int64) {
		if c.fromNs == 0 || ns < c.fromNs {
			c.fromNs = ns
		}
		c.toNs = max(c.toNs, ns)
	}
	for i := range c.writes {
		see(c.writes[i].ns)
	}
	for i := range c.lines {
		see(c.lines[i].ns)
	}
	for i := range c.gets {
		see(c.gets[i].ns)
	}
}

// `clock` formats an instant the way stories show it: the time of day in UTC, to the millisecond.
func clock(ns int64) string { return time.Unix(0, ns).UTC().Format("15:04:05.000") }

// judgeAll builds a change for each term that follows another one, and for the first term if the evidence shows its
// start. Two consecutive terms of one holder count as one, unless the holder released the Lease in between.
func (c *caseOf) judgeAll() {
	for i := range c.terms {
		t := &c.terms[i]
		if i == 0 {
			if t.knownStart {
				c.changes = append(c.changes, change{term: i})
			}
			c.sayBefore(t)
			continue
		}
		if c.terms[i-1].holder == t.holder && c.terms[i-1].releasedNs == 0 && !t.again {
			continue
		}
		g := change{term: i, from: c.terms[i-1].holder, old: &c.terms[i-1], next: t}
		if c.judge(&g); c.skewed {
			g.confidence = min(g.confidence, 0.5)
		}
		c.changes = append(c.changes, g)
	}
}

// sayBefore tells of a leader change right before the files about the Lease begin: leaseTransitions counts it.
func (c *caseOf) sayBefore(t *term) {
	if t.fromLogs || len(c.writes) == 0 || c.writes[0].holder != t.holder || c.writes[0].acquireNs == 0 {
		return
	}
	w := &c.writes[0]
	acquiredNs := w.acquireNs + c.clockOf(w.holder)
	if w.transitions == 0 || w.by.kind == Trace || w.ns-acquiredNs > freshNs {
		return
	}
	c.joined.says = append(c.joined.says, finding{ns: acquiredNs, places: w.places, says: sentence("acquiredBefore",
		"who", w.holder, "at", clock(acquiredNs), "transitions", fmt.Sprint(w.transitions))})
}

// `traces` contains the records that show activity of the old leader after its last renewal. It stops where that
// leader's next term begins, because anything later belongs to another story.
type traces struct {
	hasLog     bool
	failures   []*logLine
	slowRead   *logLine
	told       *logLine // line of a trace that says what happened to the leader
	heldBefore *logLine // before it gave up, the leader read that another candidate holds the Lease
	missing    *logLine // the leader found no Lease
	restarted  *logLine // the first line of the leader's next process
	late       *attempt // a write that arrived late
	fresh      *attempt // a renewal after the new leader's start
	chain      []get
	seenNs     int64 // the last attempt of the old leader to renew, after the new leader's start; 0 if not seen
	stretched  int64 // the longest of the old leader's last renewal intervals, if far longer than usual
}

// timedOutOnly reports whether requests failed and every failure was a timeout. If all failures are timeouts, the log
// cannot tell a network cut that drops packets from a slow server. An error such as "connection refused" would tell
// them apart.
func (s *traces) timedOutOnly() bool {
	failedAtOnce := func(l *logLine) bool { return !timedOut(l.failure) }
	return len(s.failures) > 0 && !slices.ContainsFunc(s.failures, failedAtOnce)
}

// timedOut reports whether an error says that a client waited for an answer until its timeout.
func timedOut(failure string) bool {
	return (strings.Contains(failure, "deadline exceeded") || strings.Contains(failure, "Client.Timeout")) &&
		!strings.Contains(failure, "previous attempt")
}

// tracesOf collects what shows activity of the old leader up to untilNs. A conflict (409) is not a failure: the
// request arrived, and the server answered it. After the first line of a new process, nothing says how the old one
// ended.
func (c *caseOf) tracesOf(old, next *term, untilNs int64) (s traces) {
	s.hasLog = len(c.linesOf[old.holder]) > 0
	readNs, uneven := int64(0), 0
	for _, i := range c.linesFrom(old.holder, old.lastNs-c.retryNs) {
		l := &c.lines[i]
		if l.ns > max(untilNs, next.fromNs) {
			break
		}
		if l.says == saidFault && l.ns >= old.lastNs-c.retryNs && l.ns <= next.fromNs {
			s.told = l
		}
		if l.ns < old.lastNs || l.ns > untilNs || old.lostNs != 0 && l.ns > old.lostNs {
			continue
		}
		switch {
		case l.ns > old.lastNs && (l.begins || l.follows || l.says == saidAttempt):
			s.restarted, untilNs = cmp.Or(s.restarted, l), l.ns
		case l.missing(), l.replaced():
			s.missing = cmp.Or(s.missing, l)
		case l.failed():
			s.failures = append(s.failures, l)
			if strings.Contains(l.failure, "reading body") {
				s.slowRead = l
			}
		case l.says == saidHeld && l.holder != old.holder && s.heldBefore == nil:
			s.heldBefore, readNs = l, l.ns
		case l.says == saidHeld && s.heldBefore != nil && old.lostNs == 0:
			// A leader reads every retryPeriod, and gives up after its renewDeadline. A follower's waits are random.
			if d := (l.ns - readNs) % c.retryNs; min(d, c.retryNs-d) > c.retryNs/8 {
				uneven++
			}
			if readNs = l.ns; uneven > 1 || l.ns-s.heldBefore.ns > c.deadlineNs()+c.retryNs+fitNs {
				s.restarted, untilNs, s.heldBefore = s.heldBefore, s.heldBefore.ns, nil
			}
		}
	}
	for _, i := range from(c.attemptsOf[old.holder], old.lastNs, func(i *int32) int64 { return c.attempts[*i].atNs }) {
		a := &c.attempts[i]
		if a.atNs > untilNs {
			break
		}
		switch {
		case a.renewNs != 0 && a.atNs-a.renewNs-c.clockOf(a.holder) > c.retryNs+lateNs:
			s.late = cmp.Or(s.late, a)
		case a.atNs > next.fromNs && (a.acquireNs == 0 || a.acquireNs != a.renewNs):
			// A client that acquires the Lease sets both times. A leader that renews keeps acquireTime.
			s.fresh, s.seenNs = cmp.Or(s.fresh, a), a.atNs
		}
	}
	if s.chain = c.chainOf(old, next.fromNs-fitNs, min(untilNs, next.fromNs+waitAfterLossNs)); s.chain != nil {
		s.seenNs = max(s.seenNs, s.chain[len(s.chain)-2].ns) // the last one may be a follower's, by chance
	}
	r := old.renewals
	for k := max(1, len(r)-3); k < len(r); k++ {
		if d := r[k] - r[k-1]; !old.cut(k) && d > c.retryNs*2 && d > c.retryNs+stretchedNs {
			s.stretched = max(s.stretched, d)
		}
	}
	return s
}

// failed reports whether a line tells of a failed request. A conflict is an answer, and a request that the candidate's
// own rate limiter held back never left.
func (l *logLine) failed() bool {
	return l.says == saidFailed && !l.missing() && !l.replaced() && !strings.Contains(l.failure, "has been modified") &&
		!strings.Contains(l.failure, "rate limiter")
}

// missing reports whether a line says that the Lease does not exist.
func (l *logLine) missing() bool {
	return l.says == saidFailed && strings.HasSuffix(l.failure, "not found")
}

// replaced reports whether a line says that the Lease has another UID: a client deleted it, and an elector created it
// again.
func (l *logLine) replaced() bool {
	return l.says == saidFailed && strings.Contains(l.failure, "UID in precondition")
}

// chainOf finds the reads of an old leader that tries to renew: reads one retryPeriod apart. A leader
// gives up after a renewDeadline; a chance read of a follower may make the chain longer.
func (c *caseOf) chainOf(old *term, fromNs, toNs int64) []get {
	var reads []get
	for _, g := range within(c.gets, fromNs, toNs, (*get).atNs) {
		if g.by == "" && g.exact || g.by == old.holder {
			reads = append(reads, g)
		}
	}
	chain := even(reads, c.retryNs, fromNs, toNs)
	if len(chain) > 0 && chain[len(chain)-1].ns-chain[0].ns > 2*c.deadlineNs() {
		return nil // a script that polls
	}
	return chain
}

// judge finds why a term ended, and how long the old leader went on. The Lease alone shows some endings: a client
// deleted or edited the Lease, the holder released it, or another candidate took it early. For any other ending,
// `judge` looks at the old leader's traces.
func (c *caseOf) judge(g *change) {
	old, next, until := g.old, g.next, c.toNs
	again := c.termsOf[old.holder]
	if k, _ := slices.BinarySearch(again, int32(g.term+1)); k < len(again) {
		until = c.terms[again[k]].fromNs
	}
	g.endNs = old.lastNs
	if old.stopNs != 0 && old.stopNs < next.fromNs {
		g.endNs = old.stopNs
	}
	s := c.tracesOf(old, next, until)
	if !c.nameEnding(g) {
		switch {
		case next.unseen: // the gap may hide renewals
		case next.lacks:
			name, readAt := "lacks", ""
			if read := c.readOf(next.replaces); read != nil && read.holder == "" {
				name, readAt = "lacksButRead", clock(read.ns)
			}
			g.tell(name, next.fromNs, slices.Concat(old.lastPlaces, next.places), "read", readAt)
		case !old.fromLogs:
			g.tell("lastRenewed", old.lastNs, old.lastPlaces, "gap", secondsText(next.fromNs-old.lastNs))
		default:
			// Only a read shows some holders: the acquisition came before it.
			g.tell("acquired", old.fromNs, old.places,
				"did", map[bool]string{false: "acquired", true: "held"}[old.readOnly],
				"since", map[bool]string{false: "since", true: "at least since"}[next.readOnly])
		}
		c.nameCause(g, &s)
	}
	if old.lostNs != 0 {
		g.tell("loggedLoss", old.lostNs, old.lostPlaces)
	}
	if old.tried != "" {
		g.tell("triedRelease", old.stopNs, old.stopPlaces[len(old.stopPlaces)-1:], "error", quoted(old.tried))
	}
	c.overlap(g, &s)
}

// nameEnding names the cause if the Lease itself shows it.
func (c *caseOf) nameEnding(g *change) bool {
	old, next := g.old, g.next
	early := old.lastNs + c.leaseNs - next.fromNs
	switch {
	case old.ended == deleted && old.endedBy == nil:
		g.tell("deletedUnseen", next.fromNs, old.endPlaces)
	case old.ended == deleted && old.endedBy.timed():
		g.tell("deleted", old.releasedNs, old.endPlaces, "by", old.endedBy.by.name())
	case old.ended == deleted:
		g.tell("deletedAfter", old.releasedNs, old.endPlaces, "by", old.endedBy.by.name())
	case old.ended == edited:
		g.tell("emptied", old.releasedNs, old.endPlaces, "by", old.endedBy.by.name(), "when", old.endedBy.when())
	case old.ended == released:
		g.endNs = old.releasedNs
		g.tell("released", old.releasedNs, old.endPlaces)
	case next.edit != nil:
		g.tell("replaced", next.fromNs, next.places, "by", next.edit.by.name(), "when", next.edit.when())
	case next.unseen:
		g.tell("gap", next.fromNs, next.places, "first", clock(next.renewals[0]))
		if old.lostNs != 0 {
			return false // its log knows more
		}
		g.conclude("gapAlone")
	case !old.fromLogs && early > earlyNs && !next.again && !next.lacks:
		g.tell("early", next.fromNs, next.places, "early", secondsText(early))
	default:
		return false
	}
	return true
}

// readOf returns the first read that shows a version of the Lease, or nil.
func (c *caseOf) readOf(version int64) *get {
	k := slices.IndexFunc(c.gets, func(g get) bool { return g.version == version })
	if k < 0 || version == 0 {
		return nil
	}
	return &c.gets[k]
}

// name returns the program of a sender, for a sentence.
func (s *sender) name() string {
	program, _, _ := strings.Cut(cmp.Or(s.agent, s.manager, "A client"), " ")
	return program
}

// when says when a write happened, as exactly as its file shows: managedFields has whole seconds.
func (w *write) when() string {
	switch {
	case w.timed():
		return "at " + clock(w.ns)
	case w.ns == w.secondNs:
		return "at " + time.Unix(0, w.ns).UTC().Format(time.TimeOnly)
	}
	return "after " + clock(w.ns) // the write before
}

// quoted returns an error text as a log has it, in quotes. It shortens a long one.
func quoted(text string) string {
	const most = 200
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}

// nameCause names the cause from the traces of the old leader. It tries the most trustworthy evidence first: what a
// trace or an error text of the API server says, then the failures of the old leader's requests, then a read or a
// write of that leader after the takeover, then a pattern in the requests of unknown clients, then silence. The
// confidence of each conclusion is in sentences.txt.
func (c *caseOf) nameCause(g *change, s *traces) {
	old, next := g.old, g.next
	if n := c.skipped(s.stretched); n > 1 {
		g.tell("skipped", old.lastNs, old.lastPlaces, "apart", secondsText(s.stretched), "times", fmt.Sprint(n))
		s.stretched = 0
	} else if s.stretched > 0 {
		g.tell("stretched", old.lastNs, old.lastPlaces, "apart", secondsText(s.stretched), "usual",
			secondsText(c.retryNs))
	}
	t := c.troubleOf(old, next)
	t.say(g)
	failed := len(s.failures) > 0 && s.heldBefore == nil
	silence := func(name string) {
		g.tell("silence", t.silentFromNs, old.lastPlaces, "until", clock(t.silentFromNs+t.silentNs), "silent",
			secondsText(t.silentNs))
		g.conclude(name)
	}
	switch {
	case s.told != nil:
		g.tell("told", s.told.ns, []Place{s.told.place}, "failure", s.told.failure)
		g.conclude(s.told.failure)
	case s.missing != nil:
		g.tell("missing", s.missing.ns, []Place{s.missing.place},
			"found", map[bool]string{false: "no Lease", true: "a new Lease"}[s.missing.replaced()])
	case t.server:
		g.conclude("server")
	case t.together:
		g.tell("together", t.firstNs, t.places)
	case t.silentNs > 0 && failed:
		silence("silenceAndFailures")
	case s.slowRead != nil:
		g.tell("slowRead", s.slowRead.ns, []Place{s.slowRead.place})
	case failed && s.stretched > 0 && !c.failedElsewhere(old, next):
		g.conclude("failuresAfterLateRenewals")
	case old.fromLogs && s.timedOutOnly() && failed:
		g.tell(map[bool]string{false: "timeouts", true: "timeoutsAlone"}[t.alone], s.failures[0].ns,
			[]Place{s.failures[0].place})
	case t.alone && failed:
		g.tell("failuresAlone", s.failures[0].ns, []Place{s.failures[0].place})
	case failed || len(s.failures) > 0 && s.failures[0].ns < s.heldBefore.ns:
		g.conclude(map[bool]string{false: "failures", true: "failuresElsewhere"}[c.failedElsewhere(old, next)])
	case s.late != nil:
		g.conclude("late")
	case s.heldBefore != nil:
		g.resumedNs = s.heldBefore.ns
		g.tell(c.nameRead(g, s.heldBefore), s.heldBefore.ns, []Place{s.heldBefore.place}, "holder", s.heldBefore.holder)
	case s.fresh != nil:
		g.resumedNs = s.fresh.atNs
		g.tell(map[bool]string{false: "fresh", true: "freshOrEdited"}[next.lacks], s.fresh.atNs,
			[]Place{s.fresh.place})
	case len(s.chain) > 0:
		g.resumedNs = s.chain[0].ns
		g.tell("chain", s.chain[0].ns, elements.Of(s.chain, func(q get) Place { return q.place }),
			"reads", fmt.Sprint(len(s.chain)))
	case t.silentNs > 0 && !next.lacks:
		silence("silenceAlone")
	case s.stretched > 0 && !next.lacks:
		g.conclude("stretchedAlone")
	default:
		if c.silent(g, s); t.holeNs > 0 && g.confidence > 0.5 {
			g.tell("hole", t.silentFromNs, old.lastPlaces, "hole", secondsText(t.holeNs))
			g.confidence, g.alternatives = 0.5, []string{causeRelease}
		}
	}
	if g.cause == causeServer {
		g.healedNs = max(t.lastNs, t.silentFromNs+t.silentNs)
	}
	if s.late != nil {
		g.tell("lateWrite", s.late.atNs, []Place{s.late.place},
			"sent", clock(s.late.renewNs+c.clockOf(old.holder)))
	}
}

// nameRead names the conclusion from a read that shows the old leader another holder, with no failed request before it.
func (c *caseOf) nameRead(g *change, read *logLine) string {
	loose := g.old.fromLogs || g.next.unseen || g.next.lacks // the files do not show when the Lease changed hands
	switch {
	case loose && read.ns-g.next.fromNs < c.retryNs+fitNs/2:
		return "heldOrEdited"
	case loose:
		return "heldInLogs"
	case g.old.lostNs == 0:
		return "heldNoLoss"
	}
	return "held"
}

// `silent` names the cause if the evidence shows nothing of the old leader after its last renewal. What silence means
// depends on which files exist:
//
//	its log goes on, and shows that it stopped late      pause: it slept past the takeover
//	its log goes on, and shows that it stopped in time   partition: it gave up after renewDeadline
//	its log ends                                        crash
//	its next process begins                             see restart
//	an audit log without its requests, no log           crash, pause or partition
//	writes alone                                        the same
//	a file that lacks the write before the takeover     release before the Lease could expire, else as above
//
// With logs alone, a takeover before leaseDuration has passed means a release, since logs do not always mention
// releases. An elector whose connections fail sends no request, and neither does one that wakes after its
// renewDeadline: it gives up.
func (c *caseOf) silent(g *change, s *traces) {
	old, next := g.old, g.next
	switch {
	case next.lacks && old.stopNs == 0 && next.fromNs < old.lastNs+c.leaseNs-earlyNs:
		g.conclude("lacksEarly")
	case next.lacks && old.stopNs == 0:
		g.conclude("lacksLate")
	case old.stopNs > next.fromNs:
		g.conclude("stoppedLate")
	case old.stopNs != 0:
		g.conclude("stoppedInTime")
	case old.fromLogs && s.hasLog && !old.readOnly && !next.readOnly &&
		next.fromNs-old.fromNs < c.leaseNs-releasedEarlyNs:
		g.tell("acquiredEarly", next.fromNs, next.places, "gap", secondsText(next.fromNs-old.fromNs),
			"lease", time.Duration(c.leaseNs).String())
	case old.fromLogs && s.hasLog:
		g.tell("logEnds", old.lastNs, old.lastPlaces)
	case s.restarted != nil:
		c.restart(g, s.restarted)
	case s.hasLog:
		g.tell("logSilent", old.lastNs, old.lastPlaces)
	case len(c.gets) > 0:
		g.tell("noRequest", old.lastNs, old.lastPlaces)
	default:
		g.tell("writesAlone", old.lastNs, old.lastPlaces)
	}
}

// restart names the cause if the old leader logs nothing until an elector of its log begins again. A leader that cannot
// renew works for a renewDeadline. So an end before that is a crash. Later, the log may lack the line about a loss.
func (c *caseOf) restart(g *change, first *logLine) {
	lines := c.linesOf[g.old.holder]
	before, now := "", c.speakers[first.speaker].process
	if k := len(lines) - len(c.linesFrom(g.old.holder, g.old.lastNs+1)); k > 0 {
		before = c.speakers[c.lines[lines[k-1]].speaker].process
	}
	name := "nextProcess"
	switch {
	case before == now && len(now) > 1: // in a container, each process has the number 1
		name = "sameProcess"
	case before != "" && now != "" && before != now && first.ns < g.old.lastNs+c.deadlineNs():
		name = "nextProcessSoon"
	}
	g.tell(name, first.ns, []Place{first.place})
}

// overlap infers how long the old leader still believed that it led, for every cause. The best sources come first:
//
//	a trace          it started leading again
//	its own log      it stopped, or its release failed
//	its requests     it still tried to renew; it may have gone on for a renewDeadline
//	the Lease        a client took the Lease away: the old leader goes on until its renewDeadline at the latest
//
// A leader waits for a retryPeriod after its last renewal, and then tries for a renewDeadline. A leader that slept
// through that time starts a new try when it wakes. A holder that an edit names leads only if it renews.
func (c *caseOf) overlap(g *change, s *traces) {
	old, next, deadline := g.old, g.next, c.deadlineNs()
	if old.lostNs != 0 && len(s.failures) > 0 && s.late != nil {
		g.deadlineNs = old.lostNs - s.late.renewNs - c.clockOf(old.holder)
	} else if old.lostNs != 0 && g.resumedNs != 0 && g.resumedNs > old.lastNs+deadline {
		g.deadlineNs = old.lostNs - g.resumedNs
	} else if old.lostNs != 0 && (g.cause == causeEdited || g.cause == causeDeleted || g.cause == causeServer) {
		g.deadlineNs = old.lostNs - old.lastNs - c.retryNs
	}
	if old.edit != nil && len(old.renewals) == 1 && g.term > 1 {
		old = &c.terms[g.term-2]
		g.old = old
	}
	if g.overlapWith = old.holder; old.holder == next.holder || next.edit != nil && len(next.renewals) == 1 {
		return
	}
	begun, ended := c.startsAgain(old, g.term)
	switch {
	case begun != nil && old.stopNs < begun.ns:
		g.overlapFromNs, g.overlapNs = begun.ns, c.toNs-begun.ns
		g.overlapPlaces = []Place{begun.place}
		g.overlapBasis = sentence("leadsAgain", "old", old.holder, "new", next.holder)
		if ended != nil {
			g.overlapNs, g.overlapLeast = ended.ns-begun.ns, ended.ns-begun.ns
			g.overlapBasis = sentence("leadsAgainUntil", "old", old.holder, "new", next.holder, "until",
				clock(ended.ns))
			g.overlapPlaces = append(g.overlapPlaces, ended.place)
		}
	case old.stopNs != 0 && c.stopped(g):
	case old.ended == released:
	case g.resumedNs > 0 || s.seenNs > next.fromNs:
		from := max(g.resumedNs, old.lastNs+c.retryNs)
		g.overlapNs = from + deadline - next.fromNs
		g.overlapLeast = max(0, min(s.seenNs-next.fromNs, g.overlapNs-c.retryNs/2))
		g.overlapPlaces = next.places
		g.overlapBasis = sentence("triedUntilDeadline", "old", old.holder, "from", clock(from), "deadline",
			time.Duration(deadline).String())
	case old.ended == deleted || old.ended == edited || next.edit != nil || g.cause == causeEarly:
		g.overlapNs = old.lastNs + c.retryNs + deadline - next.fromNs
		g.overlapPlaces = slices.Concat(old.lastPlaces, next.places)
		g.overlapBasis = sentence("renewedUntilDeadline", "old", old.holder, "last", clock(old.lastNs), "until",
			clock(next.fromNs+g.overlapNs))
	}
	g.overlapNs = max(0, g.overlapNs)
}

// startsAgain finds where the old leader starts working again without the Lease. Only a trace can show that: in a
// log, an acquisition begins a new term.
func (c *caseOf) startsAgain(old *term, next int) (begun, ended *logLine) {
	until := c.toNs
	if next+1 < len(c.terms) {
		until = c.terms[next+1].fromNs
	}
	for _, i := range c.linesFrom(old.holder, c.terms[next].fromNs) {
		l := &c.lines[i]
		switch {
		case begun == nil && l.ns >= until:
			return nil, nil
		case l.says == saidAcquired && l.traced && begun == nil:
			begun = l
		case l.says == saidLost && begun != nil:
			return begun, l
		}
	}
	return begun, nil
}

// `limits` lists what these files cannot show, so that a reader does not take a missing line as proof that nothing
// happened.
func (c *caseOf) limits() (all []string) {
	limit := func(name string, values ...string) { all = append(all, sentence(name, values...)) }
	kinds := map[Kind]bool{}
	for _, w := range c.m.writes.all() {
		kinds[w.by.kind] = true
	}
	if len(c.Overlaps) > 0 {
		limit("noWork")
	}
	switch {
	case c.m.metadata > 0 && !kinds[Audit]:
		limit("metadata", "writes", fmt.Sprint(c.m.metadata))
	case !kinds[Audit] && !kinds[Trace] && c.m.gets.len() == 0:
		limit("noAudit")
	}
	if len(c.lines) == 0 {
		limit("noLogs")
	}
	if len(c.writes) > 0 && !slices.ContainsFunc(c.writes, func(w write) bool { return w.timed() || w.secondNs != 0 }) {
		limit("copies")
	}
	if len(c.writes) == 0 {
		limit("noWrites")
	}
	var lacking []int64
	for i := range c.writes {
		if c.writes[i].lacks {
			lacking = append(lacking, c.writes[i].ns)
		}
	}
	if len(lacking) > 0 {
		limit("missingWrites", "first", clock(lacking[0]), "writes", fmt.Sprint(len(lacking)))
	}
	if len(c.terms) <= 1 && len(c.writes) <= 1 && len(c.lines) == 0 {
		limit("oneState")
	}
	if c.Unattributed > 0 {
		limit("unattributed", "requests", fmt.Sprint(c.Unattributed))
	}
	return all
}

// lastLoss tells how the last leader lost the Lease if the files show no leader after it: the log of a victim alone
// says that it lost, when, and by which error.
func (c *caseOf) lastLoss() (g change, lost bool) {
	if len(c.terms) == 0 || c.terms[len(c.terms)-1].lostNs == 0 {
		return g, false
	}
	old := &c.terms[len(c.terms)-1]
	next := &term{fromNs: max(old.lostNs, old.stopNs) + 1, unseen: true}
	s := c.tracesOf(old, next, next.fromNs)
	g = change{term: len(c.terms), from: old.holder, old: old, next: next, endNs: old.stopNs}
	c.nameCause(&g, &s)
	g.tell("loggedLossAtEnd", old.lostNs, old.lostPlaces)
	return g, true
}

// auditGap reports whether the audit log lacks the requests of a time in which the holder did not change, although a
// leader that could not renew for so long would have stopped, and followers would have read.
func (c *caseOf) auditGap(fromNs, toNs int64) bool {
	before, after := c.writeAt(fromNs), c.writeAt(toNs)
	if len(c.gets) < silentReaders || before == nil || after == nil || before.by.kind != Audit ||
		before.acquireNs != after.acquireNs || before.transitions != after.transitions {
		return false
	}
	t := trouble{}
	for _, g := range within(c.gets, fromNs+1, toNs-1, (*get).atNs) {
		t.silence(fromNs, g.ns)
		fromNs = g.ns
	}
	t.silence(fromNs, toNs)
	return t.silentNs > c.retryNs+c.deadlineNs()
}

// sayGap tells of a gap, and reports whether the versions show that no write is missing: then the API server did not
// answer.
func (c *caseOf) sayGap(fromNs, toNs int64) (says string, whole bool) {
	before, after := c.writeAt(fromNs), c.writeAt(toNs)
	name := "auditGap"
	if whole = before.resourceVersion > 0 && after.replaces == before.resourceVersion; whole {
		name = "serverGap"
	}
	return sentence(name, "from", clock(fromNs), "until", clock(toNs), "gap", secondsText(toNs-fromNs), "who",
		after.holder), whole
}

// skipped returns how many times the usual interval a longer one is, if it is a whole number of times: then a line is
// probably missing. A slow answer would hardly last for exactly that long.
func (c *caseOf) skipped(ns int64) int64 {
	usual := int64(c.Renewals.P50Seconds * 1e9)
	if usual == 0 {
		return 0
	}
	n := (ns + usual/2) / usual
	if off := ns - n*usual; n < 2 || max(off, -off) > usual/20 {
		return 0
	}
	return n
}
