package whatif

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// Sentence is a line in words, after "with ": "releaseOnCancel: 2.100 s, 11.900 s shorter".
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
				text += "; nobody leads for " + words.Seconds(r.LeaderlessNs)
			}
			return text
		case Measured:
			if r.LengthNs == 0 {
				return l.Label + ": broken all the same"
			}
		}
	}
	switch r.Fate {
	case NoChange:
		return l.Label + ": the leader does not change"
	case NeverAgain:
		return l.Label + ": nobody leads again"
	case Overlap:
		return l.Label + ": no gap, but two lead at once for " + words.Seconds(r.LengthNs)
	}
	text := l.Label + ": " + words.Seconds(r.LengthNs)
	switch longer := r.LengthNs - o.Base.LengthNs; {
	case longer == 0:
		return text + ", as it was"
	case longer < 0:
		return text + ", " + words.Seconds(-longer) + " shorter"
	default:
		return text + ", " + words.Seconds(longer) + " longer"
	}
}

// Effect is "better", "same" or "worse".
func (l *Line) Effect(o *Outcome) string {
	switch a, b := l.Result.weight(), o.Base.weight(); {
	case a < b:
		return "better"
	case a > b:
		return "worse"
	}
	return "same"
}
