package check

import (
	"strconv"

	"github.com/leaselab/leaselab/sim/judge/rules"
)

// State of a rule at an instant.
type State uint8

const (
	Fine     State = iota
	Off            // nothing there to check
	Observed       // broken, and only worth knowing
	Broken
	Unjudged // measured, and the scenario gives no bound to judge it by
)

var stateNames = [...]string{"ok", "off", "observed", "violated", "unjudged"}

func (s State) String() string { return stateNames[s] }

// Finding is what one checker has to say.
type Finding struct {
	Rule   *rules.Rule
	State  State
	Figure string // measured, in words
	Count  int    // breaches so far
	First  int    // index of the first in Violations, -1: none
}

// Findings is one entry for each rule, in their order, at an instant that the checks have reached.
func (c *Checks) Findings(nowNs int64) []Finding {
	all := make([]Finding, len(checkers))
	for k := range checkers {
		f := &all[k]
		*f = Finding{Rule: checkers[k].Rule, First: -1, Figure: checkers[k].figure(c, nowNs)}
		if off := checkers[k].off; off != nil && off(c) {
			f.State = Off
		}
		if unbound := checkers[k].unbound; unbound != nil && unbound(c) {
			f.State = Unjudged
		}
		for i := range c.Violations {
			v := &c.Violations[i]
			if v.Rule != checkers[k].Name || v.FromNs > nowNs {
				continue
			}
			if f.First < 0 {
				f.First, f.State = i, Observed
			}
			if v.Severity != rules.Observation {
				f.State = Broken
			}
			f.Count++
		}
	}
	return all
}

// lengths counts the violations of a rule and measures the longest.
func (c *Checks) lengths(rule string, nowNs int64) (number int, longestNs int64) {
	for i := range c.Violations {
		v := &c.Violations[i]
		if v.Rule != rule || v.FromNs > nowNs {
			continue
		}
		number++
		until := v.UntilNs
		if until < 0 || until > nowNs {
			until = nowNs
		}
		longestNs = max(longestNs, until-v.FromNs)
	}
	return number, longestNs
}

// The words of figures are those of sim/explain, which may not be imported here. They are not inlined: this package is for
// speed's sake, and words are not fast.

//go:noinline
func whole(n int64) string { return strconv.FormatInt(n, 10) }

// decimal writes hundredths.
//
//go:noinline
func decimal(hundredths int64) string {
	return whole(hundredths/100) + "." + whole(hundredths/10%10) + whole(hundredths%10)
}

// seconds is a length with three decimals, half away from zero: "13.165 s".
//
//go:noinline
func seconds(ns int64) string {
	if ns < 0 {
		return "−" + seconds(-ns)
	}
	return milliseconds((ns+500_000)/1_000_000) + " s"
}

//go:noinline
func milliseconds(ms int64) string {
	return whole(ms/1000) + "." + whole(ms/100%10) + whole(ms/10%10) + whole(ms%10)
}

// instant is a place on the run's clock: "00:34.039".
//
//go:noinline
func instant(ns int64) string {
	ms := (ns + 500_000) / 1_000_000
	text := two(ms/60_000%60) + ":" + two(ms/1000%60) + "." + milliseconds(ms % 1000)[2:]
	if h := ms / 3_600_000; h > 0 {
		return two(h) + ":" + text
	}
	return text
}

//go:noinline
func two(n int64) string {
	if n < 10 {
		return "0" + whole(n)
	}
	return whole(n)
}

//go:noinline
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return whole(n) + " " + many
}

func times(n int) string { return plural(int64(n), "time", "times") }
