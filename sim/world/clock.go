package world

import (
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/wide"
)

// EpochUnixNs is what an unshifted wall clock shows at instant 0 of every run: 2000-01-01T00:00:00Z.
const EpochUnixNs = 946_684_800 * int64(1e9)

const (
	trueRatePpm = 1_000_000
	stoppedRate = 0 // rate of a suspended node, whose monotonic clock stops
)

// clock is the clock of a node. The clock's monotonic reading has grown at ratePpm since baseNow.
//
// Example: at 10 s of world time a rate of 500,000 ppm begins. At 30 s of world time the monotonic clock reads 20 s,
// since the last 20 s of world time were only 10 s on this clock.  A timer of 4 s that starts at 30 s is due at 38 s.
type clock struct {
	baseNow  int64
	baseMono int64
	offsetNs int64
	ratePpm  int64
	awakePpm int64 // the rate to which a suspended node returns when it wakes
	sleptNs  int64 // total time suspended, by which its monotonic clock lags behind its wall clock
}

func (c *clock) mono(now int64) int64 {
	if c.ratePpm == trueRatePpm {
		return c.baseMono + now - c.baseNow
	}
	if c.ratePpm == stoppedRate {
		return c.baseMono
	}
	return c.baseMono + wide.MulDiv(now-c.baseNow, c.ratePpm, trueRatePpm)
}

func (c *clock) read(now int64) step.Reading {
	mono := c.mono(now)
	return step.Reading{Now: now, Mono: mono, Wall: EpochUnixNs + mono + c.offsetNs}
}

// worldTime returns the instant at which the monotonic clock will read mono if its rate stays the same.
func (c *clock) worldTime(mono int64) int64 {
	if c.ratePpm == trueRatePpm || c.ratePpm == stoppedRate {
		return c.baseNow + mono - c.baseMono
	}
	return c.baseNow + wide.MulDiv(mono-c.baseMono, trueRatePpm, c.ratePpm)
}

// timer returns the world time that a timer of a given duration takes on this clock.
func (c *clock) timer(durationNs int64) int64 {
	if c.ratePpm == trueRatePpm || c.ratePpm == stoppedRate {
		return durationNs
	}
	return wide.MulDiv(durationNs, trueRatePpm, c.ratePpm)
}

// `set` changes the rate and the offset. The monotonic reading does not jump.
func (c *clock) set(now, offsetNs, ratePpm int64) {
	c.baseMono, c.baseNow = c.mono(now), now
	c.offsetNs, c.ratePpm = offsetNs, ratePpm
}

// `suspend` stops the monotonic clock.
func (c *clock) suspend(now int64) {
	c.awakePpm = c.ratePpm
	c.set(now, c.offsetNs, stoppedRate)
}

// `wake` restarts a suspended clock. Its wall clock reading jumps ahead by the time that the node slept.
func (c *clock) wake(now, sleptNs int64) {
	if c.ratePpm != stoppedRate {
		return
	}
	c.set(now, c.offsetNs+sleptNs, c.awakePpm)
	c.sleptNs += sleptNs
}

// `reaches` returns the first instant at which the monotonic clock reads at least the given value. worldTime rounds, so
// its result may be too early.
func (c *clock) reaches(mono int64) int64 {
	if c.ratePpm == stoppedRate {
		return step.Never
	}
	at := c.worldTime(mono)
	for c.mono(at) < mono {
		at++
	}
	return at
}
