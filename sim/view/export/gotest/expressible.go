package gotest

import (
	"fmt"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Refusal is the error for a scenario that a test with client-go cannot express.
type Refusal struct {
	Path string // path of the field: actions[2].act
	Why  string
}

// Error names the field and the reason.
func (r *Refusal) Error() string { return r.Path + ": " + r.Why }

const serveInstead = "; run your program against leaselab serve and send it SIGSTOP"

// `inexpressible` says why a test in one process and in virtual time cannot play an act.
var inexpressible = map[string]string{
	scenario.ActPause: "a goroutine cannot be stopped from outside, so no process pauses in a test" +
		serveInstead,
	scenario.ActSuspend: "a goroutine cannot be stopped from outside, so no machine sleeps in a test" +
		serveInstead,
	scenario.ActHang: "a goroutine cannot be stopped from outside, so no elector hangs in a test" +
		serveInstead,
	scenario.ActResume:       "a goroutine cannot be stopped from outside, so nothing is paused in a test",
	scenario.ActClock:        "all programs of a test share one clock",
	scenario.ActUpgrade:      "the exported program has no version, because it has no LeaseCandidate",
	scenario.ActBurst:        "the exported program sends only the requests of its election",
	scenario.ActRollback:     "the API of a test does not go back to an earlier state of the store",
	scenario.ActSet:          "the exported program keeps the settings with which it started",
	scenario.ActCutResource:  "the exported program writes to no resource",
	scenario.ActHealResource: "the exported program writes to no resource",
}

// Expressible returns why a test cannot express a scenario, or nil if a test can.
func Expressible(s scenario.Scenario) *Refusal {
	for i, a := range s.Actions {
		if scenario.ActNamed(a.Act).Use.GoTest != scenario.Yes {
			return &Refusal{fmt.Sprintf("actions[%d].act", i), a.Act + ": " + inexpressible[a.Act]}
		}
		if a.Readiness == scenario.ReadinessLeader {
			return &Refusal{fmt.Sprintf("actions[%d].readiness", i), "leader: a test does not know which pod is ready"}
		}
	}
	r := scenario.Resolve(s)
	switch {
	case len(r.APIServers) > 0:
		return &Refusal{"apiServers",
			"their controllers elect from LeaseCandidates, which the exported program does not have"}
	case len(r.Candidates) > mostCandidates:
		return &Refusal{"candidates", fmt.Sprintf("%d real electors are too many for a test; the limit is %d",
			len(r.Candidates), mostCandidates)}
	case r.Duration > longest:
		return &Refusal{"duration", fmt.Sprintf("%s is too long for an exported test; the limit is %s",
			s.Duration, scenario.Duration(longest))}
	}
	for i := range r.Candidates {
		if f := program(&r.Candidates[i]); f != nil {
			f.Path = fmt.Sprintf("%s of candidate %s", f.Path, r.Candidates[i].Name)
			return f
		}
	}
	return nil
}

// program returns why a program with client-go's elector cannot play a candidate.
func program(c *scenario.ResolvedCandidate) *Refusal {
	e := &c.Elector
	for _, word := range e.Dialect {
		if word != scenario.DialectCurrent {
			return &Refusal{"elector.dialect", word + " is not client-go's elector"}
		}
	}
	switch {
	case c.ClockOffset != 0 || c.RatePpm != scenario.DefaultRatePpm:
		return &Refusal{"clock", "all programs of a test share one clock"}
	case is(e.Coordinated) || c.BinaryVersion != "":
		return &Refusal{"elector.coordinated", "the exported program has no LeaseCandidate"}
	case e.JitterFactor != nil && *e.JitterFactor != elector.JitterFactor:
		return &Refusal{"elector.jitterFactor", "client-go has no such setting"}
	case is(e.ReleaseChecksHolder):
		return &Refusal{"elector.releaseChecksHolder", "client-go has no such setting"}
	case length(e.CallbackDelay) > 0:
		return &Refusal{"elector.callbackDelay", "a test cannot take the processor from one goroutine"}
	case e.Lock != "" && e.Lock != elector.LockNames[0]:
		return &Refusal{"elector.lock", "client-go has only Leases since v0.28"}
	case length(c.Network.ReadLag) > 0:
		return &Refusal{"network.readLag", "the API of a test has no cache that lags"}
	case c.Process.WatchdogTolerance != nil:
		return &Refusal{"process.watchdogTolerance", "a test cannot kill a process and start it again"}
	case c.Client.WorkQPS != nil && *c.Client.WorkQPS > 0:
		return &Refusal{"client.workQps", "the exported program sends only the requests of its election"}
	}
	return nil
}
