package probe

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// Durations are the settings of the elector under test, and the clock by which it runs.
type Durations struct {
	Lease, Renew, Retry time.Duration
	Namespace, Name     string    // of the Lease; the defaults are the simulator's
	Now                 time.Time // the time of the programs' clocks at the beginning of a play
}

// The instant of a play's disturbance. By then a program should have started and elected its leader.
const disturbed = 8 * time.Second

// calm is the last instant before the disturbance.
const calm = disturbed - 1

// slack is what a busy machine may add to an instant.
const slack = time.Second

// wait returns the longest time between two attempts of an elector: client-go draws up to 2.2 times retryPeriod.
func (d *Durations) wait() time.Duration { return d.Retry * 22 / 10 }

// play is a short run that some probes read.
type play struct {
	name   string
	lasts  func(d *Durations) time.Duration
	starts time.Duration // when the candidates start; the default is at once
	acts   func(d *Durations) string
}

// plays are the plays, by name.
var plays = map[string]*play{
	"calm":  {lasts: plus(0, 30*time.Second)},
	"crash": {lasts: plus(2, 15*time.Second), acts: at("{at: %s, act: crash, target: holder}", disturbed)},
	"cutOff": {lasts: plus(1, 20*time.Second),
		acts: at("{at: %s, act: cut, target: holder}", disturbed)},
	"hang": {lasts: plus(1, 20*time.Second),
		acts: at("{at: %s, act: fail, target: holder, error: hang}", disturbed)},
	"conflict": {lasts: plus(0, 20*time.Second),
		acts: at("{at: %s, act: fail, target: holder, error: conflict, verb: writes, count: 1}", disturbed)},
	"lostAnswer": {lasts: plus(0, 38*time.Second), acts: func(*Durations) string {
		return fmt.Sprintf("{at: %s, act: fail, target: holder, error: reset, verb: writes, count: 1},\n"+
			"  {at: %s, act: fail, target: holder, error: http504Applied, verb: writes, count: 1}",
			disturbed, 3*disturbed)
	}},
	"pause": {
		lasts: func(d *Durations) time.Duration { return d.resumed() + 2*d.Renew + 3*slack },
		acts: func(d *Durations) string {
			return fmt.Sprintf("{at: %s, act: pause, target: holder, for: %s}", disturbed, d.resumed()-disturbed)
		},
	},
	"edit": {lasts: plus(1, 18*time.Second), acts: func(d *Durations) string {
		return d.patch(disturbed, "intruder", d.Lease, 0)
	}},
	"delete": {lasts: plus(0, 22*time.Second), acts: at("{at: %s, act: write, op: delete}", disturbed)},
	"stop": {lasts: plus(1, 20*time.Second), acts: func(d *Durations) string {
		return fmt.Sprintf("{at: %s, act: stop, target: holder, grace: %s}", disturbed, d.Lease)
	}},
	"lateRelease": {lasts: plus(1, 20*time.Second), acts: func(d *Durations) string {
		return fmt.Sprintf("{at: %s, act: cut, target: holder, mode: hold, for: %s},\n  ", disturbed,
			d.Renew+3*slack/2) + d.patch(d.edited(), "intruder", d.Lease, 0)
	}},
	"empty": {lasts: plus(0, 15*time.Second), starts: time.Second, acts: func(d *Durations) string {
		return d.create("", d.Lease, 0)
	}},
	"longer": {lasts: plus(2, 12*time.Second), starts: time.Second, acts: func(d *Durations) string {
		return d.create("ghost", 2*d.Lease, 0)
	}},
	"future": {lasts: plus(1, 18*time.Second), starts: time.Second, acts: func(d *Durations) string {
		return d.create("ghost", d.Lease, time.Hour)
	}},
	"past": {lasts: plus(1, 8*time.Second), starts: time.Second, acts: func(d *Durations) string {
		acts := []string{d.create("ghost", d.Lease, -time.Hour)}
		for t := d.Retry; t < d.Lease+8*time.Second; t += d.Retry {
			acts = append(acts, d.patch(t, "ghost", d.Lease, -time.Hour))
		}
		return strings.Join(acts, ",\n  ")
	}},
}

// resumed is when a paused leader resumes: when another candidate has taken over.
func (d *Durations) resumed() time.Duration { return disturbed + d.Lease + 2*d.wait() + 2*slack }

// edited is when the Lease gets another holder in the play of the late release: right after the leader gave up.
func (d *Durations) edited() time.Duration { return disturbed + d.Renew + slack/2 }

// create is an act that creates the Lease at instant 0. Its holder has a clock that is ahead or behind.
func (d *Durations) create(holder string, lease, ahead time.Duration) string {
	return fmt.Sprintf("{at: 0s, act: request, method: POST, path: %q, headers: [\"Content-Type: application/json\"], "+
		"body: '{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"metadata\":{\"name\":%q},"+
		"\"spec\":%s}'}",
		leases(d.Namespace), d.Name, d.spec(0, holder, lease, ahead))
}

// patch is an act that writes the Lease in the name of a holder that is not one of the programs.
func (d *Durations) patch(at time.Duration, holder string, lease, ahead time.Duration) string {
	return fmt.Sprintf("{at: %s, act: request, method: PATCH, path: %q, "+
		"headers: [\"Content-Type: application/merge-patch+json\"], body: '{\"spec\":%s}'}",
		at, leases(d.Namespace)+"/"+d.Name, d.spec(at, holder, lease, ahead))
}

// spec is the spec of a Lease with a renewal at an instant of the play, by a clock that is ahead or behind.
func (d *Durations) spec(at time.Duration, holder string, lease, ahead time.Duration) string {
	renewed := d.Now.Add(at + ahead).UTC().Format("2006-01-02T15:04:05.000000Z")
	return fmt.Sprintf(`{"holderIdentity":%q,"leaseDurationSeconds":%d,"acquireTime":%q,"renewTime":%q}`, holder,
		int(lease.Seconds()), renewed, renewed)
}

func leases(namespace string) string {
	return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases"
}

// plus returns a length: some leaseDurations and a constant.
func plus(leases int, more time.Duration) func(*Durations) time.Duration {
	return func(d *Durations) time.Duration { return time.Duration(leases)*d.Lease + more }
}

// at returns acts whose text needs only their instant.
func at(text string, when time.Duration) func(*Durations) string {
	return func(*Durations) string { return fmt.Sprintf(text, when) }
}

// scenario returns the scenario of a play.
func (p *play) scenario(d Durations) scenario.Scenario {
	full := scenario.Resolve(scenario.Scenario{})
	d.Namespace, d.Name = cmp.Or(d.Namespace, full.Namespace), cmp.Or(d.Name, full.LeaseName)
	acts := ""
	if p.acts != nil {
		acts = p.acts(&d)
	}
	s, err := yaml.Decode([]byte(fmt.Sprintf(`apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: probe
lease: {namespace: %s, name: %s}
seed: 1
duration: %s
elector: {leaseDuration: %s, renewDeadline: %s, retryPeriod: %s}
candidates: [{name: a, startAt: %s}, {name: b, startAt: %[7]s}, {name: c, startAt: %[7]s}]
actions: [%s]
`, d.Namespace, d.Name, p.lasts(&d), d.Lease, d.Renew, d.Retry, p.starts, acts)))
	if err != nil {
		panic("the play " + p.name + " is wrong: " + err.Error())
	}
	return s
}
