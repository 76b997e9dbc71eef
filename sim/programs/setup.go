package programs

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Place is where programs run.
type Place uint8

const (
	InBubble    Place = iota // in the test's own process, in virtual time: package electiontest
	OnServer                 // as clients of `leaselab serve --faults`, which has not started them
	AsProcesses              // as processes that `leaselab test` has started
)

// `playing` reports whether programs in this place can play an act.
func (at Place) playing(use *scenario.Uses) scenario.Use {
	return [...]scenario.Use{InBubble: use.InTest, OnServer: use.OnServer, AsProcesses: use.AsProcesses}[at]
}

// `command` names the command that can play acts on a program's process.
const command = "`leaselab test SCENARIO -- PROGRAM` runs each copy as a separate process"

// refused.txt lists the acts that programs cannot play. A line has the places, the act, and the reason.
//
//go:embed refused.txt
var refusals string

// `refused` has the reasons by place and act.
var refused = func() (all [AsProcesses + 1]map[string]string) {
	for at, place := range []string{InBubble: "test", OnServer: "server", AsProcesses: "processes"} {
		all[at] = map[string]string{}
		for line := range strings.Lines(strings.ReplaceAll(refusals, "{command}", command)) {
			parts := strings.Split(strings.TrimSpace(line), " | ")
			if slices.Contains(strings.Split(parts[0], ","), place) {
				all[at][parts[1]] = parts[2]
			}
		}
	}
	return all
}()

// Expressible returns an error that names the first thing in a scenario that programs in this place cannot play, and
// says what to do instead. It is better to refuse the scenario before the first process starts than to pass a test
// because an act did nothing.
func Expressible(s *scenario.Scenario, at Place) error {
	r := scenario.Resolve(*s)
	if len(r.APIServers) > 0 && at != InBubble {
		return errors.New(
			"the scenario has apiServers, which elect from simulated LeaseCandidates by the simulation's clock; " +
				"leave them out, together with the settings for coordinated election: this server elects from the " +
				"LeaseCandidates of real programs")
	}
	for k := range r.Actions {
		a := &r.Actions[k]
		if use := &scenario.ActNamed(a.Act).Use; at.playing(use) != scenario.Yes {
			return fmt.Errorf("the act %q at %s %s", a.Act, a.At, refused[at][a.Act])
		}
		if a.Readiness == scenario.ReadinessLeader {
			return fmt.Errorf("the act %q at %s has readiness leader, which only a simulated run can play; "+
				"write acts that stop the candidates instead", a.Act, a.At)
		}
		if a.Act == scenario.ActSet && a.Elector != nil {
			return fmt.Errorf(
				"the act %q at %s changes the settings of an elector, which only the program can do; start the "+
					"program with the new settings", a.Act, a.At)
		}
	}
	for k := range r.Candidates {
		c := &r.Candidates[k]
		switch {
		case c.ClockOffset != 0 || c.RatePpm != 0 && c.RatePpm != 1_000_000:
			instead := command + ": start one under faketime there, for example"
			if at != InBubble {
				instead = "leave its clock out of the scenario, or start that copy under faketime"
			}
			return fmt.Errorf("the candidate %q has its own clock, but all programs share one clock; %s", c.Name,
				instead)
		case c.Elector.Lock != "" && !strings.EqualFold(c.Elector.Lock, "leases"):
			return fmt.Errorf("the candidate %q competes for a %s lock, but this server serves only Leases",
				c.Name, c.Elector.Lock)
		}
	}
	return nil
}
