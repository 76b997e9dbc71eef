package random

import (
	"math/rand/v2"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Speaking returns the scenario with a number, extended by more settings of processes and clients, and with dialects.
// With dialects, electors break rules that client-go keeps: a leader may start without the Lease, or a Lease may never
// have a holder again.
func Speaking(number uint64) scenario.Scenario {
	s := Scenario(number)
	with := s.Clone()
	generator{rand.New(rand.NewPCG(number, 0xd1a1))}.process(&with)
	if scenario.Validate(with) != nil {
		// leave out settings that do not fit, such as a dialect with coordinated election
		with = s
	}
	return settings(number, with)
}

// process draws settings of processes and clients, and dialects.
func (g generator) process(s *scenario.Scenario) {
	p, c, e := &s.Process, &s.Client, &s.Elector
	if g.one(2) {
		p.DrainAfterCancel, p.DrainAfterLoss = new(g.upTo(20*time.Second)), new(g.upTo(20*time.Second))
	}
	p.OnLoss = g.pick("", "", scenario.OnLossExit, scenario.OnLossIgnore)
	if g.one(2) {
		p.RestartAfterCrash = new(g.upTo(10 * time.Second))
	}
	if g.one(2) {
		p.RestartBackoffMax = new(g.upTo(time.Minute))
	}
	p.IdentityAtRestart = g.pick("", scenario.IdentityKeep, scenario.IdentityNew)
	if g.one(2) {
		p.WatchdogTolerance, p.WatchdogPeriod, p.WatchdogFailures = new(g.upTo(20*time.Second)),
			new(scenario.Duration(time.Second)+g.upTo(10*time.Second)), new(1+g.IntN(3))
	}
	if g.one(2) {
		c.QPS, c.Burst, c.OwnLeaseClient, c.WorkQPS = new(1+g.Float64()*9), new(1+g.IntN(20)), new(g.one(3)),
			new(g.Float64()*9)
	}
	if g.one(3) {
		e.JitterFactor = new(g.Float64() * 1.2)
	}
	if g.one(3) {
		e.CallbackDelay = new(g.upTo(20 * time.Second))
	}
	e.ReleaseAfterWork, e.ReleaseChecksHolder = new(g.one(3)), new(g.one(3))
	words := scenario.Choices("Elector.dialect")[1:]
	e.RequestTimeout = nil
	for range g.IntN(4) { // leave out a dialect that contradicts another one
		with := *s
		with.Elector.Dialect = append(e.Dialect[:len(e.Dialect):len(e.Dialect)], words[g.IntN(len(words))])
		if scenario.Validate(with) == nil {
			*s = with
		}
	}
}
