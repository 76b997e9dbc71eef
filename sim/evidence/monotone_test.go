package evidence

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// pieces are the files of an incident, by name.
type pieces map[string]string

var recorded = []string{"crash-1", "pause-1", "partition-1", "release-1", "slow-1", "edited", "etcd", "deploy-rel"}

func piecesOf(t testing.TB, incident string) pieces {
	all := pieces{}
	names, err := filepath.Glob("testdata/" + incident + "/*")
	require.NoError(t, err)
	for _, name := range names {
		if base := filepath.Base(name); base != "truth.json" && base != "audit-real.jsonl.gz" {
			all[strings.TrimSuffix(base, ".gz")] = string(contents(t, name))
		}
	}
	return all
}

// allPieces lists the incidents of testdata, the fresh ones included, by name.
func allPieces(t *testing.T) map[string]pieces {
	all := map[string]pieces{}
	for _, incident := range recorded {
		all[incident] = piecesOf(t, incident)
	}
	for _, f := range freshIncidents(t) {
		all["fresh "+f.name] = f.Files
	}
	return all
}

// ruling is what an engineer takes from a report: who led, why the leader changed, and whether two led.
type ruling struct {
	leaders []string
	causes  []string
	exit    int
	report  LeaseReport
}

func (p pieces) rule(t testing.TB, names ...string) ruling {
	r := NewReader(Options{Year: 2026, Lease: "ns-a/demo"})
	for _, name := range names {
		r.Feed(name, []byte(p[name]))
		r.End(name)
	}
	report := r.Report()
	l := leaseNamed(t, &report, "ns-a/demo")
	out := ruling{report: *l, causes: append([]string{l.Cause}, l.Alternatives...)}
	for _, c := range l.LeaderChanges {
		if c.From != c.To { // only a log shows that a leader lost the Lease and led again
			out.leaders = append(out.leaders, c.To)
		}
	}
	for _, v := range Judge(&report, 0).Violations {
		if v.Severity == rules.Safety.String() {
			out.exit = 3
		}
	}
	return out
}

// keeps reports whether a ruling says what an earlier one said, or says it more precisely.
func (r *ruling) keeps(t *testing.T, alone *ruling, what string) {
	assert.Equal(t, alone.leaders, r.leaders, what)
	assert.GreaterOrEqual(t, r.exit, alone.exit, what)
	for _, cause := range r.causes {
		if alone.causes[0] != "none" {
			assert.Contains(t, alone.causes, cause, what)
		}
	}
}

// subsets lists the subsets of an incident's files that contain the audit log.
func (p pieces) subsets() (all [][]string) {
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(p)), func(name string) bool { return name == "audit.jsonl" })
	for bits := range 1 << len(others) {
		names := []string{"audit.jsonl"}
		for i, name := range others {
			if bits>>i&1 == 1 {
				names = append(names, name)
			}
		}
		all = append(all, names)
	}
	return all
}

// Another file never takes away what the audit log alone shows: who led, that two led, and the cause.
func TestAnotherFileLosesNothing(t *testing.T) {
	for incident, p := range allPieces(t) {
		alone := p.rule(t, "audit.jsonl")
		for _, names := range p.subsets() {
			got := p.rule(t, names...)
			got.keeps(t, &alone, incident+": "+strings.Join(names, " "))
		}
	}
}

var (
	leaseTimes = regexp.MustCompile(`"(renewTime|acquireTime)":"([^"]+)"`)
	stageTimes = regexp.MustCompile(`"(requestReceivedTimestamp|stageTimestamp)":"([^"]+)"`)
	received   = regexp.MustCompile(`"receivedAt":"[^"]+",`)
)

// move adds a duration to the times that a pattern finds.
func move(t testing.TB, pattern *regexp.Regexp, line string, by time.Duration) string {
	return pattern.ReplaceAllStringFunc(line, func(found string) string {
		part := pattern.FindStringSubmatch(found)
		at, err := time.Parse(time.RFC3339Nano, part[2])
		require.NoError(t, err)
		return fmt.Sprintf(`%q:%q`, part[1], at.Add(by).Format("2006-01-02T15:04:05.000000Z"))
	})
}

// skew sets the clock of one node wrong: the times in its log and in its writes.
func (p pieces) skew(t testing.TB, node string, by time.Duration) pieces {
	all := pieces{}
	for name, text := range p {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			switch {
			case name == node+".klog" && isKlog([]byte(line)):
				at, err := time.Parse("20060102 15:04:05.000000", "2026"+line[1:21])
				require.NoError(t, err)
				lines[i] = line[:1] + at.Add(by).Format("0102 15:04:05.000000") + line[21:]
			case strings.Contains(line, fmt.Sprintf(`"holderIdentity":%q`, node)):
				lines[i] = move(t, leaseTimes, line, by)
			}
		}
		all[name] = strings.Join(lines, "\n")
	}
	return all
}

// onTwoServers has every second request answered by a server whose clock is ahead, and sorts the merged log by time.
func (p pieces) onTwoServers(t testing.TB, ahead time.Duration) pieces {
	all := maps.Clone(p)
	lines := strings.Split(strings.TrimSpace(p["audit.jsonl"]), "\n")
	for i, line := range lines {
		if bytes.Contains([]byte(line), []byte(`"leases"`)) && i*i%7%2 == 0 {
			lines[i] = move(t, stageTimes, line, ahead)
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int {
		return strings.Compare(stageTimes.FindAllString(a, 2)[1], stageTimes.FindAllString(b, 2)[1])
	})
	all["audit.jsonl"] = strings.Join(lines, "\n") + "\n"
	return all
}

// A clock that is wrong by 40 s changes neither the leaders nor the cause. Nor does a second API server whose clock is
// 20 s ahead.
func TestWrongClocksChangeNothing(t *testing.T) {
	for incident, p := range allPieces(t) {
		files := slices.Sorted(maps.Keys(p))
		sources := [][]string{{"audit.jsonl"}, {"watch.jsonl"}, files}
		for _, names := range sources {
			right := p.rule(t, names...)
			for _, node := range []string{"node-a", "node-b", "node-c"} {
				for _, by := range []time.Duration{-40 * time.Second, 40 * time.Second} {
					got := p.skew(t, node, by).rule(t, names...)
					what := fmt.Sprintf("%s: %s, %s %s", incident, strings.Join(names, " "), node, by)
					assert.Equal(t, right.leaders, got.leaders, what)
					assert.Equal(t, right.causes, got.causes, what)
					assert.Equal(t, right.exit, got.exit, what)
				}
			}
			if len(names) > 1 { // a log in local time: renewTime is right
				local := maps.Clone(p)
				local["node-a.klog"] = p.skew(t, "node-a", time.Hour)["node-a.klog"]
				got := local.rule(t, names...)
				assert.Equal(t, right.causes, got.causes, incident)
				assert.Equal(t, right.report.Overlaps == nil, got.report.Overlaps == nil, incident)
			}
			if names[0] == "audit.jsonl" {
				got := p.onTwoServers(t, 20*time.Second).rule(t, names...)
				what := fmt.Sprintf("%s: %s on two servers", incident, strings.Join(names, " "))
				assert.Equal(t, right.leaders, got.leaders, what)
				assert.Equal(t, right.causes, got.causes, what)
				assert.Equal(t, right.exit, got.exit, what)
			}
		}
	}
}

// A watch without times shows the same leaders and the same cause, in whatever order its clocks tell the time.
func TestAWatchWithoutTimes(t *testing.T) {
	for incident, p := range allPieces(t) {
		right, p := p.rule(t, "watch.jsonl"), maps.Clone(p)
		p["watch.jsonl"] = received.ReplaceAllString(p["watch.jsonl"], "")
		for _, node := range []string{"node-a", "node-b", "node-c"} {
			for _, by := range []time.Duration{0, -40 * time.Second, 40 * time.Second} {
				got := p.skew(t, node, by).rule(t, "watch.jsonl")
				what := fmt.Sprintf("%s: %s %s", incident, node, by)
				for i, g := range right.report.Gaps { // managedFields have the server's seconds
					assert.InDelta(t, g.Seconds, got.report.Gaps[i].Seconds, 0.6, what)
				}
				assert.Equal(t, right.leaders, got.leaders, what)
				assert.Equal(t, right.causes, got.causes, what)
				assert.Equal(t, right.exit, got.exit, what)
			}
		}
	}
}

// A hole in the audit log sets no clock wrong, and gives no false cause a confidence over 0.6.
func TestAHoleTellsNothingFalse(t *testing.T) {
	for incident, p := range allPieces(t) {
		stamps := stageTimes.FindAllStringSubmatch(p["audit.jsonl"], -1)
		first, err := time.Parse(time.RFC3339Nano, stamps[0][2])
		require.NoError(t, err)
		right := p.rule(t, slices.Sorted(maps.Keys(p))...)
		for from := range 12 {
			begins := first.Add(time.Duration(from) * 4 * time.Second)
			cut := p.hole(begins.Format(time.RFC3339), begins.Add(12*time.Second).Format(time.RFC3339))
			for _, files := range []pieces{cut.only("audit"), cut.only("audit", "node"), cut} {
				if len(files["audit.jsonl"]) < 3000 {
					continue
				}
				got := files.rule(t, slices.Sorted(maps.Keys(files))...)
				what := fmt.Sprintf("%s, %d files, from %d s", incident, len(files), 4*from)
				for _, f := range got.report.Evidence {
					assert.NotContains(t, f.Says, "The clock of", what)
				}
				if got.report.Confidence > 0.6 && got.report.Cause != "none" && right.report.Cause != "slow" {
					assert.Equal(t, right.report.Cause, got.report.Cause, what) // a hole may hide late renewals
				}
			}
		}
	}
}

// A file about the Lease that begins late or ends early takes nothing away from the electors' logs: the same leaders,
// and two leaders wherever the logs alone show two.
func TestAPartOfTheLeaseFileHidesNoLeader(t *testing.T) {
	cases := 0
	for incident, p := range allPieces(t) {
		logs := p.only("node")
		alone, whole := logs.rule(t, slices.Sorted(maps.Keys(logs))...), p.rule(t, slices.Sorted(maps.Keys(p))...)
		for _, source := range []string{"audit.jsonl", "watch.jsonl"} {
			lines := strings.SplitAfter(p[source], "\n")
			for twelfth := 1; twelfth < 12 && len(lines) > 12; twelfth++ {
				at := len(lines) * twelfth / 12
				for side, part := range map[string][]string{"head": lines[:at], "tail": lines[at:]} {
					cut := maps.Clone(logs)
					cut[source] = strings.Join(part, "")
					got := cut.rule(t, slices.Sorted(maps.Keys(cut))...)
					what := fmt.Sprintf("%s, the %s of %s at %d/12", incident, side, source, twelfth)
					cases++
					for _, leader := range alone.leaders {
						assert.Contains(t, got.leaders, leader, what)
					}
					if alone.exit == whole.exit {
						assert.Equal(t, whole.exit, got.exit, what)
					}
				}
			}
		}
	}
	assert.Greater(t, cases, 300)
}

// Without one line of the audit log, two renewals are twice as far apart as usual: no answer was slow.
func TestAMissingLineIsNotSlow(t *testing.T) {
	p := piecesOf(t, "partition-1").only("audit", "node-a")
	assert.Equal(t, "partition", p.rule(t, "audit.jsonl", "node-a.klog").report.Cause)
	lines := strings.SplitAfter(p["audit.jsonl"], "\n")
	p["audit.jsonl"] = strings.Join(slices.Delete(lines, 24, 25), "")
	whole := p.rule(t, "audit.jsonl", "node-a.klog").report
	p = p.unversioned()
	got := p.rule(t, "audit.jsonl", "node-a.klog").report
	assert.Equal(t, "partition", got.Cause)
	says := func(l *LeaseReport) (all string) {
		for _, f := range l.Evidence {
			all += f.Says
		}
		return all
	}
	assert.Contains(t, says(&got), "4.092 s apart, 2 times as far as usual: renewals failed, or these files lack lines.")
	assert.NotContains(t, says(&whole), "apart", "the versions show that a line is missing")
	assert.InDelta(t, 2.05, whole.Renewals.MaxSeconds, 0.1)
	slow := piecesOf(t, "slow-1").rule(t, "audit.jsonl").report
	assert.Equal(t, "slow", slow.Cause)
	assert.NotContains(t, says(&slow), "as far as usual")
}

// Without some writes of the audit log, a report tells of no overlap that did not happen. It names no other leader, and
// does not count the rule as checked.
func TestAMissingWriteProvesNothing(t *testing.T) {
	cases, unjudged := 0, 0
	try := func(what string, whole ruling, p pieces, names ...string) {
		cases++
		r := NewReader(Options{Year: 2026, Lease: "ns-a/demo"})
		for _, name := range names {
			r.Feed(name, []byte(p[name]))
			r.End(name)
		}
		report := r.Report()
		l := leaseNamed(t, &report, "ns-a/demo")
		for _, c := range l.LeaderChanges {
			assert.Contains(t, whole.leaders, c.To, what)
		}
		if whole.exit == 0 {
			assert.Empty(t, l.Overlaps, what)
		}
		if v := Judge(&report, 0); !slices.Contains(v.Judged, rules.MoreThanOneActive) {
			unjudged++
			assert.Contains(t, v.Unjudged, Unjudged{rules.MoreThanOneActive, "writes are missing right before a takeover"})
			assert.Contains(t, strings.Join(l.Limits, " "), "These files lack writes of the Lease", what)
		}
	}
	for _, incident := range recorded {
		p := piecesOf(t, incident)
		names := slices.Sorted(maps.Keys(p.only("audit", "node")))
		whole := p.rule(t, names...)
		lines := strings.SplitAfter(p["audit.jsonl"], "\n")
		for i, line := range lines {
			if strings.Contains(line, `"verb":"update"`) {
				without := maps.Clone(p)
				without["audit.jsonl"] = strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
				what := fmt.Sprintf("%s without line %d", incident, i+1)
				try(what, whole, without, "audit.jsonl")
				try(what+", with logs", whole, without, names...)
			}
		}
		for server := range 3 {
			k := 0
			third := p.change("audit.jsonl", func(line string) string {
				if k++; (k*7+k/3)%3 != server {
					return ""
				}
				return line
			})
			what := fmt.Sprintf("%s, server %d of 3", incident, server)
			try(what, whole, third, "audit.jsonl")
			try(what+", with logs", whole, third, names...)
		}
	}
	assert.Greater(t, cases, 200)
	assert.Greater(t, unjudged, 20)
}

// An audit log that begins in a term tells by acquireTime when that term began, if a log shows the term before.
func TestATermBeginsWithItsAcquisition(t *testing.T) {
	p := piecesOf(t, "crash-1").only("audit", "node-a").hole("2026-11-20T19:15", "2026-11-20T19:16:16")
	changes := p.rule(t, "audit.jsonl", "node-a.klog").report.LeaderChanges
	require.Len(t, changes, 2)
	assert.Equal(t, "2026-11-20T19:16:08.291105Z", changes[1].At)
}
