package electiontest_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// faulty is an elector with one mistake, or with none. It does what client-go's does, with the timeouts of its requests.
type faulty struct {
	program
	mistake conduct.Cause
	correct bool
}

// is reports whether the program has a mistake.
func (f *faulty) is(mistake conduct.Cause) bool { return !f.correct && f.mistake == mistake }

// attempt tries to acquire or renew the Lease for at most 5 s.
func (f *faulty) attempt(until time.Time) bool {
	ctx, end := context.WithDeadline(context.Background(), time.Now().Add(5*time.Second))
	defer end()
	if !until.IsZero() && !f.is(conduct.BeyondLease) {
		ctx, end = context.WithDeadline(ctx, until)
		defer end()
	}
	return f.try(ctx)
}

func (f *faulty) run(ctx context.Context) {
	n := f.node
	if f.is(conduct.SameIdentity) {
		n.Settings.Identity = "operator"
	}
	if f.is(conduct.StopIgnored) {
		ctx = context.WithoutCancel(ctx)
	}
	for !f.attempt(time.Time{}) {
		if f.is(conduct.Silent) && n.Name() != "a" {
			<-ctx.Done()
		}
		select {
		case <-time.After(n.Settings.RetryPeriod):
		case <-ctx.Done():
			return
		}
	}
	leads, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer n.Work(leads)()
		<-leads.Done()
		switch {
		case f.is(conduct.WorksOn):
			<-n.Context().Done()
		case f.is(conduct.ReleasesEarly):
			time.Sleep(8 * time.Second)
		}
	}()
	f.lead(ctx)
	cancel()
	switch {
	case f.is(conduct.ReleasesEarly):
		f.release()
		<-ended
	case f.is(conduct.WorksOn), f.is(conduct.NeverExits):
		<-n.Context().Done()
	case f.is(conduct.NeverCompetes):
		for ctx.Err() == nil {
			other, end := context.WithTimeout(ctx, 5*time.Second)
			_, _ = f.ask(other, http.MethodGet, "/api/v1/namespaces/default/configmaps", nil, &struct{}{})
			<-other.Done()
			end()
		}
	default:
		<-ended
		if n.Settings.ReleaseOnCancel && ctx.Err() != nil {
			f.release()
		}
	}
}

// lead renews the Lease until it has not succeeded for renewDeadline, or until the context ends.
func (f *faulty) lead(ctx context.Context) {
	for renewed := time.Now(); f.is(conduct.BeyondLease) || time.Since(renewed) < f.node.Settings.RenewDeadline; {
		select {
		case <-time.After(f.node.Settings.RetryPeriod):
		case <-ctx.Done():
			return
		}
		if f.attempt(renewed.Add(f.node.Settings.RenewDeadline)) {
			renewed = time.Now()
		}
	}
}

// conducted runs a program with one mistake through a shipped scenario and returns its findings.
func conducted(t *testing.T, scenario string, with faulty) *electiontest.Result {
	t.Helper()
	reports := &electiontest.Reports{}
	return electiontest.Run(t, electiontest.Shipped(t, scenario), func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			f := with
			f.node = n
			f.run(ctx)
		})
	}, electiontest.ReportTo(reports))
}

var faults = []string{"crash", "cut-off", "graceful-stop", "graceful-stop-release", "api-outage-8s", "api-outage-30s",
	"partition-leader"}

// The correct program has no finding, whatever happens to it.
func TestACorrectProgramHasNoFinding(t *testing.T) {
	for _, scenario := range faults {
		r := conducted(t, scenario, faulty{correct: true})
		assert.Empty(t, r.Findings, scenario)
		assert.NotEmpty(t, r.Changes, scenario)
	}
}

// Each mistake shows its cause and no other one in every scenario that gives it occasion. The last scenario gives none; ""
// means that every scenario does.
func TestEachMistakeHasItsCause(t *testing.T) {
	t.Setenv("LEASELAB_DIR", t.TempDir())
	for _, c := range []struct {
		mistake   conduct.Cause
		text      string // in the first scenario
		incident  string // in the first scenario
		scenarios []string
	}{
		{conduct.SameIdentity, "a and b write the same holderIdentity.", "B08",
			[]string{"crash", "cut-off", "graceful-stop", "api-outage-30s", ""}},
		{conduct.ReleasesEarly, "a released the Lease at 00:20.002, and its work went on for 7.998 s.", "B04",
			[]string{"graceful-stop-release", "graceful-stop", "crash"}},
		{conduct.WorksOn, "The context of a's work ended at 01:09.200, and its work went on for 50.800 s.", "B07",
			[]string{"cut-off", "api-outage-30s", "crash"}},
		{conduct.BeyondLease, "a last renewed the Lease at 00:59.190. The Lease expired at 01:14.190, and the work went on for 45.810 s.", "B15",
			[]string{"cut-off", "api-outage-30s", "crash"}},
		{conduct.StopIgnored, "a got SIGTERM at 00:20.000 and never ended.", "B06", []string{"graceful-stop", "crash"}},
		{conduct.NeverExits, "a has led before. Its process lives, but has not asked for the Lease since 01:09.200, for 50.800 s.", "B38",
			[]string{"cut-off", "partition-leader", "crash"}},
		{conduct.NeverCompetes, "a sends other requests, but has not asked for the Lease since 01:09.200, for 50.800 s.", "B38",
			[]string{"cut-off", "partition-leader", "crash"}},
		{conduct.Silent, "b's process lives, but has sent nothing since 00:00.050, for 119.950 s.", "B39",
			[]string{"crash", "cut-off", "graceful-stop", "api-outage-30s", ""}},
	} {
		for k, scenario := range c.scenarios {
			if scenario == "" {
				continue
			}
			r := conducted(t, scenario, faulty{mistake: c.mistake})
			if k+1 == len(c.scenarios) {
				assert.Empty(t, r.Findings, "%s: %s", c.mistake, scenario)
				continue
			}
			require.NotEmpty(t, r.Findings, "%s: %s", c.mistake, scenario)
			for _, f := range r.Findings {
				assert.Equal(t, c.mistake.String(), f.Cause, "%s: %v", scenario, r.Findings)
				assert.NotEmpty(t, f.Cure)
			}
			if k == 0 {
				assert.Equal(t, c.text, r.Findings[0].Text)
				assert.Equal(t, c.incident, r.Findings[0].Incident)
			}
		}
	}
}

// Each cause has an incident that the museum shows.
func TestIncidentsAreExhibits(t *testing.T) {
	exhibits := map[string]bool{}
	for _, s := range shipped.List() {
		if s.Museum != nil {
			exhibits[s.Museum.Catalogue] = true
		}
	}
	for _, incident := range []string{"B01", "B04", "B06", "B07", "B08", "B15", "B38", "B39"} {
		assert.True(t, exhibits[incident], incident)
	}
}

// A request that never gets an answer keeps a program silent. For a minute this is normal, because client-go notices a
// dead connection within 45 s. After that the client lacks a timeout.
func TestARequestThatHangs(t *testing.T) {
	for duration, want := range map[string]int{"80s": 0, "100s": 1} {
		s := electiontest.YAML(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: `+duration+`
candidates: [{name: a}, {name: b, startAt: 50ms}]
actions: [{at: 30s, act: cut, target: b}]
`)
		r := electiontest.Run(t, s, func(c *electiontest.Cluster) { c.Start(elect) })
		require.Len(t, r.Findings, want)
		for _, f := range r.Findings {
			assert.Equal(t, "silent B01", f.Cause+" "+f.Incident)
			assert.Contains(t, f.Text, "b's process lives, but has sent nothing since 00:3")
			assert.Contains(t, f.Text, "Its last request has no answer.")
			assert.Contains(t, f.Cure, "timeout")
		}
	}
}
