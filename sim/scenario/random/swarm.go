// Package swarm makes random scenarios: few candidates, odd settings, and everything that can happen to them. Tests use
// it to look where nobody thought of looking.
//
// Guarantee: a scenario is a function of its number and is valid.
// Non-guarantee: the faults are frequent and wild; nothing about real clusters follows from how often something breaks.
package random

import (
	"math/rand/v2"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Scenario is the scenario with a number.
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
		LeaseDuration: new(scenario.Duration(renew) + 1 + g.upTo(10*time.Second)), RequestTimeout: new(g.upTo(4 * time.Second)),
	}
	if g.one(2) {
		s.Elector.ReleaseOnCancel = new(true)
	}
	s.Network = scenario.Network{RequestLatency: new(g.upTo(40 * time.Millisecond)), ResponseLatency: new(g.upTo(40 * time.Millisecond))}
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
		s.Resource = &scenario.Resource{Fence: g.pick("none", "leaseTransitions", "resourceVersion"), WriteEvery: scenario.Duration(time.Millisecond) + g.upTo(5*time.Second)}
	}
	for range g.IntN(12) {
		with := s
		with.Actions = append(s.Actions[:len(s.Actions):len(s.Actions)], g.action(s))
		if scenario.Validate(with) == nil { // what does not fit, such as an act on a node that left, is left out
			s = with
		}
	}
	return s
}

// controlPlane gives the scenario API servers, and most candidates a LeaseCandidate. Some electors stay plain.
func (g generator) controlPlane(s *scenario.Scenario) {
	if g.one(2) {
		s.NilHolder = scenario.NilHolderIntended
	}
	for i := range 1 + g.IntN(3) {
		a := scenario.APIServer{Name: "api-" + string(rune('1'+i)), Version: g.version(), RestartAfter: g.upTo(20 * time.Second)}
		if g.one(3) {
			a.WatchLag = g.upTo(2 * time.Second)
		}
		if g.one(4) {
			a.StartAt = g.upTo(5 * time.Second)
		}
		if g.one(4) {
			a.Clock = &scenario.Clock{Offset: g.upTo(20*time.Second) - scenario.Duration(10*time.Second), RatePpm: g.rate()}
		}
		s.APIServers = append(s.APIServers, a)
	}
	s.Elector.Coordinated = new(!g.one(4))
	for i := range s.Candidates {
		g.coordinated(&s.Candidates[i], *s)
	}
}

// coordinated makes a candidate of a LeaseCandidate out of one without.
func (g generator) coordinated(c *scenario.Candidate, s scenario.Scenario) {
	with := *c
	with.APIServer = s.APIServers[g.IntN(len(s.APIServers))].Name
	with.BinaryVersion, with.EmulationVersion = "1.37.0", g.version()
	with.Strategy = g.pick("OldestEmulationVersion", "OldestEmulationVersion", "OldestEmulationVersion", "example.com/s")
	if g.one(4) {
		with.PingAckDelay = g.upTo(8 * time.Second)
	}
	if with.Clock != nil {
		with.Clock = &scenario.Clock{Offset: g.upTo(10*time.Second) - scenario.Duration(8*time.Second), RatePpm: with.Clock.RatePpm}
	}
	if !g.one(6) {
		*c = with
	}
}

func (g generator) version() string { return g.pick("1.35.0", "1.36.0", "1.37.0") }

type generator struct{ *rand.Rand }

// one in n.
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

// action is any act at any instant of the run.
func (g generator) action(s scenario.Scenario) scenario.Action {
	rules := scenario.Acts()
	a := scenario.Action{At: g.upTo(time.Duration(s.Duration)), Act: rules[g.IntN(len(rules))].Word}
	a.Target = g.pick("holder", "holder", "*", "a", "a", "b", "c", "d")
	if len(s.APIServers) > 0 && g.one(4) {
		a.Target = s.APIServers[g.IntN(len(s.APIServers))].Name
	}
	if s.Heartbeats != nil && g.one(3) {
		a.Target = g.pick("node-0", "node-0", "node-1", "monitor")
	}
	if g.one(2) {
		a.For = g.upTo(40 * time.Second)
	}
	switch a.Act {
	case scenario.ActCut:
		a.Direction, a.Mode = g.pick("both", "up", "down"), g.pick("drop", "refuse", "hold", "late", "connection")
	case scenario.ActFail:
		a.Error = g.pick(scenario.Choices("Action.error")...)
		a.Verb, a.Count = g.pick("", "get", "update", "reads", "writes"), g.IntN(4)
		g.again(&a)
	case scenario.ActLatency:
		a.Request, a.Response = new(g.upTo(6*time.Second)), new(g.upTo(3*time.Second))
		if g.one(2) {
			a.Request, a.RequestDistribution = nil, g.distribution()
		}
		g.again(&a)
	case scenario.ActClock:
		a.For, a.RatePpm = 0, g.rate()
		if g.one(2) {
			a.Offset = new(g.upTo(time.Hour))
		} else if g.one(2) {
			a.Jump = new(g.upTo(time.Hour))
		}
	case scenario.ActWrite:
		a.Target, a.For = "", 0
		g.write(&a)
	case scenario.ActRequest:
		a.Target, a.For = "", 0
		g.request(&a)
		if len(s.APIServers) > 0 && g.one(2) {
			g.candidateRequest(&a)
		}
	case scenario.ActAdd:
		a.Target, a.For = "", 0
		c := g.candidate(g.pick("x", "y", "z"), 2*time.Second)
		if len(s.APIServers) > 0 {
			g.coordinated(&c, s)
		}
		a.Candidate = &c
	case scenario.ActUpgrade:
		a.For, a.BinaryVersion = 0, "1.37.0"
		a.EmulationVersion = g.pick("", g.version())
	case scenario.ActSet:
		a.For = 0
		a.Network = &scenario.Network{RequestLatency: new(g.upTo(100 * time.Millisecond))}
		if g.one(2) {
			a.Elector = &scenario.Elector{RequestTimeout: new(g.upTo(2 * time.Second)), ReleaseOnCancel: new(g.one(2))}
		}
		if g.one(4) {
			a.Network = &scenario.Network{ResponseDistribution: g.distribution()}
		}
	case scenario.ActServer:
		a.Target, a.For, a.Server = "", 0, g.server()
	case scenario.ActRollback:
		a.Target, a.For = "", 0
		a.To = new(g.upTo(time.Duration(a.At) + 1))
	case scenario.ActBurst:
		a.For, a.Count = 0, 1+g.IntN(100)
	case scenario.ActPause, scenario.ActSuspend, scenario.ActHang:
	default:
		a.For = 0
	}
	return a
}

func (g generator) write(a *scenario.Action) {
	a.Op = g.pick(scenario.OpPut, scenario.OpPatch, scenario.OpDelete, scenario.OpTouch)
	switch a.Op {
	case scenario.OpPut:
		a.Spec = &scenario.LeaseSpec{HolderIdentity: new(g.pick("", "a", "b", "stranger")), LeaseDurationSeconds: new(int32(1 + g.IntN(30)))}
	case scenario.OpPatch:
		a.Spec = &scenario.LeaseSpec{HolderIdentity: new(g.pick("", "a", "stranger"))}
		a.RenewNow = g.one(2)
	}
}

// request is a request to the API: mostly about the Lease, sometimes about another one.
func (g generator) request(a *scenario.Action) {
	collection := "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	name := g.pick("demo", "demo", "other")
	holder := g.pick("", "a", "b", "stranger")
	a.Method = g.pick("POST", "PATCH", "PATCH", "PATCH", "DELETE")
	a.Path = collection + "/" + name
	switch a.Method {
	case "POST":
		a.Path = collection
		a.Body = `{"metadata":{"name":"` + name + `","labels":{"l":"` + holder + `"}},"spec":{"holderIdentity":"` + holder + `"}}`
	case "PATCH":
		a.Headers = []string{"Content-Type: " + g.pick("application/merge-patch+json", "application/strategic-merge-patch+json"), "User-Agent: " + g.pick("kubectl/1", "leaselab/1")}
		a.Body = `{"metadata":{"annotations":{"n":"` + holder + `"}},"spec":{"holderIdentity":"` + holder + `"}}`
		if g.one(4) {
			a.Body = `{"metadata":{"finalizers":` + g.pick(`["example.com/f"]`, "null") + `}}`
		}
	}
}

// candidateRequest is a request to the API about a LeaseCandidate.
func (g generator) candidateRequest(a *scenario.Action) {
	collection := "/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates"
	name := g.pick("a", "a", "b", "ghost")
	a.Method, a.Headers, a.Body = g.pick("POST", "PATCH", "DELETE"), nil, ""
	a.Path = collection + "/" + name
	switch a.Method {
	case "POST":
		a.Path = collection
		a.Body = `{"metadata":{"name":"` + name + `"},"spec":{"leaseName":"demo","binaryVersion":"1.37.0","emulationVersion":"` + g.version() + `","strategy":"OldestEmulationVersion","renewTime":"2000-01-01T00:00:30.000000Z"}}`
	case "PATCH":
		a.Headers = []string{"Content-Type: application/merge-patch+json"}
		a.Body = `{"metadata":{"labels":{"l":"x"}},"spec":{"emulationVersion":"` + g.version() + `"}}`
	}
}
