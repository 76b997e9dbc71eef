package evidence

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// freshIncident is a recording of make incidents: the truth, and the evidence by the name of its file.
type freshIncident struct {
	name                 string
	Class, Cause, Leader string
	Events               []struct {
		Event, ID string
		Time      time.Time
	}
	Files map[string]string
}

func freshIncidents(t *testing.T) (all []freshIncident) {
	names, err := filepath.Glob("testdata/fresh/*.json.gz")
	require.NoError(t, err)
	for _, name := range names {
		one := freshIncident{name: strings.TrimSuffix(filepath.Base(name), ".json.gz")}
		require.NoError(t, json.Unmarshal(contents(t, name), &one), name)
		all = append(all, one)
	}
	require.Len(t, all, 20, "make incidents makes them")
	return all
}

func (f *freshIncident) report(with func(name string) bool) Report {
	r := NewReader(Options{Year: 2026})
	var names []string
	for name := range f.Files {
		if with(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		r.Feed(name, []byte(f.Files[name]))
		r.End(name)
	}
	return r.Report()
}

// leaders is who started leading, and for how long two believed that they led.
func (f *freshIncident) leaders() (names []string, at []time.Time, overlap time.Duration) {
	believes := map[string]bool{}
	var since time.Time
	for _, e := range f.Events {
		switch e.Event {
		case "started_leading":
			names, at = append(names, e.ID), append(at, e.Time)
			if believes[e.ID] = true; len(believes) > 1 {
				since = e.Time
			}
		case "stopped_leading", "SIGKILL":
			if believes[e.ID] && len(believes) > 1 {
				overlap += e.Time.Sub(since)
			}
			delete(believes, e.ID)
		}
	}
	return names, at, overlap
}

// sameLeaders says whether a Lease's changes are the truth's, each within 2.5 s. A leader that follows itself counts
// once: if it creates a deleted Lease again, its callbacks do not notice, and if it leads again after a loss, the Lease
// does not show it.
func sameLeaders(l *LeaseReport, names []string, at []time.Time) bool {
	changes := slices.DeleteFunc(slices.Clone(l.LeaderChanges), func(c Change) bool { return c.From == c.To })
	for i := len(names) - 1; i > 0; i-- {
		if names[i] == names[i-1] {
			names, at = slices.Delete(slices.Clone(names), i, i+1), slices.Delete(slices.Clone(at), i, i+1)
		}
	}
	if len(changes) != len(names) {
		return false
	}
	for i, c := range changes {
		when, err := time.Parse(time.RFC3339Nano, c.At)
		if err != nil || c.To != names[i] || when.Sub(at[i]).Abs() > 2500*time.Millisecond {
			return false
		}
	}
	return true
}

// hasCause reports whether an answer has the cause: in the first place, or among the causes that the files cannot tell
// apart.
func hasCause(l *LeaseReport, cause string) (first, among bool) {
	return l.Cause == cause, l.Cause == cause || slices.Contains(l.Alternatives, cause)
}

// Twenty fresh incidents, recorded after the thresholds were frozen: each source gives back who led, and its cause. The table is
// printed with -v. The floors are what the frozen thresholds gave. Of the audit log alone, an elector that is killed, one whose
// connections are refused, and one that wakes after its renewDeadline are the same silence, and are named together: first is how
// often the cause is the one in the first place. Of the logs alone, requests that time out do not tell whether they did not get through
// or were answered too late.
func TestFreshIncidents(t *testing.T) {
	sources := []struct {
		name            string
		with            func(string) bool
		leaders, causes int // of 20, at least
		first           int
	}{
		{"audit", func(n string) bool { return n == "audit.jsonl" }, 20, 19, 17},
		{"watch", func(n string) bool { return n == "watch.jsonl" }, 20, 18, 11},
		{"klog", func(n string) bool { return strings.HasSuffix(n, ".klog") }, 20, 17, 13},
		{"together", func(string) bool { return true }, 20, 20, 20},
	}
	incidents := freshIncidents(t)
	for _, source := range sources {
		confusion, leaders, causes, firsts := map[string]int{}, 0, 0, 0
		for i := range incidents {
			f := &incidents[i]
			report := f.report(source.with)
			l := leaseNamed(t, &report, "ns-a/demo")
			confusion[fmt.Sprintf("%s (%s) → %s", f.Class, f.Cause, l.Causes())]++
			names, at, overlap := f.leaders()
			switch {
			case !sameLeaders(l, names, at):
				t.Logf("%s, %s: %d changes, not %d: %v", source.name, f.name, len(l.LeaderChanges), len(names), l.LeaderChanges)
			default:
				leaders++
			}
			first, among := hasCause(l, f.Cause)
			if first {
				firsts++
			}
			if among {
				causes++
			} else {
				t.Logf("%s, %s: %s, not %s: %v", source.name, f.name, l.Causes(), f.Cause, l.Evidence)
			}
			if source.name == "together" {
				total := 0.0
				for _, o := range l.Overlaps {
					total += o.Seconds
				}
				assert.InDelta(t, overlap.Seconds(), total, 0.3, f.name)
			}
		}
		var rows []string
		for row, n := range confusion {
			rows = append(rows, fmt.Sprintf("%3d  %s", n, row))
		}
		slices.Sort(rows)
		t.Logf("%s: leaders of %d, cause of %d, in the first place of %d\n%s", source.name, leaders, causes, firsts, strings.Join(rows, "\n"))
		assert.GreaterOrEqual(t, leaders, source.leaders, source.name)
		assert.GreaterOrEqual(t, causes, source.causes, source.name)
		assert.GreaterOrEqual(t, firsts, source.first, source.name)
	}
}
