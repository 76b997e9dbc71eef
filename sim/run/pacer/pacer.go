// Package pacer turns wall time into a budget of virtual time: the one place where the two clocks of the project meet.
//
// Guarantee: it only ever decides how far a run is shown, never what happens in it, so every pace shows the same run.
// Non-guarantee: a page that was asleep does not catch up; at most MostWall of wall time counts at once.
package pacer

import (
	"math/bits"
	"time"

	"github.com/benbjohnson/clock"
)

// MostWall is how much wall time one Advance uses at most: after a stall or a jump of the wall clock the run goes on
// from where it was.
const MostWall = 250 * time.Millisecond

// Factor says how fast virtual time runs at an instant, in millionths of wall time, and until which instant that holds.
type Factor func(nowNs int64) (ppm, untilNs int64)

// Pacer remembers when it was last asked.
type Pacer struct {
	clock clock.Clock
	last  time.Time
	rest  int64 // millionths of a virtual nanosecond not used yet
}

// New returns a pacer on a clock: clock.New() in production, a clock.Mock in tests.
func New(c clock.Clock) *Pacer { return &Pacer{clock: c, last: c.Now()} }

// Reset forgets the time that has passed: playing starts now.
func (p *Pacer) Reset() { p.last, p.rest = p.clock.Now(), 0 }

// Advance returns the instant reached from nowNs by the wall time since the last call.
func (p *Pacer) Advance(nowNs int64, factor Factor) int64 {
	wall := p.clock.Now()
	left := wall.Sub(p.last)
	p.last = wall
	left = min(max(left, 0), MostWall) // the wall clock may jump either way
	for left > 0 {
		ppm, untilNs := factor(nowNs)
		gain, rest := scale(int64(left), ppm, p.rest)
		if nowNs+gain <= untilNs {
			p.rest = rest
			return nowNs + gain
		}
		// The factor changes on the way: use up the wall time that leads there.
		used, _ := bits.Div64(mul(untilNs-nowNs, 1_000_000, uint64(ppm)-1))
		left -= min(time.Duration(max(used, 1)), left)
		nowNs, p.rest = untilNs, 0
	}
	return nowNs
}

// scale is wall·ppm/1e6 and what is left over, in millionths.
func scale(wallNs, ppm, rest int64) (gain, over int64) {
	high, low := bits.Mul64(uint64(wallNs), uint64(ppm))
	low, carry := bits.Add64(low, uint64(rest), 0)
	quotient, remainder := bits.Div64(high+carry, low, 1_000_000)
	return int64(quotient), int64(remainder)
}

// mul is a·b+add in 128 bits, with the divisor bits.Div64 wants as its third argument.
func mul(a, b int64, divisorLessOne uint64) (high, low, divisor uint64) {
	divisor = divisorLessOne + 1
	high, low = bits.Mul64(uint64(a), uint64(b))
	low, carry := bits.Add64(low, divisorLessOne, 0)
	return high + carry, low, divisor
}
