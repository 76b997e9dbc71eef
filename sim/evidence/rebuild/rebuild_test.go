package rebuild

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/scenario"
)

func demo(t *testing.T, pattern string) *evidence.LeaseReport {
	r := evidence.NewReader(evidence.Options{Lease: "ns-a/demo", Year: 2026})
	names, err := filepath.Glob("../testdata/" + pattern)
	require.NoError(t, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.HasSuffix(name, ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(data))
			require.NoError(t, err)
			data, err = io.ReadAll(z)
			require.NoError(t, err)
		}
		r.Feed(name, data)
		r.End(name)
	}
	report := r.Report()
	require.Len(t, report.Leases, 1)
	return &report.Leases[0]
}

// The scenario of each recorded incident has the same leaders, each within a millisecond of the evidence, and each write of the evidence
// has one of the same candidate near it.
func TestIncidentsRunAgain(t *testing.T) {
	for _, incident := range []string{"crash-1", "pause-1", "partition-1", "release-1", "slow-1"} {
		for _, source := range []string{"audit.jsonl.gz", "watch.jsonl.gz", "node-*.klog"} {
			t.Run(incident+" "+source, func(t *testing.T) {
				l := demo(t, incident+"/"+source)
				s, fit, err := Scenario(l)
				require.NoError(t, err)
				assert.True(t, fit.SameLeaders)
				assert.LessOrEqual(t, fit.ChangeNs, int64(time.Millisecond))
				assert.LessOrEqual(t, fit.WriteNs, int64(160*time.Millisecond))
				slow := slices.ContainsFunc(s.Actions, func(a scenario.Action) bool { return a.Act == "latency" })
				assert.Equal(t, l.Cause == "slow", slow)
				t.Logf("change %.3f s, write %.3f s of %d", float64(fit.ChangeNs)/1e9, float64(fit.WriteNs)/1e9, fit.Writes)
				again, err := scenario.Decode(scenario.Encode(s))
				require.NoError(t, err)
				assert.Equal(t, scenario.Encode(s), scenario.Encode(again))
			})
		}
	}
}

func TestOneStateHasNoHistory(t *testing.T) {
	_, _, err := Scenario(&evidence.LeaseReport{Name: "a/b"})
	assert.EqualError(t, err, "the evidence of a/b shows too little to run again: it needs at least two writes")
}

// So has that of each fresh incident (make incidents), from its audit log and the electors' logs.
func TestFreshIncidentsRunAgain(t *testing.T) {
	names, err := filepath.Glob("../testdata/fresh/*.json.gz")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		packed, err := os.Open(name)
		require.NoError(t, err)
		z, err := gzip.NewReader(packed)
		require.NoError(t, err)
		var incident struct{ Files map[string]string }
		require.NoError(t, json.NewDecoder(z).Decode(&incident))
		require.NoError(t, packed.Close())
		r := evidence.NewReader(evidence.Options{Lease: "ns-a/demo", Year: 2026})
		for _, file := range slices.Sorted(maps.Keys(incident.Files)) {
			r.Feed(file, []byte(incident.Files[file]))
			r.End(file)
		}
		report := r.Report()
		require.Len(t, report.Leases, 1)
		_, fit, err := Scenario(&report.Leases[0])
		require.NoError(t, err)
		t.Logf("%s: change %.3f s, write %.3f s of %d", filepath.Base(name), float64(fit.ChangeNs)/1e9, float64(fit.WriteNs)/1e9, fit.Writes)
		assert.True(t, fit.SameLeaders, name)
		assert.LessOrEqual(t, fit.ChangeNs, int64(time.Second), name)
	}
}

// Evidence with absurd figures gives a scenario or a sentence, and never a run without end.
func FuzzScenario(f *testing.F) {
	f.Add(int64(15), int64(2000), int64(20000), uint8(20), "a", "b")
	f.Add(int64(0), int64(1), int64(1), uint8(3), "a", "a")
	f.Add(int64(1<<40), int64(1<<40), int64(-5), uint8(3), "", "b")
	f.Add(int64(-3), int64(-17), int64(1125899906842624), uint8(255), "1", "\xc3")
	f.Add(int64(-3), int64(0), int64(1<<50), uint8(255), "x y", "é")
	f.Fuzz(func(t *testing.T, duration, everyMs, gapMs int64, writes uint8, one, two string) {
		at := time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
		var text strings.Builder
		for i := range int(writes) {
			holder := one
			if i > int(writes)/2 {
				holder = two
			}
			if i == int(writes)/2 {
				at = at.Add(time.Duration(gapMs%1e9) * time.Millisecond)
			}
			at = at.Add(time.Duration(everyMs%1e7) * time.Millisecond)
			stamp := at.Format(time.RFC3339Nano)
			fmt.Fprintf(&text, `{"receivedAt":%q,"type":"MODIFIED","object":{"kind":"Lease","metadata":{"name":"demo","namespace":"ns-a"},"spec":{"holderIdentity":%q,"leaseDurationSeconds":%d,"renewTime":%q}}}`+"\n",
				stamp, holder, duration, stamp)
		}
		r := evidence.NewReader(evidence.Options{Year: 2026})
		r.Feed("watch", []byte(text.String()))
		r.End("watch")
		report := r.Report()
		for i := range report.Leases {
			if s, _, err := Scenario(&report.Leases[i]); err == nil {
				require.NoError(t, scenario.Validate(s))
			}
		}
	})
}

// Evidence that fits several causes has a run for each, with the same leaders.
func TestATieHasARunForEachCause(t *testing.T) {
	l := demo(t, "crash-1/audit.jsonl.gz")
	acts := map[string]string{"crash": "crash", "pause": "pause", "partition": "cut"}
	for _, cause := range append([]string{l.Cause}, l.Alternatives...) {
		s, fit, err := ScenarioAs(l, cause)
		require.NoError(t, err)
		assert.True(t, fit.SameLeaders, cause)
		require.Len(t, s.Actions, 1)
		assert.Equal(t, acts[cause], s.Actions[0].Act)
	}
	s, _, err := ScenarioAs(l, "deleted")
	require.NoError(t, err)
	assert.Equal(t, "crash", s.Actions[0].Act, "the evidence does not fit a deletion")
}
