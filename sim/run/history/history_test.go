package history_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// mostNs is how much of a scenario the tests write.
const mostNs = 150e9

// eachHistory calls test with the histories of shipped scenarios of at most 20 nodes.
func eachHistory(t *testing.T, test func(t *testing.T, s scenario.Scenario, h history.History)) {
	for i, s := range shipped.List() {
		if testing.Short() && i%20 != 0 {
			continue
		}
		h, _ := history.OfRun(s, 0, min(int64(s.Duration), mostNs))
		if len(scenario.Resolve(s).Candidates) > 20 {
			continue
		}
		t.Run(s.Name, func(t *testing.T) { test(t, s, h) })
	}
}

func text(t *testing.T, write func(*bytes.Buffer) error) string {
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.String()
}

// A trace file reads back to an equal run: the same scenario, the same records, and the hash that the run itself has.
func TestTraceReadsBackToAnEqualRun(t *testing.T) {
	eachHistory(t, func(t *testing.T, s scenario.Scenario, _ history.History) {
		to := min(int64(s.Duration), mostNs)
		h, hash := history.OfRun(s, to/10, to)
		file := text(t, func(b *bytes.Buffer) error { return h.NDJSON(b, &s, hash) })
		assert.True(t, history.IsTrace([]byte(file)))
		got, err := history.Read(strings.NewReader(file))
		require.NoError(t, err)
		r := run.Plain(got.Scenario)
		r.To(got.ToNs, nil)
		assert.Equal(t, r.World.Hash(), got.Hash)
		own := run.Plain(s)
		own.To(to, nil)
		assert.Equal(t, own.World.Hash(), got.Hash)
		assert.Equal(t, scenario.Encode(s), scenario.Encode(got.Scenario))
	})
}

func traceOf(t *testing.T) []string {
	s, _ := shipped.ByName("a-leader-dies")
	h, hash := history.OfRun(s, 0, 20e9)
	return strings.SplitAfter(strings.TrimSpace(text(t, func(b *bytes.Buffer) error { return h.NDJSON(b, &s, hash) })), "\n")
}

// Read refuses a file that does not agree with its run, and names the line.
func TestChangedTracesAreRefused(t *testing.T) {
	lines := traceOf(t)
	of := func(change func(all []string) []string) string { return strings.Join(change(slices.Clone(lines)), "") }
	in := func(line int, old, text string) func([]string) []string {
		return func(all []string) []string {
			require.Contains(t, all[line-1], old)
			all[line-1] = strings.Replace(all[line-1], old, text, 1)
			return all
		}
	}
	for name, c := range map[string]struct {
		file func(all []string) []string
		says string
	}{
		"empty":         {func([]string) []string { return nil }, "line 1 the file is empty"},
		"no header":     {func(all []string) []string { return all[1:] }, `line 1 has kind "act"; the first line of a trace has kind "Trace"`},
		"half a header": {func(all []string) []string { return []string{all[0][:40]} }, "line 1 is not the header of a trace"},
		"version":       {in(1, `"version":1`, `"version":2`), "line 1 has format version 2; this leaselab reads version 1"},
		"engine":        {in(1, `"engine":4`, `"engine":2`), "line 1 says that engine 2 made the trace; this is engine 4, and its run may differ"},
		"seed":          {in(1, `"seed":1004`, `"seed":1005`), "line 1 names a different seed from its scenario's, 1004"},
		"scenario seed": {func(all []string) []string { return in(1, `"seed":1004`, `"seed":9`)(all) }, "line 1 names a different seed from its scenario's"},
		"scenario":      {in(1, `"kind":"Scenario"`, `"kind":"Pod"`), "line 1 has an invalid scenario"},
		"span":          {in(1, `"to":20`, `"to":2000`), "line 1 has the span 0 s to 2000 s, which exceeds the scenario's duration"},
		"hash":          {in(1, `"hash":"`, `"hash":"0`), "line 1 names the trace hash 0"},
		"count":         {in(1, `"records":`, `"records":1,"was":`), "line 1 counts 1 records, but its scenario gives more in this span"},
		"a record":      {in(9, `"text":"`, `"text":"not `), `line 9 says "`},
		"an instant":    {in(9, `"t":`, `"t":1`), "line 9 says"},
		"half a record": {func(all []string) []string { all[8] = all[8][:20] + "\n"; return all }, "line 9 is not a record of a trace"},
		"cut":           {func(all []string) []string { return all[:12] }, "line 13 is missing: the file ends after 11 of"},
		"one too many":  {func(all []string) []string { return append(all, "\n"+all[5]) }, "is one too many"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := history.Read(strings.NewReader(of(c.file)))
			require.ErrorContains(t, err, c.says)
		})
	}
}

// A comparison with a limit refuses a larger trace before it runs it.
func TestTracesOverTheLimitAreRefused(t *testing.T) {
	c := history.Comparison{Most: 10}
	assert.ErrorContains(t, c.Line([]byte(traceOf(t)[0])), "but the page compares at most 10")
}

// Any bytes give a run or a sentence.
func FuzzRead(f *testing.F) {
	s, _ := shipped.ByName("first-election")
	h, hash := history.OfRun(s, 0, 3e9)
	var b bytes.Buffer
	if err := h.NDJSON(&b, &s, hash); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Add(b.String()[:b.Len()/2])
	f.Add("{}\n{}")
	f.Add(`{"kind":"Trace","version":1,"engine":4,"scenario":{}}`)
	f.Fuzz(func(t *testing.T, file string) {
		if len(file) > 1<<16 || strings.Contains(file, "90d") {
			return
		}
		if _, err := history.Read(strings.NewReader(file)); err != nil {
			assert.Regexp(t, `^line \d+ |token too long`, err.Error())
		}
	})
}

// RFC 4180: records end with CRLF, fields with a comma, a quote or a line break are in quotes, and each record has as many fields.
func TestCSV(t *testing.T) {
	eachHistory(t, func(t *testing.T, _ scenario.Scenario, h history.History) {
		for i, write := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return h.EventsCSV(b) }, func(b *bytes.Buffer) error { return h.LeadersCSV(b) },
		} {
			file := text(t, write)
			assert.Equal(t, strings.Count(file, "\n"), strings.Count(file, "\r\n"))
			rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
			require.NoError(t, err)
			if i == 0 {
				assert.Len(t, rows, len(h.Events)+1)
				assert.Equal(t, h.Events[0].Text, rows[1][6])
			}
		}
	})
}

// Names of nodes do not break a table.
func TestHostileNames(t *testing.T) {
	names := []string{"a b", `"quoted"`, "two\nlines", "日本語", "<b>", "a,b"}
	h := history.History{ToNs: 10e9}
	for i, name := range names {
		at := int64(i+1) * 1e8
		h.Leaders = append(h.Leaders, history.Term{Leader: name, FromNs: at, ToNs: history.Open})
		h.Events = append(h.Events, history.Event{Node: name, Text: "starts\nleading {\"x\":1}"})
	}
	for column, write := range map[int]func(*bytes.Buffer) error{
		0: func(b *bytes.Buffer) error { return h.LeadersCSV(b) }, 3: func(b *bytes.Buffer) error { return h.EventsCSV(b) },
	} {
		rows, err := csv.NewReader(strings.NewReader(text(t, write))).ReadAll()
		require.NoError(t, err)
		for i, name := range names {
			assert.Equal(t, name, rows[i+1][column])
		}
	}
}

// The leaders equal the leaders in the run's summary.
func TestLeadersOfAKnownRun(t *testing.T) {
	s, _ := shipped.ByName("a-leader-dies")
	h, _ := history.OfRun(s, 0, 40e9)
	got := text(t, func(b *bytes.Buffer) error { return h.LeadersCSV(b) })
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	assert.Equal(t, []string{"a", "b"}, []string{rows[1][0], rows[2][0]})
	assert.Equal(t, "20.0000", rows[1][2][:7], "it crashes at 20 s")
	assert.Empty(t, rows[2][2], "it still leads")
}
