package evidence

import "slices"

// The log of the old leader says when it stopped, by its own clock. The Lease, or the log of the new leader, says when
// that one began, by another clock. So an overlap is as sure as the relation of these clocks:
//
//	the Lease's clock and the log's      known to an error: the overlap is a range
//	the old leader's log alone           it read that the new one leads, and stopped later: certain by its own clock
//	two logs                             the reads of one elector bound the clock of the other
//
// A candidate reads a holder only after that one acquired the Lease. If a log says otherwise, the clocks of the logs
// differ. Example: candidate b logs at 12:00:02 that a holds the Lease, and a logs at 12:00:09 that it acquired the
// Lease. So the clock of a is at least 7 s ahead of the clock of b.

// stopped infers the overlap from the log of the old leader. It reports false if that log does not decide.
func (c *caseOf) stopped(g *change) bool {
	old, next := g.old, g.next
	late, exact := old.stopNs-next.fromNs, old.stopErrNs
	proven := c.knew(old, next.holder)
	untied := next.fromLogs && exact < 0
	switch {
	case untied && c.skewed:
		late = proven
	case untied && late > 0 && late < untiedNs && proven == 0:
		g.tell("untied", old.stopNs, slices.Concat(next.places, old.stopPlaces), "late", secondsText(late))
		late = 0
	case !old.fromLogs && proven == 0 && (exact < 0 || max(late, -late) < exact):
		return false
	}
	if late = max(late, proven); late <= 0 {
		return true
	}
	g.overlapNs, g.overlapLeast, g.overlapOpen = late, late, next.readOnly || untied && c.skewed
	switch {
	case g.overlapOpen:
	case untied:
		g.overlapLeast = proven
	case exact > logErrorNs:
		g.overlapNs, g.overlapLeast = late+exact, max(late-exact, proven)
	}
	g.overlapBasis = "the log of " + old.holder + " says when it stopped leading"
	g.overlapPlaces = slices.Concat(next.places, old.stopPlaces)
	return true
}

// knew returns for how long the old leader went on after it first read that the new one holds the Lease: both lines are
// in its log.
func (c *caseOf) knew(old *term, holder string) int64 {
	for _, i := range c.linesFrom(old.holder, old.lastNs) {
		if l := &c.lines[i]; l.ns >= old.stopNs {
			break
		} else if l.says == saidHeld && l.holder == holder && !l.follows {
			return old.stopNs - l.ns
		}
	}
	return 0
}

// compareLogs finds whether the clocks of the logs contradict each other, if no file shows the Lease itself.
func (c *caseOf) compareLogs() {
	acquired := map[string][]*logLine{}
	for i := range c.lines {
		if l := &c.lines[i]; l.says == saidAcquired {
			acquired[l.node] = append(acquired[l.node], l)
		}
	}
	var worst, owns *logLine
	for i := range c.lines {
		l := &c.lines[i]
		if l.says != saidHeld || len(acquired[l.holder]) != 1 || len(c.writes) > 0 || l.traced {
			continue
		}
		own := acquired[l.holder][0]
		if d := own.ns - l.ns; d > fitNs && (worst == nil || d > owns.ns-worst.ns) {
			worst, owns = l, own
		}
	}
	if c.skewed = worst != nil; c.skewed {
		c.joined.says = append(c.joined.says, finding{ns: worst.ns, places: []Place{worst.place, owns.place},
			says: sentence("logsDiffer", "off", secondsText(owns.ns-worst.ns), "reader", worst.node, "who", owns.node)})
	}
}
