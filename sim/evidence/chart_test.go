package evidence

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func pausedReport(t *testing.T) (*Reader, *LeaseReport) {
	r := NewReader(Options{Year: 2026, Lease: "ns-a/demo"})
	for name, path := range map[string]string{
		"audit.jsonl": "audit.jsonl.gz", "watch.jsonl": "watch.jsonl.gz", "node-a.klog": "node-a.klog", "node-b.klog": "node-b.klog", "node-c.klog": "node-c.klog",
	} {
		r.Feed(name, contents(t, "testdata/pause-1/"+path))
		r.End(name)
	}
	report := r.Report()
	return r, leaseNamed(t, &report, "ns-a/demo")
}

// The moments of the paused incident are in the order of time, and each has the lines that say so.
func TestMomentsOfAPause(t *testing.T) {
	_, l := pausedReport(t)
	kinds := map[string]int{}
	before := int64(0)
	for _, m := range l.Moments() {
		assert.GreaterOrEqual(t, m.FromNs, before)
		assert.NotEmpty(t, m.Lines, m.Says)
		assert.Regexp(t, `^19:1[67]:\d\d\.\d{3}$`, m.Time)
		before = m.FromNs
		kinds[m.Kind]++
	}
	assert.Equal(t, map[string]int{"leader": 2, "gap": 1, "overlap": 1, "finding": 3}, kinds)
	assert.Equal(t, "node-a and node-b both believed that they led, for 16.008 s. Likely cause: pause (confidence 0.95).", l.Headline())
}

// A chart has a row for each candidate and each file. The paused one believes that it leads while the other renews.
func TestChartOfAPause(t *testing.T) {
	r, l := pausedReport(t)
	c := r.Chart(l, 0, 0, 600)
	var names []string
	for _, row := range c.Rows {
		names = append(names, row.Kind+" "+row.Name)
	}
	assert.Equal(t, []string{"candidate node-a", "candidate node-b", "candidate node-c",
		"file audit.jsonl", "file node-a.klog", "file node-b.klog", "file node-c.klog", "file watch.jsonl"}, names)
	a, b := c.Rows[0].Bars, c.Rows[1].Bars
	require.Len(t, a, 3)
	assert.Equal(t, []string{"renews", "silent", "believes"}, []string{a[0].Kind, a[1].Kind, a[2].Kind})
	assert.Equal(t, a[1].ToNs, b[0].FromNs, "the Lease names node-a until node-b takes it")
	assert.InDelta(t, 16*time.Second, a[2].ToNs-a[2].FromNs, float64(10*time.Millisecond))
	assert.Contains(t, a[2].Lines, "node-a.klog:8")
}

// A window shows its part only, and a coarse one merges marks without losing any.
func TestChartIsBounded(t *testing.T) {
	r, l := pausedReport(t)
	count := func(c Chart) (marks, records int) {
		for _, m := range c.Rows[0].Marks {
			assert.GreaterOrEqual(t, m.AtNs, c.FromNs)
			assert.LessOrEqual(t, m.AtNs, c.ToNs)
			if marks++; m.Kind == "renewal" {
				records += m.Count
			}
		}
		return marks, records
	}
	fine, all := count(r.Chart(l, 0, 0, 100_000))
	coarse, same := count(r.Chart(l, 0, 0, 4))
	assert.Less(t, coarse, fine)
	assert.Equal(t, all, same)
	_, some := count(r.Chart(l, 0, int64(5*time.Second), 600))
	assert.Less(t, some, all)
}

// A late renewal has the lines on both sides of it.
func TestNearExpiryHasItsLines(t *testing.T) {
	r := NewReader(Options{})
	for _, at := range []string{"00:00", "00:02", "00:13", "00:15"} {
		r.Feed("watch", []byte(`{"receivedAt":"2026-11-20T19:`+at+`Z","type":"MODIFIED","object":{"kind":"Lease","metadata":{"name":"x","namespace":"n","resourceVersion":"1"},`+
			`"spec":{"holderIdentity":"a","leaseDurationSeconds":15,"renewTime":"2026-11-20T19:`+at+`.000000Z"}}}`+"\n"))
	}
	r.End("watch")
	report := r.Report()
	require.Len(t, report.Leases, 1)
	require.Len(t, report.Leases[0].NearExpiries, 1)
	assert.Equal(t, []string{"watch:2", "watch:3"}, report.Leases[0].NearExpiries[0].Lines)
}

// A Lease of which the files show a single instant still has a timeline to draw.
func TestASingleInstantHasALength(t *testing.T) {
	got := read(`{"t":2,"n":0,"node":"a","events":["requestServed"],"verb":"create","result":"created","holder":"a"}` + "\n")
	require.Len(t, got.Leases, 1)
	assert.EqualValues(t, time.Second, got.Leases[0].LengthNs())
}

// A Lease that changes hands every two minutes for weeks has no more bars than steps, and none hides two leaders.
func TestManyTermsAreFewBars(t *testing.T) {
	r := NewReader(Options{Lease: "ns-a/demo"})
	lines := bytes.Split(bytes.TrimSpace(contents(t, "testdata/pause-1/audit.jsonl.gz")), []byte("\n"))
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	stamp, version := regexp.MustCompile(`2026-11-20T19:1\d:\d\d`), regexp.MustCompile(`("resourceVersion":")(\d+)`)
	for n := range 400 {
		for _, line := range lines {
			line = version.ReplaceAll(line, fmt.Appendf(nil, "${1}%d${2}", n+1))
			r.Feed("audit.jsonl", append(stamp.ReplaceAllFunc(line, func(b []byte) []byte {
				at, err := time.Parse("2006-01-02T15:04:05", string(b))
				require.NoError(t, err)
				moved := at.Sub(time.Date(2026, 11, 20, 19, 16, 0, 0, time.UTC)) + time.Duration(n)*2*time.Minute
				return []byte(begin.Add(moved).Format("2006-01-02T15:04:05"))
			}), '\n'))
		}
	}
	r.End("audit.jsonl")
	report := r.Report()
	l := &report.Leases[0]
	require.Len(t, l.Overlaps, 400)
	const steps = 100
	for _, row := range r.Chart(l, 0, 0, steps).Rows {
		assert.LessOrEqual(t, len(row.Bars), 2*steps, row.Name)
		if row.Name == "node-a" {
			assert.True(t, slices.ContainsFunc(row.Bars, func(b ChartBar) bool { return b.Merged && b.Kind == "believes" }))
		}
	}
	for _, row := range r.Chart(l, 0, int64(2*time.Minute), 1000).Rows {
		assert.False(t, slices.ContainsFunc(row.Bars, func(b ChartBar) bool { return b.Merged }), "a fine window shows each")
	}
}
