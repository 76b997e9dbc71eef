//go:build !page

package bridge

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/evidence"
)

// feed reads files of the paused incident in small chunks.
func feed(t *testing.T, b *Bridge, names ...string) {
	t.Helper()
	require.True(t, ask(t, b, "evidenceBegin", EvidenceBeginParams{Year: 2026}).OK)
	for _, name := range names {
		file, err := os.Open("../../sim/evidence/testdata/pause-1/" + name)
		require.NoError(t, err)
		defer file.Close()
		var in io.Reader = file
		if strings.HasSuffix(name, ".gz") {
			in, err = gzip.NewReader(file)
			require.NoError(t, err)
		}
		data, err := io.ReadAll(in)
		require.NoError(t, err)
		chunk := make([]byte, 1000)
		for rest := bytes.NewReader(data); ; {
			n, err := rest.Read(chunk)
			if err == io.EOF {
				break
			}
			require.NoError(t, b.Feed(name, chunk[:n]))
		}
		require.True(t, ask(t, b, "evidenceEnd", EvidenceEndParams{Name: name}).OK)
	}
}

// Evidence goes in as chunks, and comes out as a report, a chart and a scenario that opens with what would have helped.
func TestEvidence(t *testing.T) {
	b := greet(t)
	feed(t, b, "audit.jsonl.gz", "node-a.klog", "node-b.klog", "node-c.klog")
	var found EvidenceFound
	a := ask(t, b, "evidenceReport", nil)
	require.True(t, a.OK, "%+v", a.Error)
	require.NoError(t, json.Unmarshal(a.Result, &found))
	require.Len(t, found.Leases, 1)
	l := found.Leases[0]
	assert.Contains(t, l.Headline, "node-a and node-b both believed that they led")
	assert.Equal(t, []string{"103 audit"}, found.Files[0].Kinds)
	assert.Empty(t, found.Files[0].Node)
	assert.Equal(t, "node-a", found.Files[1].Node)
	assert.Zero(t, l.Unlisted)
	var told Text
	require.NoError(t, json.Unmarshal(ask(t, b, "evidenceText", EvidenceTextParams{Format: "text"}).Result, &told))
	assert.Contains(t, told.Text, "node-a → node-b  pause")
	require.NoError(t, json.Unmarshal(ask(t, b, "evidenceText", EvidenceTextParams{Format: "json"}).Result, &told))
	assert.Contains(t, told.Text, `"cause": "pause"`)

	var chart struct{ Rows []struct{ Name string } }
	require.NoError(t, json.Unmarshal(ask(t, b, "evidenceChart", EvidenceChartParams{Lease: l.Name, Steps: 100}).Result, &chart))
	assert.Len(t, chart.Rows, 7)
	assert.Contains(t, ask(t, b, "evidenceChart", EvidenceChartParams{Lease: "ns/other"}).Error.Message, `no Lease "ns/other"`)

	var again EvidenceAgain
	require.NoError(t, json.Unmarshal(ask(t, b, "evidenceAgain", EvidenceAgainParams{Lease: l.Name}).Result, &again))
	assert.Equal(t, "violation", again.Kind)
	require.Len(t, again.Likes, 3)
	require.NotEmpty(t, again.Cures)
	assert.Empty(t, again.Nothing)
	assert.Contains(t, again.Beyond, "against every pause")
	// The page opens the scenario, and one of the cures as a branch of it.
	require.True(t, ask(t, b, "open", map[string]any{"scenario": again.Scenario, "cursor": map[string]any{"t": again.At, "n": -1}, "live": map[string]any{"t": again.End, "n": -1}}).OK)
	cured := ask(t, b, "try", map[string]any{"kind": again.Kind, "number": again.Number, "line": again.Cures[0].Number})
	require.True(t, cured.OK, "%+v", cured.Error)
	assert.Contains(t, string(cured.Result), again.Cures[0].Label)
}

// Of more moments than the page can list, it keeps the most telling ones, in order.
func TestWeightiestMoments(t *testing.T) {
	all := []evidence.Moment{{Kind: "finding", FromNs: 1}, {Kind: "near", FromNs: 2}, {Kind: "overlap", FromNs: 3}, {Kind: "conflict", FromNs: 4}, {Kind: "leader", FromNs: 5}}
	assert.Equal(t, all, weightiest(all, 5))
	assert.Equal(t, []evidence.Moment{all[1], all[2], all[4]}, weightiest(all, 3))
	assert.Empty(t, weightiest(all, 0))
}

// The report names a file without evidence with its line, and reading goes on.
func TestEvidenceNamesTheLine(t *testing.T) {
	b := greet(t)
	require.ErrorIs(t, b.Feed("early", nil), errNoEvidence)
	require.True(t, ask(t, b, "evidenceBegin", EvidenceBeginParams{Year: 2026}).OK)
	require.NoError(t, b.Feed("x.json", []byte("\n{\"kind\":\"Lease\" oops}\n")))
	var found EvidenceFound
	require.NoError(t, json.Unmarshal(ask(t, b, "evidenceReport", nil).Result, &found))
	require.Len(t, found.Problems, 1)
	assert.Equal(t, "x.json", found.Problems[0].File)
	assert.Equal(t, 2, found.Problems[0].Line)
	assert.Empty(t, found.Leases)
	// If no file shows a Lease, the page says of each file why.
	require.NoError(t, b.Feed("nginx.log", []byte("10.0.0.1 GET /\n")))
	require.NoError(t, json.Unmarshal(ask(t, b, "evidenceReport", nil).Result, &found))
	require.Len(t, found.Problems, 2)
	assert.Contains(t, found.Problems[1].Says, `line 1 is text ("10.0.0.1 GET /")`)
	require.NoError(t, b.Feed("lease.json", []byte(`{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"x","namespace":"y"},"spec":{"holderIdentity":"a"}}`+"\n")))
	require.NoError(t, json.Unmarshal(ask(t, b, "evidenceReport", nil).Result, &found))
	require.NotEmpty(t, found.Leases)
	assert.Len(t, found.Problems, 1)
}

// What happened to a Lease leaves in each format for other tools.
func TestEvidenceLeaves(t *testing.T) {
	b := greet(t)
	feed(t, b, "audit.jsonl.gz", "node-a.klog")
	require.True(t, ask(t, b, "evidenceReport", nil).OK)
	for format, says := range map[string]string{"ndjson": `"kind":"Trace"`, "csv": "seconds,", "leaders": "node-b"} {
		var out Text
		a := ask(t, b, "evidenceHistory", EvidenceHistoryParams{Lease: "ns-a/demo", Format: format})
		require.True(t, a.OK, "%s: %+v", format, a.Error)
		require.NoError(t, json.Unmarshal(a.Result, &out))
		assert.Contains(t, out.Text, says, format)
	}
	assert.Contains(t, ask(t, b, "evidenceHistory", EvidenceHistoryParams{Lease: "ns-a/demo", Format: "pdf"}).Error.Message, "format must be")
}

// The page runs a trace file again: an equal run opens as its scenario, and the report names a changed line.
func TestEvidenceOfATrace(t *testing.T) {
	b := greet(t)
	var file Text
	require.NoError(t, json.Unmarshal(ask(t, b, "history", map[string]any{"scenario": "a-leader-dies", "format": "ndjson", "from": 0, "to": int64(40e9)}).Result, &file))
	read := func(text string) (found EvidenceFound) {
		require.True(t, ask(t, b, "evidenceBegin", EvidenceBeginParams{Year: 2026}).OK)
		for _, part := range []string{text[:1000], text[1000:]} {
			require.NoError(t, b.Feed("x.ndjson", []byte(part)))
		}
		require.True(t, ask(t, b, "evidenceEnd", EvidenceEndParams{Name: "x.ndjson"}).OK)
		require.NoError(t, json.Unmarshal(ask(t, b, "evidenceReport", nil).Result, &found))
		return found
	}
	found := read(file.Text)
	require.Empty(t, found.Problems)
	require.NotNil(t, found.Files[0].Run)
	assert.Contains(t, found.Files[0].Run.Says, "x.ndjson reproduces exactly the same run: a-leader-dies, seed 1004")
	end := map[string]any{"t": found.Files[0].Run.End, "n": -1}
	require.True(t, ask(t, b, "open", map[string]any{"scenario": found.Files[0].Run.Scenario, "cursor": end, "live": end}).OK)

	found = read(strings.Replace(file.Text, `"text":"crashes.`, `"text":"smiles.`, 1))
	assert.Nil(t, found.Files[0].Run)
	require.Len(t, found.Problems, 1)
	assert.Contains(t, found.Problems[0].Says, `smiles.`)
	assert.Greater(t, found.Problems[0].Line, 1)
	assert.NotEmpty(t, found.Leases, "the records are evidence all the same")
}

// The page refuses a span with too many records: of a run, of evidence and of a trace file.
func TestTooManyRecords(t *testing.T) {
	b := greet(t)
	whole := map[string]any{"scenario": "crash", "format": "ndjson", "from": 0, "to": int64(40e9)}
	var file Text
	require.NoError(t, json.Unmarshal(ask(t, b, "history", whole).Result, &file))
	most := historyMost
	t.Cleanup(func() { historyMost = most })
	historyMost = 20
	const says = "the span has more than 20 records, too many for one text in the page; choose a shorter span"
	assert.Contains(t, ask(t, b, "history", whole).Error.Message, says)
	whole["to"] = int64(1)
	assert.True(t, ask(t, b, "history", whole).OK)
	feed(t, b, "audit.jsonl.gz")
	require.True(t, ask(t, b, "evidenceReport", nil).OK)
	assert.Contains(t, ask(t, b, "evidenceHistory", EvidenceHistoryParams{Lease: "ns-a/demo", Format: "csv"}).Error.Message, says)
	require.True(t, ask(t, b, "evidenceBegin", EvidenceBeginParams{Year: 2026}).OK)
	require.NoError(t, b.Feed("x.ndjson", []byte(file.Text)))
	assert.Contains(t, string(ask(t, b, "evidenceReport", nil).Result), "but the page compares at most 20")
}
