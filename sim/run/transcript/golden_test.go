package transcript

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// write runs a scenario to its end and prints all of it.
func write(out io.Writer, s scenario.Scenario) {
	p, r := New(out, s, Style{}), run.WithAll(s)
	r.To(r.EndNs(), func(record *trace.Record, note explain.Note) { p.Record(r.World, record, note) })
	sum := summary.Of(s, r, r.EndNs())
	Summary(out, &sum, Plain)
}

const goldenDir = "testdata/golden"

// fullLines is how long a golden file may be before it folds repeated lines.
const fullLines = 250

// quiet are the lines that repeat themselves: the leader renews, a follower finds that nothing is new for it.
var quiet = []string{" renews the Lease. (", " reads the Lease: unchanged for ",
	" has renewed it. The countdown starts again. (", " renews its LeaseCandidate."}

// golden is a run as its file holds it.
func golden(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= fullLines {
		return text
	}
	var b strings.Builder
	left := 0
	headed := false
	for _, line := range lines {
		if !headed && !strings.HasPrefix(line, "#") {
			headed = true
			b.WriteString(
				"#\n# Abridged: renewals are left out, and reads by which a follower learns nothing but that the " +
					"Lease is still held.\n")
		}
		repeats := false
		for _, q := range quiet {
			repeats = repeats || strings.Contains(line, q) && !strings.Contains(line, "free to take")
		}
		if repeats {
			left++
			continue
		}
		b.WriteString(line)
	}
	fmt.Fprintf(&b, "%d lines are left out above\n", left)
	return b.String()
}

// untold are the writes that a story leaves out.
var untold = []string{" renews the Lease.", " renews its LeaseCandidate.", " tries to ", " reads "}

// story is the short form for the exhibits of the museum: who leads, what is done to whom, and the outcome.
func story(out *bytes.Buffer, s scenario.Scenario) {
	var whole bytes.Buffer
	New(&whole, s, Style{})
	r := run.WithAll(s)
	r.To(r.EndNs(), func(record *trace.Record, note explain.Note) {
		said := explain.Say(r.World, record, note)
		told := !explain.Minor(record.Kind) &&
			(said.Kind == "lead" || said.Kind == "act" || said.Kind == "fault" || said.Kind == "write")
		for _, words := range untold {
			told = told && !strings.Contains(" "+said.Text, words)
		}
		if told {
			fmt.Fprintf(&whole, "%10s %s\n", at(record.At), said)
		}
	})
	sum := summary.Of(s, r, r.EndNs())
	Summary(&whole, &sum, Plain)
	lines := strings.SplitAfter(whole.String(), "\n")
	if n := len(lines); n > storyLines {
		middle := fmt.Sprintf("%d lines are left out here\n", n-storyLines)
		lines = append(append(lines[:storyLines-20:storyLines-20], middle), lines[n-20:]...)
	}
	out.WriteString(strings.Join(lines, ""))
}

// storyLines is how long a story may be.
const storyLines = 60

// The shipped scenarios as people read them. A file that changes is a change of behavior or of wording: read the
// difference before you commit it. `go test ./sim/transcript -update` writes the files.
func TestGoldenTranscripts(t *testing.T) {
	known := map[string]bool{}
	for _, s := range shipped.List() {
		known[s.Name+".txt"] = true
		var out bytes.Buffer
		if s.Summary == "" {
			story(&out, s)
		} else {
			write(&out, s)
		}
		text, path := golden(out.String()), filepath.Join(goldenDir, s.Name+".txt")
		if *update {
			require.NoError(t, os.MkdirAll(goldenDir, 0o755))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			continue
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), text, s.Name)
	}
	files, err := os.ReadDir(goldenDir)
	require.NoError(t, err)
	for _, f := range files {
		assert.True(t, known[f.Name()], "%s belongs to no scenario", f.Name())
	}
}
