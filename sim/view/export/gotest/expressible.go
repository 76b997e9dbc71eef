package gotest

import (
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Refusal is the error of a scenario that a test with client-go cannot express.
type Refusal struct {
	Path string // of the field: actions[2].act
	Why  string
}

func (r *Refusal) Error() string { return r.Path + ": " + r.Why }

// inexpressible says why a test in virtual time has no such act. The others are acts on the network, on the Lease, or on a
// process that starts, stops or dies.
var inexpressible = map[string]string{
	scenario.ActPause:         "a process cannot be paused inside a test; pause your program with SIGSTOP against leaselab serve",
	scenario.ActSuspend:       "a machine cannot be suspended inside a test; pause your program with SIGSTOP against leaselab serve",
	scenario.ActHang:          "one goroutine cannot be stopped inside a test; pause your program with SIGSTOP against leaselab serve",
	scenario.ActResume:        "nothing is paused inside a test",
	scenario.ActClock:         "all nodes of a test share one clock",
	scenario.ActUpgrade:       "the program of the test is a LeaderElector without LeaseCandidate",
	scenario.ActServer:        "the API of a test answers at once",
	scenario.ActRollback:      "the store of a test cannot be restored from a backup",
	scenario.ActBurst:         "the program of the test sends no requests but those of its election",
	scenario.ActSet:           "the settings of a program are those in its code",
	scenario.ActAdd:           "the candidates of a test are those that it starts",
	scenario.ActRemove:        "the candidates of a test are those that it starts",
	scenario.ActRollingUpdate: "the candidates of a test are those that it starts",
}

// Expressible returns why a scenario cannot be a test, nil if it can.
func Expressible(s scenario.Scenario) *Refusal {
	r := scenario.Resolve(s)
	switch {
	case len(r.APIServers) > 0:
		return &Refusal{"apiServers", "the program of the test is a LeaderElector without LeaseCandidate; coordinated election needs API servers"}
	case r.Heartbeats != nil:
		return &Refusal{"heartbeats", "the test runs no kubelets"}
	case r.Server != nil:
		return &Refusal{"server", "the API of a test answers at once"}
	case len(r.Candidates) > mostCandidates:
		return &Refusal{"candidates", fmt.Sprintf("%d candidates are more than %d", len(r.Candidates), mostCandidates)}
	}
	for i, a := range s.Actions {
		if why, is := inexpressible[a.Act]; is {
			return &Refusal{fmt.Sprintf("actions[%d].act", i), why}
		}
	}
	for i := range r.Candidates {
		if f := program(&r.Candidates[i]); f != nil {
			f.Path = fmt.Sprintf("candidate %s: %s", r.Candidates[i].Name, f.Path)
			return f
		}
	}
	return nil
}

// mostCandidates is the maximum number of real electors in one test: 100 of them take seconds.
const mostCandidates = 20

// program returns why a candidate is not a program with client-go's elector.
func program(c *scenario.ResolvedCandidate) *Refusal {
	e, p := &c.Elector, &c.Process
	given := func(d *scenario.Duration) bool { return d != nil && *d != 0 }
	isTrue := func(b *bool) bool { return b != nil && *b }
	for _, word := range e.Dialect {
		if word != scenario.DialectCurrent {
			return &Refusal{"elector.dialect", word + " is not client-go's elector"}
		}
	}
	switch {
	case c.ClockOffset != 0 || c.RatePpm != scenario.DefaultRatePpm:
		return &Refusal{"clock", "all nodes of a test share one clock"}
	case isTrue(e.Coordinated) || c.BinaryVersion != "":
		return &Refusal{"elector.coordinated", "the program of the test is a LeaderElector without LeaseCandidate"}
	case e.JitterFactor != nil && *e.JitterFactor != elector.JitterFactor:
		return &Refusal{"elector.jitterFactor", "client-go has no such setting"}
	case isTrue(e.ReleaseChecksHolder):
		return &Refusal{"elector.releaseChecksHolder", "client-go has no such setting"}
	case given(e.CallbackDelay):
		return &Refusal{"elector.callbackDelay", "a test cannot take the processor away from one goroutine"}
	case e.Lock != "" && e.Lock != elector.LockNames[0]:
		return &Refusal{"elector.lock", "client-go has only Leases since v0.28"}
	case given(c.Network.ReadLag):
		return &Refusal{"network.readLag", "the API of a test has no cache that lags"}
	case given(c.Network.DeadPeerTime):
		return &Refusal{"network.deadPeerTime", "connections are http.Transport's, which a test replaces"}
	case p.WatchdogTolerance != nil:
		return &Refusal{"process.watchdogTolerance", "a test cannot kill a process and start it again"}
	case c.Client.WorkQPS != nil && *c.Client.WorkQPS > 0:
		return &Refusal{"client.workQps", "the program of the test sends no requests but those of its election"}
	}
	return nil
}

// settled is used by tests: the acts that the map names exist.
func unknownActs() []string {
	var unknown []string
	for word := range inexpressible {
		if scenario.ActNamed(word) == nil {
			unknown = append(unknown, word)
		}
	}
	slices.Sort(unknown)
	return unknown
}
