package random

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// action draws any act at any instant of the run. The result may be invalid.
func (g generator) action(s *scenario.Scenario) scenario.Action {
	// see shorthands
	acts := slices.DeleteFunc(scenario.Acts(),
		func(a *scenario.Act) bool { return a.Word == scenario.ActRollingUpdate })
	a := scenario.Action{At: g.upTo(time.Duration(s.Duration))}
	act := acts[g.IntN(len(acts))]
	a.Act = act.Word
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
	if !act.TakesField("target") {
		a.Target = ""
	}
	if !act.TakesField("for") || a.Act == scenario.ActCrash {
		a.For = 0
	}
	if draw := draws[a.Act]; draw != nil {
		draw(g, s, &a)
	} else {
		g.fields(act, &a)
	}
	return a
}

// fields draws the words and counts that an act takes, from the table of fields.
func (g generator) fields(act *scenario.Act, a *scenario.Action) {
	for _, name := range act.Takes {
		field := reflect.ValueOf(a).Elem().FieldByName(strings.ToUpper(name[:1]) + name[1:])
		if words := scenario.Choices("Action." + name); words != nil {
			field.SetString(g.pick(words...))
		} else if field.Kind() == reflect.Int {
			field.SetInt(int64(1 + g.IntN(100)))
		}
	}
}

// draws has a function for each act that needs more than a target, a length, words and counts.
var draws = map[string]func(g generator, s *scenario.Scenario, a *scenario.Action){
	scenario.ActFail:    generator.fail,
	scenario.ActLatency: generator.latency,
	scenario.ActClock:   generator.clock,
	scenario.ActWrite:   generator.write,
	scenario.ActRequest: generator.request,
	scenario.ActAdd:     generator.add,
	scenario.ActUpgrade: generator.upgrade,
	scenario.ActSet:     generator.set,
	scenario.ActServer:  func(g generator, _ *scenario.Scenario, a *scenario.Action) { a.Server = g.server() },
	scenario.ActRollback: func(g generator, _ *scenario.Scenario, a *scenario.Action) {
		a.To = new(g.upTo(time.Duration(a.At) + 1))
	},
}

func (g generator) fail(_ *scenario.Scenario, a *scenario.Action) {
	a.Error = g.pick(scenario.Choices("Action.error")...)
	a.Verb, a.Count = g.pick("", "get", "update", "reads", "writes"), g.IntN(4)
	if scenario.CanRetryAfter(*a) && g.one(2) {
		a.RetryAfter = new(scenario.Duration(g.IntN(7)) * scenario.Duration(time.Second))
	}
	g.again(a)
}

func (g generator) latency(_ *scenario.Scenario, a *scenario.Action) {
	a.Request, a.Response = new(g.upTo(6*time.Second)), new(g.upTo(3*time.Second))
	if g.one(2) {
		a.Request, a.RequestDistribution = nil, g.distribution()
	}
	g.again(a)
}

// again turns an act that has a length into a repeated act.
func (g generator) again(a *scenario.Action) {
	if a.For > 0 && g.one(4) {
		a.Every = a.For + 1 + g.upTo(30*time.Second)
	}
}

func (g generator) clock(_ *scenario.Scenario, a *scenario.Action) {
	a.RatePpm = g.rate()
	if g.one(2) {
		a.Offset = new(g.upTo(time.Hour))
	} else if g.one(2) {
		a.Jump = new(g.upTo(time.Hour))
	}
}

func (g generator) add(s *scenario.Scenario, a *scenario.Action) {
	c := g.candidate(g.pick("x", "y", "z"), 2*time.Second)
	if len(s.APIServers) > 0 {
		g.addLeaseCandidate(&c, *s)
	}
	a.Candidate = &c
}

func (g generator) upgrade(_ *scenario.Scenario, a *scenario.Action) {
	a.BinaryVersion, a.EmulationVersion = "1.37.0", g.pick("", g.version())
}

func (g generator) set(_ *scenario.Scenario, a *scenario.Action) {
	a.Network = &scenario.Network{RequestLatency: new(g.upTo(100 * time.Millisecond))}
	if g.one(2) {
		a.Elector = &scenario.Elector{RequestTimeout: new(g.upTo(2 * time.Second)), ReleaseOnCancel: new(g.one(2))}
	}
	if g.one(4) {
		a.Network = &scenario.Network{ResponseDistribution: g.distribution()}
	}
}

func (g generator) write(_ *scenario.Scenario, a *scenario.Action) {
	a.Op = g.pick(scenario.OpPut, scenario.OpPatch, scenario.OpDelete, scenario.OpTouch)
	switch a.Op {
	case scenario.OpPut:
		a.Spec = &scenario.LeaseSpec{HolderIdentity: new(g.pick("", "a", "b", "stranger")),
			LeaseDurationSeconds: new(int32(1 + g.IntN(30)))}
	case scenario.OpPatch:
		a.Spec = &scenario.LeaseSpec{HolderIdentity: new(g.pick("", "a", "stranger"))}
		a.RenewNow = g.one(2)
	}
}

// request is a request to the API: about the Lease, another Lease or, with API servers, a LeaseCandidate.
func (g generator) request(s *scenario.Scenario, a *scenario.Action) {
	g.leaseRequest(a)
	if len(s.APIServers) > 0 && g.one(2) {
		g.candidateRequest(a)
	}
}

// leaseRequest is a request to the API: mostly about the Lease, sometimes about another one.
func (g generator) leaseRequest(a *scenario.Action) {
	collection := "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	name := g.pick("demo", "demo", "other")
	holder := g.pick("", "a", "b", "stranger")
	a.Method = g.pick("POST", "PATCH", "PATCH", "PATCH", "DELETE")
	a.Path = collection + "/" + name
	switch a.Method {
	case "POST":
		a.Path = collection
		a.Body = `{"metadata":{"name":"` + name + `","labels":{"l":"` + holder + `"}},"spec":{"holderIdentity":"` +
			holder + `"}}`
	case "PATCH":
		a.Headers = []string{"Content-Type: " +
			g.pick("application/merge-patch+json", "application/strategic-merge-patch+json"), "User-Agent: " +
			g.pick("kubectl/1", "leaselab/1")}
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
		a.Body = `{"metadata":{"name":"` + name +
			`"},"spec":{"leaseName":"demo","binaryVersion":"1.37.0","emulationVersion":"` + g.version() +
			`","strategy":"OldestEmulationVersion","renewTime":"2000-01-01T00:00:30.000000Z"}}`
	case "PATCH":
		a.Headers = []string{"Content-Type: application/merge-patch+json"}
		a.Body = `{"metadata":{"labels":{"l":"x"}},"spec":{"emulationVersion":"` + g.version() + `"}}`
	}
}
