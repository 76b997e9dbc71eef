package evidence

import (
	"cmp"
	"fmt"
	"slices"
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
	term          int // the new leader's term
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
	m            *material
	joined       *joinedWrites
	writes       []write
	lines        []logLine
	gets         []get
	attempts     []attempt
	terms        []term
	out          *LeaseReport
	fromNs, toNs int64
	skewed       bool // the clocks of the logs contradict each other
	speakers     []*speaker

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
func (c *caseOf) deadlineNs() int64 { return c.out.leaseNs * 2 / 3 }

// clockOf returns what to add to a time that a candidate wrote.
func (c *caseOf) clockOf(holder string) int64 { return c.joined.clocks[holder].ns }

// `from` takes sorted indexes and leaves out the ones before an instant.
func from(indexes []int32, ns int64, at func(i int32) int64) []int32 {
	k, _ := slices.BinarySearchFunc(indexes, ns, func(i int32, ns int64) int { return cmp.Compare(at(i), ns) })
	return indexes[k:]
}

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

// `changes` builds a change for each term that follows another one, and for the first term if the evidence shows its
// start. Two consecutive terms of one holder count as one, unless the holder released the Lease in between.
func (c *caseOf) changes() {
	c.out.changes = slices.Grow(c.out.changes, len(c.terms))
	for i := range c.terms {
		t := &c.terms[i]
		if i == 0 {
			if t.knownStart {
				c.out.changes = append(c.out.changes, change{term: i})
			}
			c.sayBefore(t)
			continue
		}
		if c.terms[i-1].holder == t.holder && c.terms[i-1].releasedNs == 0 && !t.again {
			continue
		}
		g := change{term: i, from: c.terms[i-1].holder}
		if c.judge(&g, &c.terms[i-1], t); c.skewed {
			g.confidence = min(g.confidence, 0.5)
		}
		c.out.changes = append(c.out.changes, g)
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
	c.joined.says = append(c.joined.says, finding{ns: acquiredNs, places: w.places,
		says: fmt.Sprintf("%s acquired the Lease at %s, and leaseTransitions is %d: an earlier term had ended. The "+
			"files about the Lease begin later and do not show why.", w.holder, clock(acquiredNs), w.transitions)})
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
	for _, i := range from(c.linesOf[old.holder], old.lastNs-c.out.retryNs,
		func(i int32) int64 { return c.lines[i].ns }) {
		l := &c.lines[i]
		if l.ns > max(untilNs, next.fromNs) {
			break
		}
		if l.says == saidFault && l.ns >= old.lastNs-c.out.retryNs && l.ns <= next.fromNs {
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
			if d := (l.ns - readNs) % c.out.retryNs; min(d, c.out.retryNs-d) > c.out.retryNs/8 {
				uneven++
			}
			if readNs = l.ns; uneven > 1 || l.ns-s.heldBefore.ns > c.deadlineNs()+c.out.retryNs+fitNs {
				s.restarted, untilNs, s.heldBefore = s.heldBefore, s.heldBefore.ns, nil
			}
		}
	}
	for _, i := range from(c.attemptsOf[old.holder], old.lastNs, func(i int32) int64 { return c.attempts[i].atNs }) {
		a := &c.attempts[i]
		if a.atNs > untilNs {
			break
		}
		switch {
		case a.renewNs != 0 && a.atNs-a.renewNs-c.clockOf(a.holder) > c.out.retryNs+lateNs:
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
		if d := r[k] - r[k-1]; !old.cut(k) && d > c.out.retryNs*2 && d > c.out.retryNs+stretchedNs {
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
	first, _ := slices.BinarySearchFunc(c.gets, fromNs, func(g get, ns int64) int { return cmp.Compare(g.ns, ns) })
	var reads []get
	for i := first; i < len(c.gets) && c.gets[i].ns <= toNs; i++ {
		if g := &c.gets[i]; g.by == "" && g.exact || g.by == old.holder {
			reads = append(reads, *g)
		}
	}
	chain := even(reads, c.out.retryNs, fromNs, toNs)
	if len(chain) > 0 && chain[len(chain)-1].ns-chain[0].ns > 2*c.deadlineNs() {
		return nil // a script that polls
	}
	return chain
}

// judge finds why a term ended, and how long the old leader went on. The Lease alone shows some endings: a client
// deleted or edited the Lease, the holder released it, or another candidate took it early. For any other ending,
// `judge` looks at the old leader's traces.
func (c *caseOf) judge(g *change, old, next *term) {
	until := c.toNs
	again := c.termsOf[old.holder]
	if k, _ := slices.BinarySearch(again, int32(g.term+1)); k < len(again) {
		until = c.terms[again[k]].fromNs
	}
	g.endNs = old.lastNs
	if old.stopNs != 0 && old.stopNs < next.fromNs {
		g.endNs = old.stopNs
	}
	s := c.tracesOf(old, next, until)
	if !c.nameEnding(g, old, next) {
		switch {
		case next.unseen: // the gap may hide renewals
		case next.lacks:
			g.sayLacking(old, next, c.readOf(next.replaces))
		case !old.fromLogs:
			g.say(old.lastNs, old.lastPlaces, "%s last renewed at %s; %s has held the Lease since %s, %.3f s later.",
				old.holder, clock(old.lastNs), next.holder, clock(next.fromNs), seconds(next.fromNs-old.lastNs))
		default:
			// Only a read shows some holders: the acquisition came before it.
			began := map[bool]string{false: "acquired", true: "held"}[old.readOnly]
			begins := map[bool]string{false: "since", true: "at least since"}[next.readOnly]
			g.say(old.fromNs, old.places, "%s %s the Lease at %s; %s has held it %s %s.", old.holder, began,
				clock(old.fromNs), next.holder, begins, clock(next.fromNs))
		}
		c.nameCause(g, old, next, &s)
	}
	if old.lostNs != 0 {
		g.say(old.lostNs, old.lostPlaces, "%s logged at %s that it could not renew the Lease.", old.holder,
			clock(old.lostNs))
	}
	if old.tried != "" {
		g.say(old.stopNs, old.stopPlaces[len(old.stopPlaces)-1:],
			"%s has releaseOnCancel: it tried to release the Lease, and worked on until that failed at %s: %s",
			old.holder, clock(old.stopNs), quoted(old.tried))
	}
	c.overlap(g, old, next, &s)
}

// nameEnding names the cause if the Lease itself shows it.
func (c *caseOf) nameEnding(g *change, old, next *term) bool {
	tell := func(cause string, confidence float64) { g.cause, g.confidence = cause, confidence }
	early := old.lastNs + c.out.leaseNs - next.fromNs
	switch {
	case old.ended == deleted:
		tell(causeDeleted, 0.99)
		switch by := old.endedBy; {
		case by == nil:
			g.say(next.fromNs, old.endPlaces, "%s created the Lease at %s, so a client had deleted it, after the last "+
				"renewal of %s at %s.", next.holder, clock(next.fromNs), old.holder, clock(old.lastNs))
		case by.timed():
			g.say(old.releasedNs, old.endPlaces, "%s deleted the Lease at %s, while %s held it.", by.by.name(),
				clock(old.releasedNs), old.holder)
		default:
			g.say(old.releasedNs, old.endPlaces, "%s deleted the Lease after %s, while %s held it; the file does not "+
				"say when.", by.by.name(), clock(old.releasedNs), old.holder)
		}
	case old.ended == edited:
		tell(causeEdited, 0.95)
		g.say(old.releasedNs, old.endPlaces, "%s emptied holderIdentity %s, while %s held the Lease. This was "+
			"not a release: %s did not write it.", old.endedBy.by.name(), old.endedBy.when(), old.holder, old.holder)
	case old.ended == released:
		tell(causeRelease, 0.99)
		g.endNs = old.releasedNs
		g.say(old.releasedNs, old.endPlaces, "%s released the Lease at %s.", old.holder, clock(old.releasedNs))
	case next.edit != nil:
		tell(causeEdited, 0.95)
		g.say(next.fromNs, next.places, "%s replaced holderIdentity %s with %s %s. No elector did that.",
			next.edit.by.name(), old.holder, next.holder, next.edit.when())
	case next.unseen:
		g.say(next.fromNs, next.places, "The files have a gap: %s acquired the Lease at %s by its acquireTime, and "+
			"its first write in them is at %s.", next.holder, clock(next.fromNs), clock(next.renewals[0]))
		if old.lostNs != 0 {
			return false // its log knows more
		}
		tell(causeCrash, 0.34)
		g.alternatives = []string{causePause, causePartition, causeRelease, causeServer}
	case !old.fromLogs && early > earlyNs && !next.again && !next.lacks:
		tell(causeEarly, 0.6)
		g.say(next.fromNs, next.places,
			"%s took the Lease from %s at %s, %.3f s before it could expire: a client other than an elector wrote "+
				"it, or the clock of %s runs fast.",
			next.holder, old.holder, clock(next.fromNs), seconds(early), next.holder)
	default:
		return false
	}
	return true
}

// sayLacking says that a takeover proves nothing, because the files lack the write before it. A read may show what that
// write left behind.
func (g *change) sayLacking(old, next *term, read *get) {
	shown := ""
	if read != nil && read.holder == "" {
		shown = fmt.Sprintf(" A read at %s shows it without a holder: %s released it, or a client edited it.",
			clock(read.ns), old.holder)
	}
	g.say(next.fromNs, slices.Concat(old.lastPlaces, next.places),
		"Writes are missing: no line shows the write that %s replaced at %s. The last known renewal of %s is at %s; "+
			"these files do not show how it lost the Lease.%s",
		next.holder, clock(next.fromNs), old.holder, clock(old.lastNs), shown)
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

// `say` adds a sentence to the findings. Every sentence needs the lines that prove it, so that a reader can check it.
func (g *change) say(ns int64, places []Place, format string, args ...any) {
	g.findings = append(g.findings, finding{says: fmt.Sprintf(format, args...), ns: ns, places: places})
}

// nameCause names the cause from the traces of the old leader. It tries the most trustworthy evidence first:
//
//	a trace that names the cause                           1.0
//	an error text of the API server                       0.9    control plane
//	all candidates fail together                          0.85   control plane
//	an answer that began and broke off                    0.9    slow
//	failed requests after late renewals                   0.7    slow
//	only timeouts, and no file but logs                   0.5    partition or slow
//	failed requests, and no file but its log              0.5    partition or control plane
//	failed requests, or a write that arrived late         0.9    partition
//	a read of another holder, with no failure before it   0.95   pause
//	a write after the new leader's start                  0.7    pause
//	reads exactly retryPeriod apart, from an unknown client 0.6    pause
//	no request of any candidate                           0.5    control plane, or a gap in the audit log
//	intervals far above the usual                         0.6    slow
//	nothing at all                                        see silent
//
// A confidence is a judgment that ranks findings. It does not come from measured frequencies.
func (c *caseOf) nameCause(g *change, old, next *term, s *traces) {
	tell := func(cause string, confidence float64, others ...string) {
		g.cause, g.confidence, g.alternatives = cause, confidence, others
	}
	who := old.holder
	if n := c.skipped(s.stretched); n > 1 {
		g.say(old.lastNs, old.lastPlaces,
			"The last renewals of %s came up to %.3f s apart, %d times as far as usual: renewals failed, or these "+
				"files lack lines.", who, seconds(s.stretched), n)
		s.stretched = 0
	} else if s.stretched > 0 {
		g.say(old.lastNs, old.lastPlaces,
			"The last renewals of %s came up to %.3f s apart instead of the usual %.3f s: requests or answers were "+
				"slow.",
			who, seconds(s.stretched), seconds(c.out.retryNs))
	}
	t := c.troubleOf(old, next)
	loose := old.fromLogs || next.unseen || next.lacks // the files do not show when the Lease changed hands
	sayNobody := func() {
		g.say(t.silentFromNs, old.lastPlaces, "No candidate's request arrived from %s to %s, for "+
			"%.3f s: the API server did not answer, or the audit log has a gap.", clock(t.silentFromNs),
			clock(t.silentFromNs+t.silentNs), seconds(t.silentNs))
	}
	t.say(g, who)
	switch {
	case s.told != nil:
		g.say(s.told.ns, []Place{s.told.place}, "The trace says what happened to %s at %s: %s.", who, clock(s.told.ns),
			s.told.failure)
		tell(map[string]string{"crashed": causeCrash, "paused": causePause, "cutBegan": causePartition}[s.told.failure],
			1)
	case s.missing != nil:
		found := map[bool]string{false: "no Lease", true: "a new Lease"}[s.missing.replaced()]
		g.say(s.missing.ns, []Place{s.missing.place}, "%s found %s at %s: a client had deleted its Lease.", who, found,
			clock(s.missing.ns))
		tell(causeDeleted, 0.8)
	case t.server:
		tell(causeServer, 0.9)
	case t.together:
		g.say(t.firstNs, t.places, "All candidates whose requests these files show failed together: the API "+
			"server did not answer.")
		tell(causeServer, 0.85)
	case t.silentNs > 0 && len(s.failures) > 0 && s.heldBefore == nil:
		sayNobody()
		tell(causeServer, 0.8)
	case s.slowRead != nil:
		g.say(s.slowRead.ns, []Place{s.slowRead.place}, "An answer to %s began but was not complete in time.", who)
		tell(causeSlow, 0.9)
	case len(s.failures) > 0 && s.heldBefore == nil && s.stretched > 0 && !c.failedElsewhere(old, next):
		tell(causeSlow, 0.7)
	case old.fromLogs && s.timedOutOnly() && s.heldBefore == nil:
		g.say(s.failures[0].ns, []Place{s.failures[0].place},
			"%s waited for answers until its requests timed out. Its log does not show whether the requests got lost "+
				"or got late answers; an audit log does.", who)
		others := []string{causeSlow}
		if t.alone {
			others = append(others, causeServer)
		}
		tell(causePartition, 0.5, others...)
	case t.alone && len(s.failures) > 0 && s.heldBefore == nil:
		g.say(s.failures[0].ns, []Place{s.failures[0].place},
			"These files do not show whether the requests of the other candidates failed too.")
		tell(causePartition, 0.5, causeServer)
	case len(s.failures) > 0 && (s.heldBefore == nil || s.failures[0].ns < s.heldBefore.ns):
		if tell(causePartition, 0.9); c.failedElsewhere(old, next) {
			tell(causePartition, 0.5, causeServer, causeSlow)
		}
	case s.late != nil:
		tell(causePartition, 0.9)
	case s.heldBefore != nil && loose && s.heldBefore.ns-next.fromNs < c.out.retryNs+fitNs/2:
		l := s.heldBefore
		g.resumedNs = l.ns
		g.say(l.ns, []Place{l.place}, "%s read at %s that %s holds the Lease, with no failed request "+
			"before: it was paused, or a client edited or deleted the Lease. These files do not show which.",
			who, clock(l.ns), l.holder)
		tell(causePause, 0.5, causeEdited, causeDeleted)
	case s.heldBefore != nil && loose:
		l := s.heldBefore
		g.resumedNs = l.ns
		g.say(l.ns, []Place{l.place}, "%s read at %s that %s holds the Lease, with no failed request before: it "+
			"slept, or its log lacks lines.", who, clock(l.ns), l.holder)
		tell(causePause, 0.6)
	case s.heldBefore != nil && old.lostNs == 0:
		l := s.heldBefore
		g.resumedNs = l.ns
		g.say(l.ns, []Place{l.place}, "%s read at %s that %s holds the Lease, with no failed request before. Its log "+
			"does not say that it stopped, so it slept, or its next process read this.", who, clock(l.ns), l.holder)
		tell(causePause, 0.6, causeCrash)
	case s.heldBefore != nil:
		l := s.heldBefore
		g.resumedNs = l.ns
		g.say(l.ns, []Place{l.place},
			"%s was silent from %s to %s and then read that %s holds the Lease, with no failed request before: it "+
				"was paused.",
			who, clock(old.lastNs), clock(l.ns), l.holder)
		tell(causePause, 0.95)
	case s.fresh != nil:
		g.resumedNs = s.fresh.atNs
		edited := ""
		if tell(causePause, 0.7); next.lacks {
			edited = ", or a client had edited or deleted the Lease"
			tell(causePause, 0.5, causeEdited, causeDeleted)
		}
		g.say(s.fresh.atNs, []Place{s.fresh.place},
			"%s wrote again at %s, after %s took the Lease: it had slept, or a network cut kept it away and these "+
				"files lack its failed requests%s.", who, clock(s.fresh.atNs), next.holder, edited)
	case len(s.chain) > 0:
		first := s.chain[0]
		g.resumedNs = first.ns
		places := elements.Of(s.chain, func(q get) Place { return q.place })
		g.say(first.ns, places,
			"From %s on, %d reads that name no candidate are exactly retryPeriod apart. A follower adds jitter; a "+
				"leader that tries to renew does not: %s resumed after a pause.",
			clock(first.ns), len(s.chain), who)
		tell(causePause, 0.6)
	case t.silentNs > 0 && !next.lacks:
		sayNobody()
		tell(causeServer, 0.5, causeCrash, causePause, causePartition)
	case s.stretched > 0 && !next.lacks:
		tell(causeSlow, 0.6)
	default:
		if c.silent(g, old, next, s); t.holeNs > 0 && g.confidence > 0.5 {
			g.say(t.silentFromNs, old.lastPlaces, "The audit log has a gap of %.3f s from %s: logs show requests "+
				"that it lacks. So a release may be missing, too.", seconds(t.holeNs), clock(t.silentFromNs))
			tell(g.cause, 0.5, causeRelease)
		}
	}
	if g.cause == causeServer {
		g.healedNs = max(t.lastNs, t.silentFromNs+t.silentNs)
	}
	if s.late != nil {
		g.say(s.late.atNs, []Place{s.late.place},
			"A write that %s sent at %s reached the API server at %s: it was held on the network.", who,
			clock(s.late.renewNs+c.clockOf(who)), clock(s.late.atNs))
	}
}

// `silent` names the cause if the evidence shows nothing of the old leader after its last renewal. What silence means
// depends on which files exist:
//
//	its log goes on, and shows that it stopped late      pause: it slept past the takeover
//	its log goes on, and shows that it stopped in time   partition: it gave up after renewDeadline
//	its log ends                                        crash, 0.6
//	its next process begins                             see restart
//	an audit log without its requests, no log           crash, pause or partition, 0.34
//	writes alone                                        the same
//	a file that lacks the write before the takeover     release before the Lease could expire, else as above
//
// With logs alone, a takeover before leaseDuration has passed means a release, since logs do not always mention
// releases.
func (c *caseOf) silent(g *change, old, next *term, s *traces) {
	who := old.holder
	switch {
	case next.lacks && old.stopNs == 0 && next.fromNs < old.lastNs+c.out.leaseNs-earlyNs:
		g.cause, g.confidence, g.alternatives = causeRelease, 0.5, []string{causeEdited, causeDeleted, causeEarly}
	case next.lacks && old.stopNs == 0:
		g.cause, g.confidence, g.alternatives = causeCrash, 0.34, []string{causePause, causePartition, causeRelease}
	case old.stopNs > next.fromNs:
		g.cause, g.confidence = causePause, 0.6
	case old.stopNs != 0:
		g.cause, g.confidence = causePartition, 0.6
	case old.fromLogs && s.hasLog && !old.readOnly && !next.readOnly &&
		next.fromNs-old.fromNs < c.out.leaseNs-releasedEarlyNs:
		g.cause, g.confidence, g.alternatives = causeRelease, 0.6, []string{causeCrash}
		g.say(next.fromNs, next.places,
			"%s acquired the Lease %.3f s after %s did, sooner than leaseDuration, %s, allows: %s released it, "+
				"unless leaseDuration is in fact shorter.",
			next.holder, seconds(next.fromNs-old.fromNs), who, time.Duration(c.out.leaseNs), who)
	case old.fromLogs && s.hasLog:
		g.cause, g.confidence, g.alternatives = causeCrash, 0.5, []string{causeRelease}
		g.say(old.lastNs, old.lastPlaces,
			"The log of %s ends without a word about the loss. It ends this way after a kill and after a release.", who)
	case s.restarted != nil:
		c.restart(g, old, s.restarted)
	case s.hasLog:
		g.cause, g.confidence = causeCrash, 0.6
		g.say(old.lastNs, old.lastPlaces,
			"%s: no requests and no log lines after %s. It crashed, or its log lacks the end, or it was paused or cut "+
				"off until these files end.",
			who, clock(old.lastNs))
	case len(c.gets) > 0:
		// An elector whose connections fail sends no request. An elector that wakes after its renewDeadline gives up
		// without sending a request, too.
		g.cause, g.confidence, g.alternatives = causeCrash, 0.34, []string{causePause, causePartition}
		g.say(old.lastNs, old.lastPlaces,
			"%s: no request after %s that names it or looks like its own. An audit log has only requests that arrive: "+
				"it does not show whether %s crashed, was paused past its renewDeadline, or could not connect. Its "+
				"own log does.",
			who, clock(old.lastNs), who)
	default:
		g.cause, g.confidence, g.alternatives = causeCrash, 0.34, []string{causePause, causePartition}
		g.say(old.lastNs, old.lastPlaces,
			"%s stopped renewing after %s. Writes alone cannot tell a crash from a pause or a partition.", who,
			clock(old.lastNs))
	}
}

// restart names the cause if the old leader logs nothing until an elector of its log begins again. A leader that cannot
// renew works for a renewDeadline. So an end before that is a crash. Later, the log may lack the line about a loss.
func (c *caseOf) restart(g *change, old *term, first *logLine) {
	lines := c.linesOf[old.holder]
	before, now := "", c.speakers[first.speaker].process
	if k := len(lines) - len(from(lines, old.lastNs+1, func(i int32) int64 { return c.lines[i].ns })); k > 0 {
		before = c.speakers[c.lines[lines[k-1]].speaker].process
	}
	if before == now && len(now) > 1 { // in a container, each process has the number 1
		g.cause, g.confidence, g.alternatives = causePause, 0.5, []string{causePartition}
		g.say(first.ns, []Place{first.place},
			"%s: no requests and no log lines after %s, until the same process follows at %s. It was paused or cut "+
				"off, and its log lacks the loss.", old.holder, clock(old.lastNs), clock(first.ns))
		return
	}
	g.cause, g.confidence = causeCrash, 0.6
	if before != "" && now != "" && before != now && first.ns < old.lastNs+c.deadlineNs() {
		g.confidence = 0.85
	}
	g.say(first.ns, []Place{first.place},
		"%s: no requests and no log lines of its process after %s. Its next process logs from %s on.", old.holder,
		clock(old.lastNs), clock(first.ns))
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
func (c *caseOf) overlap(g *change, old, next *term, s *traces) {
	deadline := c.deadlineNs()
	if old.lostNs != 0 && len(s.failures) > 0 && s.late != nil {
		g.deadlineNs = old.lostNs - s.late.renewNs - c.clockOf(old.holder)
	} else if old.lostNs != 0 && g.resumedNs != 0 && g.resumedNs > old.lastNs+deadline {
		g.deadlineNs = old.lostNs - g.resumedNs
	} else if old.lostNs != 0 && (g.cause == causeEdited || g.cause == causeDeleted || g.cause == causeServer) {
		g.deadlineNs = old.lostNs - old.lastNs - c.out.retryNs
	}
	if old.edit != nil && len(old.renewals) == 1 && g.term > 1 {
		old = &c.terms[g.term-2]
	}
	if g.overlapWith = old.holder; old.holder == next.holder || next.edit != nil && len(next.renewals) == 1 {
		return
	}
	begun, ended := c.startsAgain(old, g.term)
	switch {
	case begun != nil && old.stopNs < begun.ns:
		g.overlapFromNs, g.overlapNs = begun.ns, c.toNs-begun.ns
		g.overlapBasis, g.overlapPlaces = old.holder+" starts leading again while "+next.holder+
			" holds the Lease, and the files do not show it stop", []Place{begun.place}
		if ended != nil {
			g.overlapNs, g.overlapLeast = ended.ns-begun.ns, ended.ns-begun.ns
			g.overlapBasis = fmt.Sprintf("%s starts leading again while %s holds the Lease, until %s", old.holder,
				next.holder, clock(ended.ns))
			g.overlapPlaces = append(g.overlapPlaces, ended.place)
		}
	case old.stopNs != 0 && c.stopped(g, old, next):
	case old.ended == released:
	case g.resumedNs > 0 || s.seenNs > next.fromNs:
		from := max(g.resumedNs, old.lastNs+c.out.retryNs)
		g.overlapNs = from + deadline - next.fromNs
		g.overlapLeast = max(0, min(s.seenNs-next.fromNs, g.overlapNs-c.out.retryNs/2))
		g.overlapPlaces = next.places
		g.overlapBasis = fmt.Sprintf("%s tried to renew from %s and may have kept trying for %s, its renewDeadline",
			old.holder, clock(from), time.Duration(deadline))
	case old.ended == deleted || old.ended == edited || next.edit != nil || g.cause == causeEarly:
		g.overlapNs = old.lastNs + c.out.retryNs + deadline - next.fromNs
		g.overlapPlaces = slices.Concat(old.lastPlaces, next.places)
		g.overlapBasis = fmt.Sprintf("%s last renewed at %s and may have kept trying until %s, its renewDeadline",
			old.holder, clock(old.lastNs), clock(next.fromNs+g.overlapNs))
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
	for _, i := range from(c.linesOf[old.holder], c.terms[next].fromNs, func(i int32) int64 { return c.lines[i].ns }) {
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
func (c *caseOf) limits() []string {
	var all []string
	kinds := map[Kind]bool{}
	for _, w := range c.m.writes.all() {
		kinds[w.by.kind] = true
	}
	if len(c.out.Overlaps) > 0 {
		all = append(all, "These files do not show when a leader worked, only until when it believed that it led.")
	}
	switch {
	case c.m.metadata > 0 && !kinds[Audit]:
		all = append(all, fmt.Sprintf("The audit log has %d writes at level Metadata: it shows neither the holder nor "+
			"renewTime. An audit policy with level Request for leases does.", c.m.metadata))
	case !kinds[Audit] && !kinds[Trace] && c.m.gets.len() == 0:
		all = append(all, "Without an audit log, reads and refused writes are missing.")
	}
	if len(c.lines) == 0 {
		all = append(all,
			"Without the electors' logs, nothing shows what a candidate believed: an overlap may be missing.")
	}
	if len(c.writes) > 0 && !slices.ContainsFunc(c.writes, func(w write) bool { return w.timed() || w.secondNs != 0 }) {
		all = append(all, "The times come from renewTime, by each holder's own clock: a time between two holders has "+
			"the error of their clocks.")
	}
	if len(c.writes) == 0 {
		all = append(all,
			"Without the Lease's writes, renewals are unknown: a gap has no length, and a release looks "+
				"like a crash.")
	}
	first, lacking := -1, 0
	for i := range c.writes {
		if c.writes[i].lacks {
			if lacking++; first < 0 {
				first = i
			}
		}
	}
	if lacking > 0 {
		all = append(all, fmt.Sprintf("These files lack writes of the Lease, the first one before %s, and %d in all "+
			"or more: a release, an edit or renewals.", clock(c.writes[first].ns), lacking))
	}
	if len(c.terms) <= 1 && len(c.writes) <= 1 && len(c.lines) == 0 {
		all = append(all, "One state of a Lease shows no history.")
	}
	if c.out.Unattributed > 0 {
		all = append(all, fmt.Sprintf("%d requests name no candidate: the report counts them, but names no sender.",
			c.out.Unattributed))
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
	g.term, g.from, g.endNs = len(c.terms), old.holder, old.stopNs
	c.nameCause(&g, old, next, &s)
	g.say(old.lostNs, old.lostPlaces, "%s logged at %s that it could not renew the Lease. These files do not show who "+
		"led next.", old.holder, clock(old.lostNs))
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
	k, _ := slices.BinarySearchFunc(c.gets, fromNs+1, func(g get, ns int64) int { return cmp.Compare(g.ns, ns) })
	t := trouble{}
	for ; k < len(c.gets) && c.gets[k].ns < toNs; k++ {
		t.silence(fromNs, c.gets[k].ns)
		fromNs = c.gets[k].ns
	}
	t.silence(fromNs, toNs)
	return t.silentNs > c.out.retryNs+c.deadlineNs()
}

// sayGap tells of a gap, and reports whether the versions show that no write is missing: then the API server did not
// answer.
func (c *caseOf) sayGap(fromNs, toNs int64) (says string, whole bool) {
	before, after := c.writeAt(fromNs), c.writeAt(toNs)
	if whole = before.resourceVersion > 0 && after.replaces == before.resourceVersion; whole {
		return fmt.Sprintf("No candidate's request arrived from %s to %s, for %.3f s. %s held the Lease before and "+
			"after, and no write is missing: the API server did not answer.", clock(fromNs), clock(toNs),
			seconds(toNs-fromNs), after.holder), true
	}
	return fmt.Sprintf("The audit log has a gap of %.3f s from %s: no request about the Lease, which %s held before "+
		"and after. Lines are missing, or the API server did not answer.", seconds(toNs-fromNs), clock(fromNs),
		after.holder), false
}

// skipped returns how many times the usual interval a longer one is, if it is a whole number of times: then a line is
// probably missing. A slow answer would hardly last for exactly that long.
func (c *caseOf) skipped(ns int64) int64 {
	usual := int64(c.out.Renewals.P50Seconds * 1e9)
	if usual == 0 {
		return 0
	}
	n := (ns + usual/2) / usual
	if off := ns - n*usual; n < 2 || max(off, -off) > usual/20 {
		return 0
	}
	return n
}
