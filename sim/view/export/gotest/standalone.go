package gotest

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// standaloneText is the rest of a standalone test: the API server, the network and the rules. Lines between //+acts and
// //-acts are for a scenario in which a process ends.
//
//go:embed standalone.txt
var standaloneText string

const without = "; leave out --standalone"

// standable returns why a test without package electiontest cannot play an expressible scenario, or nil.
func standable(s scenario.Scenario, b *Breach) *Refusal {
	if b != nil && b.Rule != rules.MoreThanOneActive && b.Rule != rules.WriteByNonHolder {
		return &Refusal{"expect", fmt.Sprintf("a standalone test checks %s and %s, not %s%s", rules.MoreThanOneActive,
			rules.WriteByNonHolder, b.Rule, without)}
	}
	r := scenario.Resolve(s)
	for i := range r.Actions {
		a, path := &r.Actions[i], fmt.Sprintf("actions[%d]", i)
		switch a.Act {
		case scenario.ActStop, scenario.ActCrash:
			if a.For > 0 || a.Grace > 0 {
				return &Refusal{path, "a standalone test starts no process again" + without}
			}
		case scenario.ActCut:
			plain := []string{scenario.ModeDrop, scenario.ModeRefuse, scenario.ModeHold}
			if !slices.Contains(plain, a.Mode) || a.Probability != nil || a.Direction != scenario.DirectionBoth ||
				a.Target == scenario.TargetHolder {
				return &Refusal{path, "a standalone test has only whole cuts of named nodes: drop, refuse or hold" +
					without}
			}
		case scenario.ActLatency:
			if a.RequestDistribution != nil || a.ResponseDistribution != nil || a.Every > 0 || a.Verb != "" ||
				a.Target == scenario.TargetHolder {
				return &Refusal{path, "a standalone test has only constant latencies of named nodes" + without}
			}
		default:
			return &Refusal{path + ".act", a.Act + ": a standalone test knows crash, cut, latency and stop" + without}
		}
	}
	for _, c := range r.Candidates {
		n := &c.Network
		if n.RequestDistribution != nil || n.ResponseDistribution != nil || c.Restart != scenario.RestartNever {
			return &Refusal{"candidate " + c.Name, "a standalone test has only constant latencies, and starts no " +
				"process again" + without}
		}
	}
	return nil
}

// standalone returns the API server of the scenario, its network and its rules.
func standalone(s scenario.Scenario, drain time.Duration) string {
	r := scenario.Resolve(s)
	var b strings.Builder
	b.WriteString("\t\tc.nodes = []*node{\n")
	for _, c := range r.Candidates {
		e := &c.Elector
		fmt.Fprintf(&b, "\t\t\t{name: %q, startAt: %s, request: %s, response: %s, Settings: settings{\n\t\t\t\t%q, "+
			"%q, %q, %s, %s, %s, %s, %t,\n\t\t\t}},\n", c.Name, goDuration(c.StartAt),
			goDuration(length(c.Network.RequestLatency)), goDuration(length(c.Network.ResponseLatency)),
			r.Namespace, r.LeaseName, c.Identity,
			goDuration(length(e.LeaseDuration)), goDuration(length(e.RenewDeadline)), goDuration(length(e.RetryPeriod)),
			goDuration(length(e.RequestTimeout)), is(e.ReleaseOnCancel))
	}
	b.WriteString("\t\t}\n")
	ends := false
	for i := range r.Actions {
		a := &r.Actions[i]
		if a.Act == scenario.ActStop || a.Act == scenario.ActCrash {
			ends = true
			fmt.Fprintf(&b, "\t\tc.at(%s, %q, %t)\n", goDuration(time.Duration(a.At)), a.Target,
				a.Act == scenario.ActCrash)
			continue
		}
		to := r.Duration
		if a.For > 0 {
			to = time.Duration(a.At + a.For)
		}
		fmt.Fprintf(&b, "\t\tc.faults = append(c.faults, fault{%s, %s, %q, %q, %s, %s})\n",
			goDuration(time.Duration(a.At)), goDuration(to), a.Target, a.Mode, goDuration(length(a.Request)),
			goDuration(length(a.Response)))
	}
	text := strings.Replace(standaloneText, "SCENARIO\n", b.String(), 1)
	text = strings.NewReplacer("DURATION", goDuration(r.Duration), "DRAIN", goDuration(drain+time.Minute)).Replace(text)
	return keepIf(text, "acts", ends)
}
