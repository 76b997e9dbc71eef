package whatif

import (
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// Sentence describes a line. The text follows the word "with": "releaseOnCancel: 2.100 s, 11.900 s shorter".
func (l *Line) Sentence(o *Outcome) string {
	r := &l.Result
	if o.Rule != "" {
		switch r.Fate {
		case NoViolation:
			text := l.Label + ": " + o.Rule + " is not broken"
			if o.Rule == rules.MoreThanOneActive {
				text = l.Label + ": never two at once"
			}
			if r.LeaderlessNs > 0 {
				text += "; no leader for " + words.Seconds(r.LeaderlessNs)
			}
			return text
		case Measured:
			if r.LengthNs == 0 {
				return l.Label + ": still broken"
			}
		}
	}
	switch r.Fate {
	case NoChange:
		return l.Label + ": the leader does not change"
	case NeverAgain:
		return l.Label + ": nobody leads again, because no candidate is left"
	case NotYet:
		return l.Label + ": nobody leads again before the run ends, " + words.Seconds(r.LengthNs) + " later"
	case Overlap:
		return l.Label + ": no gap, but two lead at once for " + words.Seconds(r.LengthNs)
	case Counted:
		return l.Label + ": " + stale(r.StaleWrites, o.Base.StaleWrites)
	}
	text := l.Label + ": " + words.Seconds(r.LengthNs)
	switch longer := r.LengthNs - o.Base.LengthNs; {
	case longer == 0:
		text += ", unchanged"
	case longer < 0:
		text += ", " + words.Seconds(-longer) + " shorter"
	default:
		text += ", " + words.Seconds(longer) + " longer"
	}
	if o.Rule == rules.MoreThanOneActive && r.StaleWrites != o.Base.StaleWrites {
		text += "; " + stale(r.StaleWrites, o.Base.StaleWrites)
	}
	return text
}

// `stale` compares how many stale writes the resource accepted in two runs.
func stale(now, before int64) string {
	return words.Count(now, "stale write", "stale writes") + " taken, " + words.Number(before) + " without the change"
}

// Effect returns "better", "same" or "worse".
func (l *Line) Effect(o *Outcome) string {
	switch c := l.Result.compare(&o.Base); {
	case c < 0:
		return "better"
	case c > 0:
		return "worse"
	}
	return "same"
}
