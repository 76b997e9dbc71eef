package coordinated

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

var update = flag.Bool("update", false, "write the golden file anew")

func timelines(t testing.TB) []Timeline {
	data, err := recorded.Read("testdata/timelines.json.gz")
	require.NoError(t, err)
	all, err := Parse(data)
	require.NoError(t, err)
	require.Len(t, all, 22)
	return all
}

// toleranceSeconds is the maximum distance of our write from the recorded one.
const toleranceSeconds = 0.25

// unmatched are the timelines that cannot match completely, each with the reason and the number of our last writes that
// the recording lacks.
var unmatched = map[string]struct {
	reason string
	extra  int
}{
	"strategy-conflict": {
		"the recorder stopped 70 ms after its 60 s, between the two pings of one round: that of a is missing", 1},
}

// controllersWrites returns the real controller's writes, in the order in which they were stored.
func controllersWrites(tl *Timeline) []ControllerWrite {
	var all []ControllerWrite
	for _, e := range inStoredOrder(tl.Timeline) {
		if e.By == "controller" {
			all = append(all, ControllerWrite{T: e.T, Kind: e.Watch, Name: e.Name, Spec: e.Spec})
		}
	}
	return all
}

// sortPings sorts pings within the tolerance by name: kube-apiserver sends the pings of a round at once, and the
// recordings have them in any order.
func sortPings(writes []ControllerWrite) []ControllerWrite {
	all := append([]ControllerWrite(nil), writes...)
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[from].Kind == coordination.KindLeaseCandidate &&
			all[to].Kind == coordination.KindLeaseCandidate && all[to].T-all[to-1].T < toleranceSeconds {
			to++
		}
		round := all[from:to]
		sort.SliceStable(round, func(i, j int) bool { return round[i].Name < round[j].Name })
		from = to
	}
	return all
}

// difference describes how two writes differ, "" if they do not.
func difference(theirs, ours *ControllerWrite) string {
	if theirs.Kind != ours.Kind || theirs.Name != ours.Name {
		return "another object"
	}
	if math.Abs(theirs.T-ours.T) > toleranceSeconds {
		return "another time"
	}
	near := func(a, b *Instant) bool {
		return (a == nil) == (b == nil) && (a == nil || math.Abs(float64(*a-*b)) <= toleranceSeconds*1e6)
	}
	a, b := theirs.Spec, ours.Spec
	if !near(a.AcquireTime, b.AcquireTime) || !near(a.PingTime, b.PingTime) || !near(a.RenewTime, b.RenewTime) {
		return "a time inside"
	}
	a.AcquireTime, a.PingTime, a.RenewTime = b.AcquireTime, b.PingTime, b.RenewTime
	if string(recorded.Line(a)) != string(recorded.Line(b)) {
		return "another field"
	}
	return ""
}

// compare lists the differences between our run of a timeline and the recording; it ignores extra writes at our end.
func compare(tl *Timeline, ours []ControllerWrite, extra int) []string {
	theirs := sortPings(controllersWrites(tl))
	var wrong []string
	if len(ours) != len(theirs)+extra {
		wrong = append(wrong, fmt.Sprintf("%d writes, recorded are %d", len(ours), len(theirs)))
	}
	ours = sortPings(ours[:min(len(ours), max(len(ours)-extra, 0))])
	for i := range theirs {
		if i >= len(ours) {
			wrong = append(wrong, fmt.Sprintf("%d is missing: %s", i, recorded.Line(theirs[i])))
		} else if d := difference(&theirs[i], &ours[i]); d != "" {
			wrong = append(wrong, fmt.Sprintf("%d: %s\n  recorded %s\n  ours     %s", i, d, recorded.Line(theirs[i]),
				recorded.Line(ours[i])))
		}
	}
	return wrong
}

// Our controller repeats every timeline of the real one from the acts outside it: the same writes in the same order,
// with the same fields, each within a quarter of a second, and with the same constants for all.
//
// The timelines pin the rules. Breaking one rule by hand makes this many of the 22 timelines differ:
//
//	a key is looked at again after four seconds                  13
//	an ack counts for ten seconds                                13
//	of several delays of a key the latest counts                 10
//	the newest emulationVersion wins                              5
//	a live Lease is taken over                                    5
//	preferredHolder stays when the Lease changes its holder       5
//	an expired Lease of the electee is written again              4
//	no election needed: the key is not looked at again            4
//	Lease events do not queue the key                             3
//	an unanswered ping is repeated                                3
//	a Lease without holderIdentity gets its holder                2
//	acquireTime stays when the Lease changes its holder           1
//	creationTimestamp does not count                              1
//	binaryVersion does not count                                  1
//	the strategy is the first candidate's                         1
//	strategies may differ at one binaryVersion                    1
//	a candidate counts for an hour                                1
//	the strategy of a Lease is not rewritten                      1
//	strategies that differ: the key is looked at again            1
//
// No timeline pins that the controller ignores the event of a candidate that it pinged itself, whether it requeues a
// key with pings under way or without any ack, what 15 minutes of silence do, and the collector: the tests of
// core/coordinator do.
func TestEveryTimeline(t *testing.T) {
	t.Logf("controller latency %s one way, cycle overhead %s", Measured.Latency, Measured.Overhead)
	seen := map[string]bool{}
	for _, tl := range timelines(t) {
		seen[tl.Name] = true
		t.Run(tl.Name, func(t *testing.T) {
			ours, err := tl.Run(Measured)
			require.NoError(t, err)
			short := unmatched[tl.Name]
			if short.reason != "" {
				t.Logf("not whole: %s", short.reason)
				writes := append([]ControllerWrite(nil), ours.ControllerWrites...)
				if n := len(writes); n >= 2 { // of the last round the recording has only b's ping
					writes[n-2], writes[n-1] = writes[n-1], writes[n-2]
				}
				ours.ControllerWrites = writes
			}
			assert.Empty(t, compare(&tl, ours.ControllerWrites, short.extra))
			assert.InDeltaSlice(t, exits(&tl), ours.CrashedAt, toleranceSeconds,
				"our controller ends the process, and at the recorded time")
		})
	}
	for name := range unmatched {
		assert.True(t, seen[name], "%s is not a timeline", name)
	}
}

// exits returns the recorded ends of the API server's process.
func exits(tl *Timeline) []float64 {
	at := []float64{}
	for _, e := range tl.Timeline {
		if e.Actor == "kube-apiserver" && strings.HasPrefix(e.Op, "process exits") {
			at = append(at, e.T)
		}
	}
	return at
}

// The match does not depend on the exact constants: two thirds of them and twice as much match, too.
func TestConstantsAreNotTuned(t *testing.T) {
	for _, factor := range []float64{0.7, 2} {
		c := Measured
		c.Latency = scale(c.Latency, factor)
		c.Overhead = scale(c.Overhead, factor)
		for _, tl := range timelines(t) {
			ours, err := tl.Run(c)
			require.NoError(t, err)
			if unmatched[tl.Name].reason == "" {
				assert.Empty(t, compare(&tl, ours.ControllerWrites, 0), "%s, factor %v", tl.Name, factor)
			}
		}
	}
}

func scale[D ~int64](d D, factor float64) D { return D(float64(d) * factor) }

// Our run copies nothing from the controller's own writes except the delays of replies and the order of storing: a
// recording with false writes changes nothing else.
func TestNothingIsCopied(t *testing.T) {
	for _, tl := range timelines(t) {
		honest, err := tl.Run(Measured)
		require.NoError(t, err)
		lie := "another"
		for i := range tl.Timeline {
			if e := &tl.Timeline[i]; e.By == "controller" && e.Watch == coordination.KindLease {
				e.Spec.Strategy = &lie
			}
		}
		again, err := tl.Run(Measured)
		require.NoError(t, err)
		assert.Equal(t, string(JSON([]Run{honest})), string(JSON([]Run{again})), tl.Name)
	}
}

// One timeline for people to read: every decision with its reasons. `go test ./sim/recorded/coordinated -run Transcript
// -update` rewrites it; review the difference.
func TestTimelineTranscript(t *testing.T) {
	const path = "testdata/late-better.txt"
	for _, tl := range timelines(t) {
		if tl.Name != "late-better" {
			continue
		}
		tl.DurationSeconds = 33 // the rest is renewals
		var b bytes.Buffer
		b.WriteString(
			"# A better candidate arrives while the Lease is held. The controller asks the others first, then sets " +
				"preferredHolder;\n" +
				"# the holder stops renewing, its Lease expires, and after a new round the better one gets it.\n")
		require.NoError(t, WriteTranscript(&b, &tl, Measured))
		if *update {
			require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), b.String())
	}
}

// Parse accepts a single timeline or an array, and refuses anything else in one line.
func TestTimelineInput(t *testing.T) {
	one, err := Parse([]byte(`{"name":"n","durationSeconds":1,"timeline":[]}`))
	require.NoError(t, err)
	run, err := one[0].Run(Measured)
	require.NoError(t, err)
	assert.Equal(t, "[{\"name\":\"n\",\"controllerWrites\":[]}]\n", string(JSON([]Run{run})))
	for _, bad := range []string{
		``, `7`, `[7]`, `{}`, `{"durationSeconds":-1}`, `{"durationSeconds":1e9}`,
		`{"durationSeconds":1,"timeline":[{"t":1e300}]}`,
		`{"durationSeconds":1,"timeline":[{"t":1,"watch":"Lease","spec":{"renewTime":"noon"}}]}`,
		`{"durationSeconds":1,"timeline":[{"t":1,"watch":"Lease","spec":{"renewTime":"<t+NaN>"}}]}`,
	} {
		_, err := Parse([]byte(bad))
		require.Error(t, err, bad)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// A time keeps its text, in hundredths.
func TestSpecTime(t *testing.T) {
	for _, c := range []struct{ in, out string }{
		{"<t+5.02>", "<t+5.02>"}, {"<t-951.99>", "<t-951.99>"}, {"<t+0.00>", "<t+0.00>"}, {"<t-0.00>", "<t+0.00>"},
		{"<t+1.005>", "<t+1.01>"}, {"<t+59.999>", "<t+60.00>"},
	} {
		var s Instant
		require.NoError(t, json.Unmarshal([]byte(`"`+c.in+`"`), &s))
		assert.Equal(t, c.out, s.String())
	}
}

// Every input that parses as timelines runs to an end or returns an error.
func FuzzTimeline(f *testing.F) {
	f.Add(
		[]byte(
			`{"name":"n","durationSeconds":9,"timeline":[{"t":0.01,"watch":"LeaseCandidate","type":"ADDED","name":"a","by":"client","resourceVersion":"<rv:1>",` +
				`"spec":{"leaseName":"l","renewTime":"<t-9.00>","binaryVersion":"1.36.0","emulationVersion":"1.36.0","strategy":"OldestEmulationVersion"}},` +
				`{"t":0.02,"watch":"LeaseCandidate","type":"MODIFIED","name":"a","by":"controller","resourceVersion":"<rv:2>","spec":{"pingTime":"<t+0.01>","renewTime":"<t-9.00>"}},` +
				`{"t":0.08,"watch":"LeaseCandidate","type":"MODIFIED","name":"a","by":"client","resourceVersion":"<rv:3>","spec":{"pingTime":"<t+0.01>","renewTime":"<t+0.07>"}},` +
				`{"t":3,"actor":"holder:a","op":"renew lease","status":409},{"t":4,"actor":"kube-apiserver","op":"process exits"},{"t":5,"actor":"kube-apiserver","op":"ready again"}]}`))
	f.Add(
		[]byte(
			`[{"name":"n","durationSeconds":1,"timeline":[{"t":0,"watch":"Lease","type":"ADDED","name":"l","by":"client","spec":{}}]}]`))
	cost := bounded.Limit{Fixed: 16 << 20, PerByte: 1000} // thirty seconds of a run
	f.Fuzz(func(t *testing.T, data []byte) {
		cost.Do(t, len(data), func() {
			all, err := Parse(data)
			if err != nil || len(all) > 3 {
				return
			}
			for i := range all {
				all[i].DurationSeconds = min(all[i].DurationSeconds, 30)
				run, err := all[i].Run(Measured)
				if err == nil {
					JSON([]Run{run})
				}
			}
		})
	})
}
