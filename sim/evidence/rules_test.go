package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// wrote is a write of a Lease, at a second of the minute. Without an agent it is a line of a watch.
type wrote struct {
	at, renewed     int
	holder          string
	agent, manager  string
	resourceVersion int
}

func (w wrote) String() string {
	stamp := func(second int) string { return fmt.Sprintf("2026-11-20T19:%02d:%02d.000000Z", second/60, second%60) }
	managed := ""
	if w.manager != "" {
		managed = fmt.Sprintf(`,"managedFields":[{"manager":%q,"fieldsV1":{"f:spec":{"f:holderIdentity":{}}}}]`, w.manager)
	}
	object := fmt.Sprintf(`{"kind":"Lease","metadata":{"name":"demo","namespace":"ns-a","resourceVersion":"%d"%s},`+
		`"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,"renewTime":%q}}`, w.resourceVersion, managed, w.holder, stamp(w.renewed))
	if w.agent == "" {
		return fmt.Sprintf(`{"receivedAt":%q,"type":"MODIFIED","object":%s}`, stamp(w.at), object)
	}
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":"update","userAgent":%q,`+
		`"objectRef":{"resource":"leases","namespace":"ns-a","name":"demo"},"responseStatus":{"code":200},"responseObject":%s,`+
		`"requestReceivedTimestamp":%q,"stageTimestamp":%q}`, w.agent, object, stamp(w.at), stamp(w.at))
}

// Any one sign makes an edit: the program, the field manager, the name of a tool, or a renewTime that stays. A release of
// the holder has none of them.
func TestEditsAndReleases(t *testing.T) {
	for name, c := range map[string]struct {
		agent, manager string
		first          int // renewals before
		edit           wrote
		cause          string
	}{
		"another program": {"mgr/1", "", 3, wrote{at: 7, renewed: 7, agent: "janitor/1"}, "edited"},
		"another manager": {"", "mgr", 3, wrote{at: 7, renewed: 7, manager: "janitor"}, "edited"},
		"a tool":          {"mgr/1", "", 1, wrote{at: 7, renewed: 7, agent: "kubectl/v1.31"}, "edited"},
		"renewTime stays": {"", "", 3, wrote{at: 7, renewed: 6}, "edited"},
		"the API server":  {"mgr/1", "", 3, wrote{at: 7, renewed: 7, agent: "kube-apiserver/v1.37.0"}, "release"},
		"a library":       {"OpenAPI-Generator/29.0.0/python", "", 3, wrote{at: 7, renewed: 7, agent: "OpenAPI-Generator/29.0.0/python"}, "release"},
		"its own program": {"mgr/1", "", 3, wrote{at: 7, renewed: 7, agent: "mgr/1"}, "release"},
		"its own manager": {"", "mgr", 3, wrote{at: 7, renewed: 7, manager: "mgr"}, "release"},
		"nobody knows":    {"", "", 3, wrote{at: 7, renewed: 7}, "release"},
	} {
		t.Run(name, func(t *testing.T) {
			var lines []string
			write := func(w wrote) {
				w.resourceVersion = len(lines) + 1
				lines = append(lines, w.String())
			}
			for k := range c.first {
				write(wrote{at: 2 + 2*k, renewed: 2 + 2*k, holder: "a", agent: c.agent, manager: c.manager})
			}
			write(c.edit)
			for k := range 5 {
				write(wrote{at: 9 + 2*k, renewed: 9 + 2*k, holder: "b", agent: c.agent, manager: c.manager})
			}
			report := read(strings.Join(lines, "\n"))
			require.Len(t, report.Leases, 1)
			l := &report.Leases[0]
			assert.Equal(t, c.cause, l.Cause)
			assert.Len(t, l.Overlaps, int(boolNs(c.cause == "edited")))
		})
	}
}

// A read belongs to the line that is closest, if both name one holder and both clocks are sure.
func TestReadsFindTheirLines(t *testing.T) {
	lines := []logLine{{voice: &voice{node: "a"}, ns: 1080e6, saying: &saying{says: saidHeld, holder: "x"}}, {voice: &voice{node: "b", errorNs: -1}, ns: 1200e6, saying: &saying{says: saidHeld, holder: "y"}}}
	for _, c := range []struct {
		gets []get
		by   string
	}{
		{[]get{{ns: 1000e6, exact: true}, {ns: 1075e6, exact: true}}, " a"},
		{[]get{{ns: 1075e6, exact: true, holder: "z"}}, ""},
		{[]get{{ns: 1075e6}}, ""},
		{[]get{{ns: 1200e6, exact: true}}, ""},
	} {
		matchLines(c.gets, lines)
		var by []string
		for i := range c.gets {
			by = append(by, c.gets[i].by)
		}
		assert.Equal(t, c.by, strings.Join(by, " "), "%+v", c.gets)
	}
}

// A log whose clock is off by a second does not decide an overlap of half a second.
func TestAnUncertainClockDecidesNothing(t *testing.T) {
	for errorNs, want := range map[int64]int64{1e9: 0, 1e8: 5e8} {
		c := caseOf{LeaseReport: &LeaseReport{leaseNs: 15e9, retryNs: 2e9}, joined: &joinedWrites{}}
		c.terms = []term{{holder: "a", lastNs: 10e9, lostNs: 30_500e6, stopNs: 30_500e6, stopErrNs: errorNs}, {holder: "b", fromNs: 30e9}}
		g := change{term: 1, old: &c.terms[0], next: &c.terms[1]}
		c.overlap(&g, &traces{})
		assert.Equal(t, want, g.overlapNs)
	}
}

// A read that saw a version happened before the next write, whatever its server's clock says.
func TestReadsOnASecondServer(t *testing.T) {
	j := joinedWrites{writes: []write{{resourceVersion: 1, ns: 10e9}, {resourceVersion: 2, ns: 12e9}}, versions: []int32{0, 1}, apartNs: 20e9}
	assert.EqualValues(t, 11e9, j.atServer(31e9, 1))
	assert.EqualValues(t, 11e9, j.atServer(11e9, 1))
	assert.EqualValues(t, 31e9, j.atServer(31e9, 2))
}

// A leader that loses the Lease and leads again before it expires took it from nobody: no early takeover.
func TestALeaderFollowsItself(t *testing.T) {
	var lines []string
	for k, at := range []int{2, 4, 6, 18, 20, 22} {
		lines = append(lines, wrote{at: at, renewed: at, holder: "a", agent: "mgr/1", resourceVersion: k + 1}.String())
	}
	r := NewReader(Options{Year: 2026})
	r.Feed("audit", []byte(strings.Join(lines, "\n")))
	r.End("audit")
	r.Feed("a.klog", []byte(`I1120 19:00:02.000000       1 x.go:1] "Successfully acquired lease" lock="ns-a/demo"`+"\n"+
		`I1120 19:00:16.000000       1 x.go:1] "Failed to renew lease" lock="ns-a/demo"`+"\n"+
		`I1120 19:00:18.001000       1 x.go:1] "Successfully acquired lease" lock="ns-a/demo"`+"\n"))
	r.End("a.klog")
	report := r.Report()
	l := leaseNamed(t, &report, "ns-a/demo")
	require.Len(t, l.LeaderChanges, 2-int(boolNs(l.LeaderChanges[0].From != "")))
	last := l.LeaderChanges[len(l.LeaderChanges)-1]
	assert.Equal(t, "a a", last.From+" "+last.To)
	assert.NotEqual(t, "early", last.Cause)
	assert.Empty(t, l.Overlaps)
	assert.Empty(t, Judge(&report, 0).Violations)
}

// Reads that may be a follower's do not make the lower bound of an overlap its upper bound.
func TestALowerBoundIsNoUpperBound(t *testing.T) {
	c := caseOf{LeaseReport: &LeaseReport{leaseNs: 15e9, retryNs: 2e9}, joined: &joinedWrites{}}
	c.terms = []term{{holder: "a", lastNs: 10e9}, {holder: "b", fromNs: 30e9}}
	g := change{term: 1, old: &c.terms[0], next: &c.terms[1], resumedNs: 35e9}
	c.overlap(&g, &traces{seenNs: 46e9})
	assert.EqualValues(t, 15e9, g.overlapNs)
	assert.EqualValues(t, 14e9, g.overlapLeast)
}

// A verdict about an edit cites the edit, not the takeover after it.
func TestAnEditIsCited(t *testing.T) {
	report := reportOf(t, 1<<16, "testdata/edited/audit.jsonl.gz")
	for _, v := range Judge(&report, 0).Violations {
		if v.Rule == rules.WriteByNonHolder {
			assert.Equal(t, []string{"testdata/edited/audit.jsonl.gz:20"}, v.Lines)
			assert.Equal(t, "2026-11-26T19:31:36.166687Z", v.At)
			return
		}
	}
	assert.Fail(t, "check shows no edit")
}
