// Package random makes random scenarios: a few candidates, unusual settings, and every act. Tests use them to find
// bugs that nobody thought of.
//
// Guarantee: a scenario depends only on its number and is valid. Non-guarantee: faults are far more frequent than in
// real clusters, so how often a rule breaks says nothing about real clusters.
package random

import (
	"math/rand/v2"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Scenario returns the random scenario with a number.
func Scenario(number uint64) scenario.Scenario {
	g := generator{rand.New(rand.NewPCG(number, 0x5711))}
	s := scenario.Scenario{
		APIVersion: scenario.APIVersion, Kind: scenario.Kind, Name: "swarm", Seed: g.Uint64N(1000),
		Duration: scenario.Duration(time.Minute) + g.upTo(2*time.Minute),
	}
	retry := time.Duration(g.upTo(3*time.Second)) + 100*time.Millisecond
	renew := retry*6/5 + 1 + time.Duration(g.upTo(10*time.Second))
	s.Elector = scenario.Elector{
		RetryPeriod: new(scenario.Duration(retry)), RenewDeadline: new(scenario.Duration(renew)),
		LeaseDuration:  new(scenario.Duration(renew) + 1 + g.upTo(10*time.Second)),
		RequestTimeout: new(g.upTo(4 * time.Second)),
	}
	if g.one(2) {
		s.Elector.ReleaseOnCancel = new(true)
	}
	s.Network = scenario.Network{RequestLatency: new(g.upTo(40 * time.Millisecond)),
		ResponseLatency: new(g.upTo(40 * time.Millisecond))}
	for i := range 1 + g.IntN(5) {
		s.Candidates = append(s.Candidates, g.candidate(string(rune('a'+i)), 2*time.Second))
	}
	if g.one(3) {
		g.controlPlane(&s)
	}
	if g.one(3) {
		g.network(&s)
	}
	if g.one(6) {
		g.heartbeats(&s)
	}
	if g.one(3) {
		s.Resource = &scenario.Resource{Fence: g.pick("none", "leaseTransitions", "resourceVersion"),
			WriteEvery: scenario.Duration(time.Millisecond) + g.upTo(5*time.Second)}
	}
	for range g.IntN(12) {
		with := s
		with.Actions = append(s.Actions[:len(s.Actions):len(s.Actions)], g.action(&s))
		if scenario.Validate(with) == nil { // leave out an act that does not fit, such as one on a removed node
			s = with
		}
	}
	return shorthands(number, s)
}

// controlPlane adds API servers to a scenario, and a LeaseCandidate to most candidates. The other electors stay plain.
func (g generator) controlPlane(s *scenario.Scenario) {
	if g.one(2) {
		s.NilHolder = scenario.NilHolderIntended
	}
	for i := range 1 + g.IntN(3) {
		a := scenario.APIServer{Name: "api-" + string(rune('1'+i)), Version: g.version(),
			RestartAfter: g.upTo(20 * time.Second)}
		if g.one(3) {
			a.WatchLag = g.upTo(2 * time.Second)
		}
		if g.one(4) {
			a.StartAt = g.upTo(5 * time.Second)
		}
		if g.one(4) {
			a.Clock = &scenario.Clock{Offset: g.upTo(20*time.Second) - scenario.Duration(10*time.Second),
				RatePpm: g.rate()}
		}
		s.APIServers = append(s.APIServers, a)
	}
	s.Elector.Coordinated = new(!g.one(4))
	for i := range s.Candidates {
		g.addLeaseCandidate(&s.Candidates[i], *s)
	}
}

// addLeaseCandidate adds a LeaseCandidate to a candidate.
func (g generator) addLeaseCandidate(c *scenario.Candidate, s scenario.Scenario) {
	with := *c
	with.APIServer = s.APIServers[g.IntN(len(s.APIServers))].Name
	with.BinaryVersion, with.EmulationVersion = "1.37.0", g.version()
	with.Strategy = g.pick("OldestEmulationVersion", "OldestEmulationVersion", "OldestEmulationVersion",
		"example.com/s")
	if g.one(4) {
		with.PingAckDelay = g.upTo(8 * time.Second)
	}
	if with.Clock != nil {
		with.Clock = &scenario.Clock{Offset: g.upTo(10*time.Second) - scenario.Duration(8*time.Second),
			RatePpm: with.Clock.RatePpm}
	}
	if !g.one(6) {
		*c = with
	}
}

func (g generator) version() string { return g.pick("1.35.0", "1.36.0", "1.37.0") }

type generator struct{ *rand.Rand }

// one returns true once in n times, on average.
func (g generator) one(n int) bool { return g.IntN(n) == 0 }

func (g generator) upTo(d time.Duration) scenario.Duration {
	return scenario.Duration(g.Int64N(int64(d)))
}

func (g generator) pick(words ...string) string { return words[g.IntN(len(words))] }

func (g generator) rate() int64 { return 400_000 + g.Int64N(2_000_000) }

func (g generator) candidate(name string, within time.Duration) scenario.Candidate {
	c := scenario.Candidate{Name: name, StartAt: g.upTo(within)}
	if g.one(8) {
		c.Identity = "shared"
	}
	if g.one(3) {
		c.Clock = &scenario.Clock{Offset: g.upTo(2*time.Hour) - scenario.Duration(time.Hour)}
		if g.one(2) {
			c.Clock.RatePpm = g.rate()
		}
	}
	if g.one(4) {
		c.Network = &scenario.Network{RequestLatency: new(g.upTo(900 * time.Millisecond))}
	}
	if g.one(3) {
		c.Restart, c.RestartAfter = g.pick(scenario.RestartNew, scenario.RestartSame), g.upTo(5*time.Second)
	}
	if g.one(5) {
		c.WorkTail = g.upTo(4 * time.Second)
	}
	return c
}
