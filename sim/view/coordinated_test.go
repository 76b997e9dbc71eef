package view_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// Three versions, one API server: what the page shows of coordinated election.
const threeVersions = `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: three-versions
seed: 1
duration: 60s
elector: {coordinated: true}
apiServers:
  - {name: api-1, version: 1.37.0}
candidates:
  - {name: a, startAt: 4s, binaryVersion: 1.37.0, emulationVersion: 1.37.0, strategy: OldestEmulationVersion}
  - {name: b, startAt: 8s, binaryVersion: 1.37.0, emulationVersion: 1.36.0, strategy: OldestEmulationVersion}
  - {name: c, startAt: 12s, binaryVersion: 1.36.0, emulationVersion: 1.35.0, strategy: OldestEmulationVersion}
`

func coordinatedLab(t *testing.T, ns int64) *lab.Lab {
	t.Helper()
	s, err := yaml.Decode([]byte(threeVersions))
	require.NoError(t, err)
	l := lab.New(nil)
	require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: &timeline.Cursor{T: ns, N: -1}, Live: &timeline.Cursor{T: ns, N: -1}}))
	return l
}

// decisions lists the decisions of a lab by number.
func decisions(t *testing.T, l *lab.Lab, numbers int) (all []*protocol.DecisionView) {
	t.Helper()
	for number := range numbers {
		d, err := view.Decision(l.Look(), number+1)
		require.NoError(t, err)
		all = append(all, d)
	}
	return all
}

// A decision has its steps, and names the electee with the reason.
func TestDecision(t *testing.T) {
	l := coordinatedLab(t, 40e9)
	d, err := view.Decision(l.Look(), 0)
	require.NoError(t, err)
	assert.Equal(t, "c is elected.", d.Title)
	assert.Equal(t, "older emulationVersion (1.35.0, not 1.36.0) than b", d.Reason)
	assert.Equal(t, "api-1", d.By)
	assert.Equal(t, d.Numbers, d.Number)
	var titles []string
	for _, s := range d.Steps {
		titles = append(titles, s.Title)
		t.Log(s.Title, s.Mark, s.Text)
	}
	assert.Equal(t, []string{"Lease", "Candidates", "Needed?", "Acks", "Strategy", "Ranking", "Change", "Writes", "Then"}, titles)
	require.Len(t, d.Considered, 3)
	for _, c := range d.Considered {
		t.Log(c.Name, c.Mark, c.Standing, c.Behind)
	}
	assert.Equal(t, "2 of 3 count.", d.Steps[1].Text)
	assert.True(t, slices.ContainsFunc(decisions(t, l, d.Numbers), func(d *protocol.DecisionView) bool { return d.Steps[1].Text == "All 2 count." }))
	assert.Contains(t, d.Latest, "no election is needed")
	first, err := view.Decision(l.Look(), 1)
	require.NoError(t, err)
	assert.Equal(t, "a is elected.", first.Title)
	assert.Equal(t, "The only candidate counts.", first.Steps[1].Text)
	assert.Equal(t, "the only candidate that answered", first.Reason)
	_, err = view.Decision(l.Look(), d.Numbers+1)
	assert.ErrorContains(t, err, "so far")
}

// Candidates show their standing and the reason; API servers are not leaders.
func TestCoordinatedView(t *testing.T) {
	v := viewOf(coordinatedLab(t, 40e9))
	require.Len(t, v.Nodes, 4)
	for _, n := range v.Nodes[:3] {
		require.NotNil(t, n.Candidate, n.Name)
		t.Logf("%s %+v", n.Name, *n.Candidate)
	}
	assert.Equal(t, "1.35.0", v.Nodes[2].Candidate.EmulationVersion)
	assert.Equal(t, "counts", v.Nodes[2].Candidate.Mark)
	assert.Contains(t, v.Nodes[2].Candidate.Standing, "renewTime")
	api := v.Nodes[3]
	require.NotNil(t, api.Server)
	assert.Nil(t, api.Candidate)
	assert.True(t, api.Server.RunsController)
	assert.Equal(t, "controller", api.Role)
	assert.Equal(t, "I run the controller", api.Believes)
	assert.Equal(t, "c", v.Lease.Holder)
}

// The timeline has the API server's lane without a leading span, the handover, pings and acks, and nothing after the
// live cursor.
func TestCoordinatedTimeline(t *testing.T) {
	l := coordinatedLab(t, 14e9)
	tl := view.Timeline(l.Look(), 0, 60e9, 800)
	require.Len(t, tl.Lanes, 4)
	assert.True(t, tl.Lanes[3].Server)
	for _, s := range tl.Lanes[3].Spans {
		assert.NotEqual(t, "leading", s.Role)
	}
	kinds := map[string]int{}
	for _, n := range tl.Notes {
		kinds[n.Kind]++
		assert.LessOrEqual(t, n.T, int64(14e9))
	}
	assert.Equal(t, 2, kinds["handOver"])
	assert.Equal(t, 1, kinds["ping"])
	assert.Equal(t, 1, kinds["ack"])
	for _, h := range tl.Holder {
		assert.NotEqual(t, "api-1", h.Holder, "the controllers' own Lease is another object")
	}
}

// The page can show every LeaseCandidate as the API would send it, version by version, and the controllers' Lease, too.
func TestCoordinatedObjects(t *testing.T) {
	l := coordinatedLab(t, 20e9)
	lease, err := view.Object(l.Look(), "", "", 0)
	require.NoError(t, err)
	assert.Equal(t, "demo", lease.Name)
	assert.Equal(t, lease.Versions, lease.Version)
	assert.Contains(t, lease.Text, "name: demo")
	assert.Len(t, lease.Objects, 5)
	for version := 1; version <= lease.Versions; version++ {
		o, err := view.Object(l.Look(), "", "", version)
		require.NoError(t, err)
		assert.Contains(t, o.Text, "name: demo", version)
	}
	assert.Equal(t, lease.Versions, viewOf(l).Lease.Versions)

	own, err := view.Object(l.Look(), coordination.KindLease, lease.Objects[1].Name, 0)
	require.NoError(t, err)
	assert.Contains(t, own.Text, "namespace: kube-system")

	a, err := view.Object(l.Look(), coordination.KindLeaseCandidate, "a", 0)
	require.NoError(t, err)
	assert.Contains(t, a.Raw, `"kind":"LeaseCandidate","apiVersion":"coordination.k8s.io/v1beta1"`)
	assert.Contains(t, a.Text, "emulationVersion: 1.37.0")
	answer, err := l.Rest(time.Now(), lab.Rest{Method: "GET", Target: "/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates/a"})
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(answer.Body), strings.TrimSpace(a.Raw), "as the API sends it")
	by := []string{}
	for version := 1; version <= a.Versions; version++ {
		o, err := view.Object(l.Look(), coordination.KindLeaseCandidate, "a", version)
		require.NoError(t, err)
		by = append(by, o.By)
	}
	assert.Equal(t, []string{"a", "the controller", "a"}, by[:3])
	_, err = view.Object(l.Look(), coordination.KindLeaseCandidate, "nobody", 0)
	assert.ErrorContains(t, err, "LeaseCandidate nobody does not exist")
	_, err = view.Object(l.Look(), coordination.KindLeaseCandidate, "a", 99)
	assert.ErrorContains(t, err, "versions 1 to")
}
