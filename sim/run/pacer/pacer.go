// Package pacer converts wall time into a budget of virtual time. The project's two clocks meet only here. A Pacer
// remembers its last call. Advance multiplies the wall time since then by a Factor (in millionths), and returns the
// instant up to which the page may show the run.
//
// Guarantee: it decides only how far to show a run, never what happens in it, so every pace shows the same run.
// Non-guarantee: if the page was asleep, the run does not catch up, because one Advance counts at most MostWall of
// wall time.
package pacer

import (
	"math/bits"
	"time"

	"github.com/benbjohnson/clock"
)

// MostWall limits the wall time of one Advance. After a stall or a jump of the wall clock the run continues where it
// was.
const MostWall = 250 * time.Millisecond

// Factor returns the speed of virtual time at an instant, in millionths of wall time. It also returns the instant
// until which that speed applies.
type Factor func(nowNs int64) (ppm, untilNs int64)

// Pacer remembers the time of its last call.
type Pacer struct {
	clock clock.Clock
	last  time.Time
	rest  int64 // unused remainder in millionths of a virtual nanosecond
}

// New returns a pacer that reads a clock: clock.New() in production, a clock.Mock in tests.
func New(c clock.Clock) *Pacer { return &Pacer{clock: c, last: c.Now()} }

// Reset discards the elapsed time: playing starts now.
func (p *Pacer) Reset() { p.last, p.rest = p.clock.Now(), 0 }

// Advance returns the instant that a run at nowNs reaches in the wall time since the last call.
func (p *Pacer) Advance(nowNs int64, factor Factor) int64 {
	wall := p.clock.Now()
	left := wall.Sub(p.last)
	p.last = wall
	left = min(max(left, 0), MostWall) // the wall clock may jump forward or back
	for left > 0 {
		ppm, untilNs := factor(nowNs)
		gain, rest := scale(int64(left), ppm, p.rest)
		if nowNs+gain <= untilNs {
			p.rest = rest
			return nowNs + gain
		}
		// The factor changes earlier, so first use up the wall time until that change.
		used, _ := bits.Div64(mul(untilNs-nowNs, 1_000_000, uint64(ppm)-1))
		left -= min(time.Duration(max(used, 1)), left)
		nowNs, p.rest = untilNs, 0
	}
	return nowNs
}

// scale returns wall·ppm/1e6 and the remainder in millionths.
func scale(wallNs, ppm, rest int64) (gain, over int64) {
	high, low := bits.Mul64(uint64(wallNs), uint64(ppm))
	low, carry := bits.Add64(low, uint64(rest), 0)
	quotient, remainder := bits.Div64(high+carry, low, 1_000_000)
	return int64(quotient), int64(remainder)
}

// mul returns a·b+add in 128 bits. It also returns the argument divisor, which bits.Div64 needs as its third argument.
func mul(a, b int64, divisorLessOne uint64) (high, low, divisor uint64) {
	divisor = divisorLessOne + 1
	high, low = bits.Mul64(uint64(a), uint64(b))
	low, carry := bits.Add64(low, divisorLessOne, 0)
	return high + carry, low, divisor
}
