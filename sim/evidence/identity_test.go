package evidence

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logsOf returns the logs of an incident, by name, and its audit log.
func logsOf(t *testing.T, incident string) (logs map[string]string, audit string) {
	wrappedIncident = "testdata/" + incident
	defer func() { wrappedIncident = "testdata/pause-1" }()
	return eachLine(true, func(l *logged) string { return l.text })(t), ndjson(auditEvents(t))
}

// changesOf says who led, and why that ended.
func changesOf(r *Report) (all []string) {
	for i := range r.Leases {
		for _, c := range r.Leases[i].LeaderChanges {
			all = append(all, fmt.Sprintf("%s → %s %s", c.From, c.To, c.Causes()))
		}
	}
	return all
}

// renamed gives the logs other names: names that say nothing, or names of other candidates.
func renamed(logs map[string]string, name func(i int, names []string) string) map[string]string {
	out, names := map[string]string{}, slices.Sorted(maps.Keys(logs))
	for i, old := range names {
		out[name(i, names)] = logs[old]
	}
	return out
}

// The names of the files do not matter where the log says whose it is: alone, and with the audit log.
func TestNamesOfFilesDoNotMatter(t *testing.T) {
	for _, incident := range []string{"pause-1", "crash-1", "partition-1", "slow-1", "suffix"} {
		for _, audited := range []bool{false, true} {
			logs, audit := logsOf(t, incident)
			var want []string
			for _, name := range []func(int, []string) string{
				func(i int, names []string) string { return names[i] },
				func(i int, names []string) string { return fmt.Sprintf("download (%d).txt", len(names)-i) },
				func(i int, names []string) string { return names[(i+1)%len(names)] },
				func(i int, names []string) string {
					return "pods/" + names[i][:len("node-a")] + "/manager/logs/current.log"
				},
			} {
				files := renamed(logs, name)
				if audited {
					files["audit"] = audit
				}
				report := readFiles(files, 1<<20)
				got := changesOf(&report)
				if want == nil {
					want = got
				}
				assert.Equal(t, want, got, "%s %v", incident, slices.Sorted(maps.Keys(files)))
				assert.Empty(t, report.Problems)
			}
			assert.Contains(t, strings.Join(want, "\n"), strings.TrimSuffix(incident, "-1")[:1], "%v", want)
		}
	}
}

// In one file, klog's process number keeps electors apart. If they all are process 1, as in containers, the report
// leaves the file out, and says so with the line that proves it.
func TestSeveralElectorsInOneFile(t *testing.T) {
	for _, incident := range []string{"pause-1", "crash-1", "partition-1", "slow-1", "release-1", "suffix"} {
		logs, audit := logsOf(t, incident)
		alone := readFiles(map[string]string{"audit": audit}, 1<<20)
		all := readFiles(map[string]string{"audit": audit, "a": logs["node-a.log"], "b": logs["node-b.log"], "c": logs["node-c.log"]}, 1<<20)
		joined := logs["node-a.log"] + logs["node-b.log"] + logs["node-c.log"]
		lines := strings.Split(strings.TrimSpace(joined), "\n")
		slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(a[1:21], b[1:21]) })
		for _, text := range []string{joined, strings.Join(lines, "\n")} {
			split := readFiles(map[string]string{"audit": audit, "all.log": text}, 1<<20)
			assert.Equal(t, changesOf(&all), changesOf(&split), incident)
			assert.Empty(t, split.Problems)
			if incident == "pause-1" {
				assert.Contains(t, split.Files[0].Says, "nothing else names its candidate; the report calls it all process 17801")
			}

			text = regexp.MustCompile(`(?m)^(.\d{4} \S+ +)\d+ `).ReplaceAllString(text, "${1}1 ")
			mixed := readFiles(map[string]string{"audit": audit, "all.log": text}, 1<<20)
			assert.Equal(t, changesOf(&alone), changesOf(&mixed), incident)
			require.Len(t, mixed.Problems, 1)
			assert.Contains(t, mixed.Problems[0].Says, "the file mixes the logs of several electors and does not name them")
			assert.Contains(t, strings.Split(text, "\n")[mixed.Problems[0].Line-1], "ease")
		}
	}
}

// At the default level, client-go logs only attempts, acquisitions and losses. Such logs of several electors in one file
// contradict themselves, too.
func TestSeveralElectorsAtTheDefaultLevel(t *testing.T) {
	for _, incident := range []string{"pause-1", "crash-1", "partition-1", "slow-1", "release-1", "suffix"} {
		logs, audit := logsOf(t, incident)
		brief := regexp.MustCompile(`(?m)^.*(Lease is held|Failed to acquire).*\n`)
		for name := range logs {
			logs[name] = brief.ReplaceAllString(logs[name], "")
		}
		joined := logs["node-a.log"] + logs["node-b.log"] + logs["node-c.log"]
		alone := readFiles(map[string]string{"audit": audit}, 1<<20)
		all := readFiles(map[string]string{"audit": audit, "a": logs["node-a.log"], "b": logs["node-b.log"], "c": logs["node-c.log"]}, 1<<20)
		split := readFiles(map[string]string{"audit": audit, "all.log": joined}, 1<<20)
		assert.Equal(t, changesOf(&all), changesOf(&split), incident)
		mixed := regexp.MustCompile(`(?m)^(.\d{4} \S+ +)\d+ `).ReplaceAllString(joined, "${1}1 ")
		for _, files := range []map[string]string{{"all.log": mixed}, {"all.log": mixed, "audit": audit}} {
			report := readFiles(files, 1<<20)
			require.Len(t, report.Problems, 1, incident)
			assert.Contains(t, report.Problems[0].Says, "the file mixes the logs of several electors")
			if len(files) > 1 {
				assert.Equal(t, changesOf(&alone), changesOf(&report), incident)
			}
		}
	}
}

// A restarted process has a new UUID, and its lines do not belong to the old one.
func TestUUIDs(t *testing.T) {
	logs, audit := logsOf(t, "suffix")
	files := maps.Clone(logs)
	files["audit"] = audit
	report := readFiles(files, 1<<20)
	says := map[string]string{}
	for _, f := range report.Files {
		says[f.Name] = f.Node + f.Says
	}
	assert.Equal(t, "it has lines of node-a, node-a_93185140-cc58-4246-97d4-ddfad1d9fde2", says["node-a.log"])
	assert.Equal(t, "node-b_1c2e0304-ac30-4b4b-93ff-df7a4b84feef", says["node-b.log"])
	assert.Equal(t, "crash", report.Leases[0].Cause)

	// The identity that one process has names the others of its log, too.
	report = readFiles(map[string]string{"audit": audit, "download.txt": logs["node-a.log"]}, 1<<20)
	assert.Equal(t, "it has lines of node-a, node-a_93185140-cc58-4246-97d4-ddfad1d9fde2", report.Files[1].Says)

	// A UUID after a dash, and a log that shows no acquisition: the name decides, as long as only one identity has it.
	dashed := strings.NewReplacer("node-a_", "node-a-", "node-b_", "node-b-", "node-c_", "node-c-")
	begin := strings.Index(logs["node-b.log"], "Lease is held") - 60
	report = readFiles(map[string]string{"audit": dashed.Replace(audit),
		"node-b.log": dashed.Replace(logs["node-b.log"][begin : strings.Index(logs["node-b.log"], "Successfully")-60])}, 1<<20)
	assert.Equal(t, "node-b-1c2e0304-ac30-4b4b-93ff-df7a4b84feef", report.Files[1].Node)
}

// The report names a log that matches nobody: a follower without an identity, and a log of another incident.
func TestLogsThatMatchNobody(t *testing.T) {
	logs, audit := logsOf(t, "pause-1")
	other, _ := logsOf(t, "crash-1")
	report := readFiles(map[string]string{"audit": audit, "node-c.log": logs["node-c.log"], "stranger.log": other["node-a.log"],
		"node-a.log": logs["node-a.log"]}, 1<<20)
	says := map[string]string{}
	for _, f := range report.Files {
		says[f.Name] = f.Says
	}
	assert.Empty(t, says["node-a.log"])
	assert.Equal(t, "nothing else names its candidate; the report calls it node-c", says["node-c.log"])
	require.Len(t, report.Problems, 1)
	assert.Equal(t, Problem{File: "stranger.log", Line: 2, Says: "the log says that its candidate acquired ns-a/demo, but no write in " +
		"these files matches. The report calls it stranger. If it belongs to a candidate, say so with --node NAME=FILE"}, report.Problems[0])
}

// A log that reads that another holds the Lease does not belong to that candidate, even if both acquired it soon after
// each other. Without that line, both fit, and nothing decides.
func TestTwoAcquisitionsInARow(t *testing.T) {
	acquired := []acquisition{{"x", 100e9}, {"y", 97e9}}
	for held, want := range map[string]string{"y": "x", "x": "y", "z": ""} {
		l := &life{held: map[string]bool{held: true}, acquired: []*logLine{{ns: 1001e8}}}
		l.match(acquired)
		assert.Equal(t, want, l.identity)
	}
}

// klog writes no year. The collector's time has it, also around New Year.
func TestTheYearOfTheCollector(t *testing.T) {
	for line, want := range map[string]string{
		"2024-02-29T19:16:38.5Z stderr F I0229 19:16:38.500000       1 x.go:1] successfully acquired lease a/b": "2024-02-29T19:16:38.500000Z",
		"2025-01-01T00:00:01.5Z stderr F I1231 23:59:59.500000       1 x.go:1] successfully acquired lease a/b": "2024-12-31T23:59:59.500000Z",
		"I0301 19:16:38.500000       1 x.go:1] successfully acquired lease a/b":                                 "2026-03-01T19:16:38.500000Z",
	} {
		report := read(line + "\n")
		require.Len(t, report.Leases, 1)
		assert.Equal(t, want, report.Leases[0].LeaderChanges[0].At, line)
	}
	report := readFiles(map[string]string{
		"a.log": `{"ts":"2024-02-29T19:16:38.5Z","msg":"successfully acquired lease ns-a/demo"}`,
		"b.log": "I0229 19:17:38.500000       1 x.go:1] successfully acquired lease ns-a/demo",
	}, 1<<20)
	assert.Equal(t, "2024-02-29T19:17:38.500000Z", report.Leases[0].LeaderChanges[1].At, "the other log has the year")
}

// A line that one process cannot have written after the others contradicts them.
func TestContradictions(t *testing.T) {
	for name, c := range map[string]struct {
		lines []logLine
		says  string
	}{
		"a follower loses":           {[]logLine{{saying: &saying{says: saidAttempt}}, {saying: &saying{says: saidHeld, holder: "x"}, ns: 1e9}, {saying: &saying{says: saidLost}, ns: 60e9}}, "a candidate that does not lead loses the Lease here"},
		"a rotated log of a leader":  {[]logLine{{saying: &saying{says: saidHeld, holder: "x"}, ns: 1e9}, {saying: &saying{says: saidLost}, ns: 60e9}}, ""},
		"a leader acquires":          {[]logLine{{saying: &saying{says: saidAcquired}}, {saying: &saying{says: saidAcquired}, ns: 60e9}}, "acquired the Lease that it already holds"},
		"a new leader reads another": {[]logLine{{saying: &saying{says: saidAcquired}}, {saying: &saying{says: saidHeld, holder: "x"}, ns: 2e9}}, "has just acquired the Lease reads here that another holds it"},
		"two start":                  {[]logLine{{saying: &saying{says: saidAttempt}}, {saying: &saying{says: saidAttempt}, ns: 2e9}}, "two processes start within 5 s here"},
		"a leader loses":             {[]logLine{{saying: &saying{says: saidAttempt}}, {saying: &saying{says: saidAcquired}, ns: 1e9}, {saying: &saying{says: saidHeld, holder: "x"}, ns: 60e9}, {saying: &saying{says: saidLost}, ns: 61e9}}, ""},
		"it starts again":            {[]logLine{{saying: &saying{says: saidAcquired}}, {saying: &saying{says: saidLost}, ns: 1e9}, {saying: &saying{says: saidAttempt}, ns: 2e9}, {saying: &saying{says: saidAcquired}, ns: 3e9}}, ""},
		"a restart reads its UUID": {[]logLine{{saying: &saying{says: saidAttempt}}, {saying: &saying{says: saidAcquired}, ns: 1e9}, {saying: &saying{says: saidAttempt}, ns: 6e9},
			{saying: &saying{says: saidHeld, holder: "x_93185140-cc58-4246-97d4-ddfad1d9fde2"}, ns: 7e9}}, ""},
	} {
		var lines []*logLine
		for i := range c.lines {
			lines = append(lines, &c.lines[i])
		}
		line, says := contradiction(livesOf(0, lines))
		assert.Equal(t, c.says != "", line != nil, name)
		assert.Contains(t, says, c.says, name)
	}
}

// A process that ran beside the only one that led does not get its name.
func TestAProcessBesideTheLeader(t *testing.T) {
	logs, audit := logsOf(t, "crash-1")
	brief := regexp.MustCompile(`(?m)^.*(Lease is held|Failed to acquire).*\n`).ReplaceAllString(logs["node-a.log"]+logs["node-c.log"], "")
	last := `I1120 19:17:30.000000   17706 leaderelection.go:304] "Failed to renew lease" lock="ns-a/demo" err="x"` + "\n"
	number := regexp.MustCompile(`\n\S+ \S+ +(\d+) `).FindStringSubmatch("\n" + logs["node-c.log"])[1]
	report := readFiles(map[string]string{"audit": audit, "all.log": brief + strings.Replace(last, "17706", number, 1)}, 1<<20)
	assert.Contains(t, report.Files[0].Says, "it has lines of all, node-a")
}

// The user's word decides about a file.
func TestChosenNames(t *testing.T) {
	logs, audit := logsOf(t, "pause-1")
	r := NewReader(Options{Lease: "ns-a/demo", Nodes: map[string]string{"x.log": "node-a"}})
	r.Feed("audit", []byte(audit))
	r.Feed("x.log", []byte(logs["node-b.log"]))
	r.End("audit")
	r.End("x.log")
	report := r.Report()
	assert.Equal(t, "node-a", report.Files[1].Node)
}

// The same log twice, such as in an archive and beside it, counts once.
func TestCopiesOfALog(t *testing.T) {
	logs, audit := logsOf(t, "pause-1")
	once := readFiles(map[string]string{"audit": audit, "node-a.log": logs["node-a.log"]}, 1<<20)
	twice := readFiles(map[string]string{"audit": audit, "node-a.log": logs["node-a.log"], "x/node-a.log": logs["node-a.log"]}, 1<<20)
	assert.Equal(t, once.Leases[0].Evidence, twice.Leases[0].Evidence)
	assert.Len(t, twice.Leases[0].lines, len(once.Leases[0].lines))
}
