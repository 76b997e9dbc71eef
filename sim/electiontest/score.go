package electiontest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/probe"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
)

// Durations are the settings of the elector under test.
type Durations = probe.Durations

// Score asks the elector of a program the probes of package probe, in virtual time, and returns the answers. Each
// failed probe fails the test, unless Allow has the probe's name. The program must report its work with Node.Work. A
// probe that needs a paused process stays open: `leaselab score -- PROGRAM` asks it.
func Score(t *testing.T, d Durations, program func(ctx context.Context, n *Node), with ...Option) []probe.Result {
	t.Helper()
	o := options{}
	for _, option := range with {
		option(&o)
	}
	d.Now = epoch
	var all []probe.Result
	for _, play := range probe.Plays(d) {
		if Expressible(&play.Scenario) != nil {
			all = append(all, play.Unasked("virtual time cannot pause a program; `leaselab score` can")...)
			continue
		}
		w := probe.NewWatch()
		r := Run(t, &play.Scenario, func(c *Cluster) { c.Start(program) }, Allow(rules.Names()...), observe(w),
			Grace(time.Hour))
		w.End(time.Duration(r.Scenario.Duration))
		all = append(all, play.Answers(w, d)...)
	}
	all = probe.InOrder(all)
	for _, r := range all {
		if r.State == probe.Failed && !slices.Contains(o.allowed, r.Probe) {
			t.Errorf("%s: %s %s Fix: %s", r.Probe, r.Asks, r.Why, r.Fix)
		}
	}
	return all
}

// epoch is the time at which a bubble of testing/synctest begins.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// observe passes every record of the run to a Watch.
func observe(w *probe.Watch) Option {
	return func(o *options) {
		o.see = func(r *run.Run, record *trace.Record, _ explain.Note) { w.See(r, record) }
	}
}
