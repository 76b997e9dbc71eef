package explore

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/world"
)

// setDraws sets the draws of a plan for each candidate.
func (r *root) setDraws(all []float64) {
	for i := range r.setup.Candidates {
		r.draws = append(r.draws, exactDraws(all, &r.setup.Candidates[i]))
	}
}

// drawsOf returns the draws from which the search chooses for a node. The default comes first.
func (b *bounds) drawsOf(s *state, node int32) []float64 { return b.roots[s.root].draws[node] }

// exactDraws returns the draws of a plan for a candidate. The draws low, middle and high give evenly spaced waits.
//
// Even spacing makes the search much smaller. With a retryPeriod of 2 s the waits are 2, 3.2 and just under 4.4 s. If
// two middle waits take exactly as long as a low and a high one, both paths lead to the same state. But a rounding
// error of one nanosecond would keep the two states different for the rest of the search. So the longest extra wait
// becomes an even number of nanoseconds, and the middle one is half of it. A candidate whose clock does not run at
// the true rate keeps the plain draws.
func exactDraws(all []float64, c *world.Candidate) []float64 {
	if c.RatePpm != 0 && c.RatePpm != 1_000_000 {
		return all
	}
	factor := elector.JitterFactor
	if c.OwnJitter {
		factor = c.JitterFactor
	}
	retryNs := int64(c.RetryPeriod)
	extra := func(draw float64) int64 { return int64(float64(float64(draw*factor) * float64(retryNs))) }
	longest := extra(High) &^ 1
	exact := make([]float64, len(all))
	for i, draw := range all {
		exact[i] = draw
		wanted := longest
		switch draw {
		case Middle:
			wanted = longest / 2
		case High:
		default:
			continue
		}
		if near := (float64(wanted) + 0.5) / (factor * float64(retryNs)); near >= 0 && near < 1 &&
			extra(near) == wanted {
			exact[i] = near
		}
	}
	return exact
}
