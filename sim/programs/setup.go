package programs

import (
	"errors"
	"fmt"
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

// `refused` lists the acts that programs cannot play, by place, with the reason.
var refused = [...]map[string]string{
	InBubble: {
		scenario.ActPause: "pauses a process, but nothing can stop a goroutine from outside; " + command +
			", and sends it SIGSTOP",
		scenario.ActResume: "resumes a process, but nothing can stop a goroutine from outside; " + command +
			", and sends it SIGSTOP and SIGCONT",
		scenario.ActSuspend: "suspends a node, but all programs of a test share one clock; run the program on a " +
			"separate machine against `leaselab serve --faults`",
		scenario.ActHang: "hangs an elector, but nothing can stop a goroutine from outside; " + command +
			": stop its elector there",
		scenario.ActClock: "changes the clock of a node, but all programs of a test share one clock; " +
			command + ": use faketime there, for example",
		scenario.ActUpgrade: "changes the version of a program, which the test decides; start another program " +
			"with Start",
		scenario.ActBurst: "sends requests besides the elector's, which only the program can do; send them in the " +
			"program",
		scenario.ActCutResource: "cuts the resource that the simulated leaders write to; let your own fake of the " +
			"resource refuse the writes",
		scenario.ActHealResource: "is about the resource that the simulated leaders write to; let your own fake of " +
			"the resource refuse the writes",
	},
	OnServer: {
		scenario.ActPause:        notStarted + ", and sends it SIGSTOP",
		scenario.ActResume:       notStarted + ", and sends it SIGCONT",
		scenario.ActStop:         notStarted + ", and sends it SIGTERM",
		scenario.ActCrash:        notStarted + ", and sends it SIGKILL",
		scenario.ActRestart:      notStarted,
		scenario.ActRemove:       notStarted,
		scenario.ActAdd:          notStarted,
		scenario.ActSuspend:      ownMachine,
		scenario.ActHang:         ownElector,
		scenario.ActClock:        ownMachine,
		scenario.ActUpgrade:      ownVersion,
		scenario.ActBurst:        ownRequests,
		scenario.ActCutResource:  ownResource,
		scenario.ActHealResource: ownResource,
		scenario.ActRollback:     ownStore,
	},
	AsProcesses: {
		scenario.ActSuspend:      ownMachine + "; the act pause stops the process, and leaves the clock alone",
		scenario.ActHang:         ownElector,
		scenario.ActClock:        ownMachine,
		scenario.ActUpgrade:      ownVersion,
		scenario.ActBurst:        ownRequests,
		scenario.ActCutResource:  ownResource,
		scenario.ActHealResource: ownResource,
		scenario.ActRollback:     ownStore,
	},
}

// These are the reasons that both commands share.
const (
	notStarted = "is about a process, but the server did not start it; " + command
	ownMachine = "is about the clock of a node, but all programs share this machine's; leave the act out, or run " +
		"the program under faketime"
	ownElector  = "hangs an elector, which only its program can do; leave the act out"
	ownVersion  = "changes the version of a program, but only one program runs; leave the act out"
	ownRequests = "sends requests besides the elector's, which only the program can do; leave the act out"
	ownResource = "is about the resource that the simulated leaders write to; leave the act out"
	ownStore    = "takes back writes that real programs have seen; leave the act out"
)

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
			return fmt.Errorf(
				"the candidate %q has its own clock, but all programs share one clock; %s: use faketime there, "+
					"for example", c.Name, command)
		case c.Elector.Lock != "" && !strings.EqualFold(c.Elector.Lock, "leases"):
			return fmt.Errorf("the candidate %q competes for a %s lock, but this server serves only Leases",
				c.Name, c.Elector.Lock)
		}
	}
	return nil
}
