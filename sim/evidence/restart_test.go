package evidence

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var processColumn = regexp.MustCompile(`(?m)^(.{21}) +\d+ `)

// restarted returns the crash with a new process of node-a: its log follows the old one's in the same file, with the
// same process number, and begins in the middle, as kubectl logs --previous and --tail give it.
func restarted(t *testing.T) pieces {
	p := piecesOf(t, "crash-1")
	late := p.change("node-c.klog", func(line string) string {
		if line[:14] < "I1120 19:16:20" {
			return ""
		}
		return line
	})
	require.NotEmpty(t, late["node-c.klog"])
	p["node-a.klog"] = processColumn.ReplaceAllString(p["node-a.klog"]+late["node-c.klog"], "$1       1 ")
	delete(p, "node-c.klog")
	return p
}

// A process that follows is not the one that led: its reads do not show a pause, whatever lines its log lacks.
func TestARestartIsNotAPause(t *testing.T) {
	for name, p := range map[string]pieces{
		"all lines":              restarted(t),
		"without attempts":       restarted(t).without("node-a.klog", "Attempting to acquire"),
		"only reads":             restarted(t).without("node-a.klog", "Failed to acquire"),
		"in another process":     restarted(t).change("node-a.klog", renumber("19:16")),
		"reads in a new process": restarted(t).change("node-a.klog", renumber("19:16")).without("node-a.klog", "Failed to acquire"),
	} {
		for _, files := range []pieces{p.only("node"), p.only("node", "audit"), p.only("node", "watch"), p} {
			got := files.rule(t, slices.Sorted(maps.Keys(files))...)
			what := fmt.Sprint(name, ", ", slices.Sorted(maps.Keys(files)))
			assert.Equal(t, []string{"node-a", "node-b"}, got.leaders, what)
			assert.Equal(t, "crash", got.causes[0], what)
			assert.NotContains(t, got.causes, "pause", what)
			assert.Zero(t, got.exit, what)
		}
	}
}

// renumber gives the lines of an hour and a minute another process number.
func renumber(minute string) func(line string) string {
	return func(line string) string {
		if strings.HasPrefix(line[6:], minute) {
			return processColumn.ReplaceAllString(line, "$1       2 ")
		}
		return line
	}
}

// A leader that read late and then stopped was paused. Without the line about its end, its next process may have read.
func TestAPauseEndsInALoss(t *testing.T) {
	p := piecesOf(t, "pause-1").only("audit", "node")
	whole := p.rule(t, slices.Sorted(maps.Keys(p))...).report
	assert.Equal(t, []any{"pause", 0.95}, []any{whole.Cause, whole.Confidence})
	cut := p.without("node-a.klog", "Failed to renew lease")
	got := cut.rule(t, slices.Sorted(maps.Keys(cut))...)
	assert.Equal(t, []string{"pause", "crash"}, got.causes)
	assert.InDelta(t, 0.6, got.report.Confidence, 0)
	assert.Equal(t, 3, got.exit, "two may have led")
}

// A process with a UUID leads once. Later lines of its pod belong to the next process, even if the log begins there.
func TestAnEarlierProcessDoesNotFollow(t *testing.T) {
	p := piecesOf(t, "suffix")
	cases := 0
	for _, name := range []string{"node-a.klog", "node-c.klog"} {
		lines := strings.SplitAfter(strings.TrimSuffix(p[name], "\n"), "\n")
		for from := range lines {
			cut := maps.Clone(p)
			cut[name] = strings.ReplaceAll(strings.Join(lines[from:], ""), "Attempting to acquire", "Beginning to")
			for _, files := range []pieces{cut.only("node"), cut.only("node", "audit"), cut} {
				got := files.rule(t, slices.Sorted(maps.Keys(files))...)
				what := fmt.Sprintf("%s from line %d, %d files", name, from+1, len(files))
				assert.Empty(t, got.report.Overlaps, what)
				if got.report.Confidence > 0.6 {
					assert.Equal(t, "crash", got.causes[0], what)
				}
				cases++
			}
		}
	}
	assert.Greater(t, cases, 150)
}

// Logs that lack lines give no false cause a confidence over 0.6, and no overlap that did not happen.
func TestLogsThatLackLines(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	all := allPieces(t)
	for _, incident := range slices.Sorted(maps.Keys(all)) {
		p := all[incident]
		logs := p.only("node")
		right := p.rule(t, slices.Sorted(maps.Keys(p))...)
		for try := range 20 {
			cut := logs
			for _, name := range slices.Sorted(maps.Keys(logs)) {
				lines, tail := strings.Count(logs[name], "\n"), random.IntN(2)
				from, k := random.IntN(lines+1), 0
				cut = cut.change(name, func(line string) string {
					if k++; try%2 == tail && k < from || try%2 != tail && random.IntN(3) == 0 {
						return ""
					}
					return line
				})
			}
			if !strings.Contains(fmt.Sprint(cut), "leaderelection.go") {
				continue
			}
			for _, files := range []pieces{cut, p.only("watch"), p.only("audit")} {
				maps.Copy(files, cut)
				got := files.rule(t, slices.Sorted(maps.Keys(files))...)
				what := fmt.Sprint(incident, ", ", slices.Sorted(maps.Keys(files)), ", try ", try)
				if got.report.Confidence > 0.6 && got.report.Cause != "none" {
					assert.Contains(t, right.causes, got.report.Cause, what)
				}
				if right.exit == 0 {
					assert.Empty(t, got.report.Overlaps, what)
				}
			}
		}
	}
}

// An elector that lost the Lease and begins again in its process is the same candidate. In a container, the number of
// the process does not show that.
func TestAnElectorBeginsAgain(t *testing.T) {
	const id = "node-a_93185140-cc58-4246-97d4-ddfad1d9fde2"
	line := func(at, process, message string) string {
		return fmt.Sprintf("I1126 19:%s.000000 %7s leaderelection.go:1] %s lock=\"ns-a/demo\"\n", at, process, message)
	}
	for process, leaders := range map[string][]string{"22638": {id}, "1": {id, "node-a"}} {
		p := pieces{
			"node-a.klog": line("29:00", process, `"Attempting to acquire leader lease..."`) +
				line("29:01", process, `"Successfully acquired lease"`) + line("29:40", process, `"Failed to renew lease"`) +
				line("29:41", process, `"Attempting to acquire leader lease..."`) + line("29:45", process, `"Failed to acquire lease"`) +
				line("29:49", process, `"Successfully acquired lease"`),
			"node-b.klog": line("29:02", "7", `"Lease is held by and has not yet expired" holder="`+id+`"`),
		}
		assert.Equal(t, leaders, p.rule(t, "node-a.klog", "node-b.klog").leaders, process)
	}
}

// Two reads of new holders compare a log's clock only with the same two holders of the Lease.
func TestOtherHoldersCompareNoClock(t *testing.T) {
	p := piecesOf(t, "suffix").only("audit", "node").hole("2026-11-26T19:30:04.9", "2027")
	for _, f := range p.rule(t, slices.Sorted(maps.Keys(p))...).report.Evidence {
		assert.NotContains(t, f.Says, "The clock of")
	}
}
