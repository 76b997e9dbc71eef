package world

import (
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/wide"
)

// EpochUnixNs is the instant 0 of every run on an unshifted wall clock: 2000-01-01T00:00:00Z.
const EpochUnixNs = 946_684_800 * int64(1e9)

const (
	trueRatePpm = 1_000_000
	stoppedRate = 0 // of a suspended node: its monotonic reading does not advance
)

// clock is a node's clock. Since baseNow its monotonic reading grows at ratePpm.
type clock struct {
	baseNow  int64
	baseMono int64
	offsetNs int64
	ratePpm  int64
	awakePpm int64 // of a suspended node: its rate once it wakes
	sleptNs  int64 // the time of all its suspensions: how far its monotonic clock is behind its wall clock
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

// worldTime is the instant at which the monotonic reading is mono, if the rate stays.
func (c *clock) worldTime(mono int64) int64 {
	if c.ratePpm == trueRatePpm || c.ratePpm == stoppedRate {
		return c.baseNow + mono - c.baseMono
	}
	return c.baseNow + wide.MulDiv(mono-c.baseMono, trueRatePpm, c.ratePpm)
}

// timer is the world time that a timer of that duration takes on this clock.
func (c *clock) timer(durationNs int64) int64 {
	if c.ratePpm == trueRatePpm || c.ratePpm == stoppedRate {
		return durationNs
	}
	return wide.MulDiv(durationNs, trueRatePpm, c.ratePpm)
}

// set changes the rate and the offset. The monotonic reading does not jump.
func (c *clock) set(now, offsetNs, ratePpm int64) {
	c.baseMono, c.baseNow = c.mono(now), now
	c.offsetNs, c.ratePpm = offsetNs, ratePpm
}

// suspend stops the monotonic reading.
func (c *clock) suspend(now int64) {
	c.awakePpm = c.ratePpm
	c.set(now, c.offsetNs, stoppedRate)
}

// wake starts a suspended clock again. Its wall reading jumps ahead by the time that it slept.
func (c *clock) wake(now, sleptNs int64) {
	if c.ratePpm != stoppedRate {
		return
	}
	c.set(now, c.offsetNs+sleptNs, c.awakePpm)
	c.sleptNs += sleptNs
}

// reaches is the first instant at which the monotonic reading is at least mono. worldTime rounds, so its instant may be
// too early.
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
