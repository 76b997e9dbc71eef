package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
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
	overlapNs     int64
	overlapFromNs int64 // 0 means the new leader's start
	overlapBasis  string
	overlapPlaces []Place
	deadlineNs    int64 // how long the old leader tried to renew; 0 if unknown
	resumedNs     int64 // 0 if not seen
}

// caseOf collects everything known about a Lease. The method judge works on one change at a time and never looks at
// another Lease: two Leases of one candidate are two cases.
type caseOf struct {
	m            *material
	writes       []write
	lines        []logLine
	gets         []get
	attempts     []attempt
	terms        []term
	out          *LeaseReport
	fromNs, toNs int64

	linesOf    map[string][]int // indexes of lines, by node
	attemptsOf map[string][]int // indexes of attempts, by candidate
	termsOf    map[string][]int // indexes of terms, by holder
	unnamed    []get            // reads that belong to no known candidate
}

// `index` records where each candidate appears in the evidence, so that judge reads only what is near a change.
func (c *caseOf) index() {
	c.linesOf, c.attemptsOf, c.termsOf = map[string][]int{}, map[string][]int{}, map[string][]int{}
	for i := range c.lines {
		c.linesOf[c.lines[i].node] = append(c.linesOf[c.lines[i].node], i)
	}
	for i := range c.attempts {
		c.attemptsOf[c.attempts[i].holder] = append(c.attemptsOf[c.attempts[i].holder], i)
	}
	for i := range c.terms {
		c.termsOf[c.terms[i].holder] = append(c.termsOf[c.terms[i].holder], i)
	}
	hasReader := func(g get) bool { return g.by != "" }
	if c.unnamed = c.gets; slices.ContainsFunc(c.gets, hasReader) {
		c.unnamed = slices.DeleteFunc(slices.Clone(c.gets), hasReader)
	}
}

// `from` takes sorted indexes and leaves out the ones before an instant.
func from(indexes []int, ns int64, at func(i int) int64) []int {
	k, _ := slices.BinarySearchFunc(indexes, ns, func(i int, ns int64) int { return cmp.Compare(at(i), ns) })
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
			continue
		}
		if c.terms[i-1].holder == t.holder && c.terms[i-1].releasedNs == 0 {
			continue
		}
		g := change{term: i, from: c.terms[i-1].holder}
		c.judge(&g, &c.terms[i-1], t)
		c.out.changes = append(c.out.changes, g)
	}
}

// `traces` contains the records that show activity of the old leader after its last renewal. It stops where that
// leader's next term begins, because anything later belongs to another story.
type traces struct {
	hasLog     bool
	failures   []*logLine
	slowRead   *logLine
	told       *logLine // line of a trace that says what happened to the leader
	heldBefore *logLine // before it gave up, the leader read that another candidate holds the Lease
	late       *attempt // a write that arrived late
	fresh      *attempt // a write after the new leader's start
	chain      []get
	stretched  int64 // the longest of the old leader's last renewal intervals, if far longer than usual
}

// timedOutOnly reports whether requests failed and every failure was a timeout. If all failures are timeouts, the log
// cannot tell a network cut that drops packets from a slow server. An error such as "connection refused" would tell
// them apart.
func (s *traces) timedOutOnly() bool {
	for _, l := range s.failures {
		if strings.Contains(l.failure, "previous attempt") || !strings.Contains(l.failure, "deadline exceeded") &&
			!strings.Contains(l.failure, "Client.Timeout") {
			return false
		}
	}
	return len(s.failures) > 0
}

// tracesOf collects what shows activity of the old leader up to untilNs. A conflict (409) is not a failure: the
// request arrived, and the server answered it. A line "attempting to acquire" begins a new process, so nothing after
// it says how the old one ended.
func (c *caseOf) tracesOf(old, next *term, untilNs int64) (s traces) {
	s.hasLog = len(c.linesOf[old.holder]) > 0
	for _, i := range from(c.linesOf[old.holder], old.lastNs-c.out.retryNs,
		func(i int) int64 { return c.lines[i].ns }) {
		l := &c.lines[i]
		if l.ns > max(untilNs, next.fromNs) {
			break
		}
		if l.says == saidFault && l.ns >= old.lastNs-c.out.retryNs && l.ns <= next.fromNs {
			s.told = l
		}
		if l.ns < old.lastNs || l.ns > untilNs || old.stopNs != 0 && l.ns > old.stopNs {
			continue
		}
		switch {
		case l.says == saidFailed && !strings.Contains(l.failure, "has been modified"):
			s.failures = append(s.failures, l)
			if strings.Contains(l.failure, "reading body") {
				s.slowRead = l
			}
		case l.says == saidHeld && l.holder != old.holder && s.heldBefore == nil:
			s.heldBefore = l
		case l.says == saidAttempt:
			untilNs = l.ns // a new process
		}
	}
	for _, i := range from(c.attemptsOf[old.holder], old.lastNs, func(i int) int64 { return c.attempts[i].atNs }) {
		a := &c.attempts[i]
		if a.atNs > untilNs {
			break
		}
		switch {
		case a.renewNs != 0 && a.atNs-a.renewNs > c.out.retryNs+lateNs && s.late == nil:
			s.late = a
		case a.atNs > next.fromNs && s.fresh == nil:
			s.fresh = a
		}
	}
	s.chain = even(c.unnamed, c.out.retryNs, next.fromNs-fitNs, min(untilNs, next.fromNs+waitAfterLossNs))
	r := old.renewals
	for k := max(1, len(r)-3); k < len(r); k++ {
		if d := r[k] - r[k-1]; d > c.out.retryNs*2 && d > c.out.retryNs+stretchedNs {
			s.stretched = max(s.stretched, d)
		}
	}
	return s
}

// judge finds why a term ended. The Lease alone shows three patterns: a client deleted the Lease, the holder released
// it, or another candidate took it early. For any other pattern, `judge` looks at the old leader's traces.
func (c *caseOf) judge(g *change, old, next *term) {
	until := c.toNs
	again := c.termsOf[old.holder]
	if k, _ := slices.BinarySearch(again, g.term+1); k < len(again) {
		until = c.terms[again[k]].fromNs
	}
	g.endNs = old.lastNs
	if old.stopNs != 0 && old.stopNs < next.fromNs {
		g.endNs = old.stopNs
	}
	if old.deleted {
		g.cause, g.confidence, g.endNs = causeDeleted, 0.99, old.releasedNs
		g.say(old.releasedNs, old.stopPlaces, "The Lease was deleted at %s, while %s held it.", clock(old.releasedNs),
			old.holder)
		return
	}
	if old.releasedNs != 0 {
		g.cause, g.confidence, g.endNs = causeRelease, 0.99, old.releasedNs
		g.say(old.releasedNs, old.stopPlaces, "%s released the Lease at %s.", old.holder, clock(old.releasedNs))
		return
	}
	if early := old.lastNs + c.out.leaseNs - next.fromNs; !old.fromLogs && early > earlyNs {
		g.cause, g.confidence = causeEarly, 0.8
		g.say(next.fromNs, next.places,
			"%s took the Lease from %s at %s, %.3f s before it could expire: a client other than an elector wrote "+
				"it, or the clock of %s runs fast.",
			next.holder, old.holder, clock(next.fromNs), seconds(early), next.holder)
		return
	}
	s := c.tracesOf(old, next, until)
	g.say(old.lastNs, old.lastPlaces, "%s last renewed at %s; %s has held the Lease since %s, %.3f s later.",
		old.holder, clock(old.lastNs), next.holder, clock(next.fromNs), seconds(next.fromNs-old.lastNs))
	c.nameCause(g, old, next, &s)
	c.overlap(g, old, next, &s)
}

// `say` adds a sentence to the findings. Every sentence needs the lines that prove it, so that a reader can check it.
func (g *change) say(ns int64, places []Place, format string, args ...any) {
	g.findings = append(g.findings, finding{says: fmt.Sprintf(format, args...), ns: ns, places: places})
}

// nameCause names the cause from the traces of the old leader. It tries the most trustworthy evidence first:
//
//	a trace that names the cause                           1.0
//	an answer that began and broke off                    0.9    slow
//	failed requests after late renewals                   0.7    slow
//	only timeouts, and no file but logs                   0.5    partition or slow
//	failed requests, or a write that arrived late         0.9    partition
//	a read of another holder, with no failure before it   0.95   pause
//	a write after the new leader's start                  0.7    pause
//	reads exactly retryPeriod apart, from an unknown client 0.7    pause
//	intervals far above the usual                         0.6    slow
//	nothing at all                                        see silent
//
// A confidence is a judgment that ranks findings. It does not come from measured frequencies.
func (c *caseOf) nameCause(g *change, old, next *term, s *traces) {
	tell := func(cause string, confidence float64, others ...string) {
		g.cause, g.confidence, g.alternatives = cause, confidence, others
	}
	who := old.holder
	if s.stretched > 0 {
		g.say(old.lastNs, old.lastPlaces,
			"The last renewals of %s came up to %.3f s apart instead of the usual %.3f s: requests or answers were "+
				"slow.",
			who, seconds(s.stretched), seconds(c.out.retryNs))
	}
	for _, l := range s.failures {
		g.say(l.ns, []Place{l.place}, "%s logged a failed request at %s.", who, clock(l.ns))
	}
	switch {
	case s.told != nil:
		g.say(s.told.ns, []Place{s.told.place}, "The trace says what happened to %s at %s: %s.", who, clock(s.told.ns),
			s.told.failure)
		tell(map[string]string{"crashed": causeCrash, "paused": causePause, "cutBegan": causePartition}[s.told.failure],
			1)
	case s.slowRead != nil:
		g.say(s.slowRead.ns, []Place{s.slowRead.place}, "An answer to %s began but was not complete in time.", who)
		tell(causeSlow, 0.9)
	case len(s.failures) > 0 && s.heldBefore == nil && s.stretched > 0:
		tell(causeSlow, 0.7)
	case old.fromLogs && s.timedOutOnly() && s.heldBefore == nil:
		g.say(s.failures[0].ns, []Place{s.failures[0].place},
			"%s waited for answers until its requests timed out. Its log does not show whether the requests got lost "+
				"or got late answers; an audit log does.", who)
		tell(causePartition, 0.5, causeSlow)
	case len(s.failures) > 0 && (s.heldBefore == nil || s.failures[0].ns < s.heldBefore.ns):
		tell(causePartition, 0.9)
	case s.late != nil:
		tell(causePartition, 0.9)
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
		g.say(s.fresh.atNs, []Place{s.fresh.place},
			"%s wrote again at %s, after %s took the Lease: it was paused, or it was cut off and these files lack "+
				"its failed requests.", who, clock(s.fresh.atNs), next.holder)
		tell(causePause, 0.7)
	case len(s.chain) > 0:
		first := s.chain[0]
		g.resumedNs = first.ns
		var places []Place
		for _, q := range s.chain {
			places = append(places, q.place)
		}
		g.say(first.ns, places,
			"From %s on, %d reads that name no candidate are exactly retryPeriod apart. A follower adds jitter; a "+
				"leader that tries to renew does not: %s resumed after a pause.",
			clock(first.ns), len(s.chain), who)
		tell(causePause, 0.7)
	case s.stretched > 0:
		tell(causeSlow, 0.6)
	default:
		c.silent(g, old, next, s)
	}
	if s.late != nil {
		g.say(s.late.atNs, []Place{s.late.place},
			"A write that %s sent at %s reached the API server at %s: it was held on the network.", who,
			clock(s.late.renewNs), clock(s.late.atNs))
	}
	if old.stopNs != 0 {
		g.say(old.stopNs, old.stopPlaces, "%s logged at %s that it could not renew: it stopped leading.", who,
			clock(old.stopNs))
	}
}

// `silent` names the cause if the evidence shows nothing of the old leader after its last renewal. What silence means
// depends on which files exist:
//
//	its log goes on, and shows that it stopped late      pause: it slept past the takeover
//	its log goes on, and shows that it stopped in time   partition: it gave up after renewDeadline
//	its log ends                                        crash
//	an audit log without its requests, no log           crash, pause or partition, 0.34
//	writes alone                                        the same
//
// With logs alone, a takeover before leaseDuration has passed means a release, since logs do not always mention
// releases.
func (c *caseOf) silent(g *change, old, next *term, s *traces) {
	who := old.holder
	switch {
	case old.stopNs > next.fromNs:
		g.cause, g.confidence = causePause, 0.6
	case old.stopNs != 0:
		g.cause, g.confidence = causePartition, 0.6
	case old.fromLogs && s.hasLog && next.fromNs-old.fromNs < c.out.leaseNs-releasedEarlyNs:
		g.cause, g.confidence = causeRelease, 0.6
		g.say(next.fromNs, next.places,
			"%s acquired the Lease %.3f s after %s did, sooner than leaseDuration, %s, allows: %s released it, "+
				"unless leaseDuration is in fact shorter.",
			next.holder, seconds(next.fromNs-old.fromNs), who, time.Duration(c.out.leaseNs), who)
	case old.fromLogs && s.hasLog:
		g.cause, g.confidence, g.alternatives = causeCrash, 0.5, []string{causeRelease}
		g.say(old.lastNs, old.lastPlaces,
			"The log of %s ends without a word about the loss. It ends this way after a kill and after a release.", who)
	case s.hasLog:
		g.cause, g.confidence = causeCrash, 0.85
		g.say(old.lastNs, old.lastPlaces,
			"%s: no requests and no log lines after %s. It crashed, or it was paused or cut off until these files end.",
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

// overlap infers how long the old leader still believed that it led. The old leader's own log is the best source.
// Without a log, a leader that resumed at 31 s may have tried to renew for a renewDeadline of 10 s, so the overlap
// ends at 41 s at the latest. renewDeadline is not in any file; overlap assumes the default, two thirds of
// leaseDuration.
func (c *caseOf) overlap(g *change, old, next *term, s *traces) {
	deadline := c.out.leaseNs * 2 / 3
	if old.stopNs != 0 && len(s.failures) > 0 && s.late != nil {
		g.deadlineNs = old.stopNs - s.late.renewNs
	} else if old.stopNs != 0 && g.resumedNs != 0 && g.resumedNs > old.lastNs+deadline {
		g.deadlineNs = old.stopNs - g.resumedNs
	}
	begun, ended := c.startsAgain(old, g.term)
	switch {
	case begun != nil && old.stopNs < begun.ns:
		g.overlapFromNs, g.overlapNs = begun.ns, c.toNs-begun.ns
		g.overlapBasis, g.overlapPlaces = old.holder+" starts leading again while "+next.holder+
			" holds the Lease, and the files do not show it stop", []Place{begun.place}
		if ended != nil {
			g.overlapNs = ended.ns - begun.ns
			g.overlapBasis = fmt.Sprintf("%s starts leading again while %s holds the Lease, until %s", old.holder,
				next.holder, clock(ended.ns))
			g.overlapPlaces = append(g.overlapPlaces, ended.place)
		}
	case old.stopNs > next.fromNs:
		g.overlapNs = old.stopNs - next.fromNs
		g.overlapBasis = "the log of " + old.holder + " says when it stopped leading"
		g.overlapPlaces = append(append([]Place{}, next.places...), old.stopPlaces...)
	case g.resumedNs > 0 && old.stopNs == 0:
		end := g.resumedNs + deadline
		if g.resumedNs < old.lastNs+deadline {
			end = old.lastNs + deadline
		}
		if end > next.fromNs {
			g.overlapNs = end - next.fromNs
			g.overlapBasis = fmt.Sprintf("an upper bound: %s resumed at %s and may have kept trying for %s, its "+
				"renewDeadline", old.holder, clock(g.resumedNs), time.Duration(deadline))
			g.overlapPlaces = next.places
		}
	}
}

// startsAgain finds where the old leader starts working again without the Lease. Only a trace can show that: in a
// log, an acquisition begins a new term.
func (c *caseOf) startsAgain(old *term, next int) (begun, ended *logLine) {
	until := c.toNs
	if next+1 < len(c.terms) {
		until = c.terms[next+1].fromNs
	}
	for _, i := range from(c.linesOf[old.holder], c.terms[next].fromNs, func(i int) int64 { return c.lines[i].ns }) {
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
		kinds[w.kind] = true
	}
	if len(c.out.Overlaps) > 0 {
		all = append(all,
			"These files do not show when a leader worked: each overlap is an upper bound.")
	}
	if !kinds[Audit] && !kinds[Trace] {
		all = append(all, "Without an audit log, reads and refused writes are missing.")
	}
	if len(c.lines) == 0 {
		all = append(all,
			"Without the electors' logs, nothing shows what a candidate believed: an overlap may be missing.")
	}
	if len(c.writes) == 0 {
		all = append(all,
			"Without the Lease's writes, renewals are unknown: a gap has no length, and a release looks "+
				"like a crash.")
	}
	if len(c.terms) <= 1 && len(c.writes) <= 1 {
		all = append(all, "One state of a Lease shows no history.")
	}
	if c.out.Unattributed > 0 {
		all = append(all, fmt.Sprintf("%d requests name no candidate: the report counts them, but names no sender.",
			c.out.Unattributed))
	}
	return all
}
