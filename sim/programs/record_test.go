package programs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
)

// recordServed runs a scenario in real time behind HTTP, while clients use it, and returns its record and its hash.
func recordServed(t *testing.T, text string, clients func(ctx context.Context, url string)) (record []byte, hash string, workers int) {
	t.Helper()
	s, err := yaml.Decode([]byte(text))
	require.NoError(t, err)
	var out bytes.Buffer
	options := programs.Options{Administered: true, WritesAreWork: true, PieceLasts: 100 * time.Millisecond, Serves: replay.Everything(&s)}
	definition, err := wire.Parse([]byte(`{"metadata":{"name":"sponges.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
		"names":{"plural":"sponges","kind":"Sponge"},"versions":[{"name":"v1","served":true,"storage":true}]}}`))
	require.NoError(t, err)
	sponges, err := apiserver.Definition(time.Now(), wire.Tree(definition).(wire.Map))
	require.NoError(t, err)
	options.Serves.Definitions = []wire.Map{sponges}
	recorder, err := programs.NewRecorder(&out, s, &options)
	require.NoError(t, err)
	begin := options.RecordTo(recorder)
	c := programs.New(s, options)
	begin(c)
	front := &programs.Front{Cluster: c, Others: serve.New(programs.Administrator{Cluster: c}, clock.New()), Names: []string{"a", "b"}}
	server := httptest.NewServer(front)
	go c.Drive()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		clients(ctx, server.URL)
	}()
	c.Until(time.Duration(s.Duration))
	cancel()
	<-ended
	c.Finish()
	c.Judge(c.Now(), func(r *run.Run, ns int64) {
		hash, workers = r.World.Hash().String(), len(r.Checks.Changes)
		c.End(ns)
	})
	c.Close()
	server.CloseClientConnections()
	server.Close()
	c.Quit()
	require.NoError(t, recorder.Err())
	return out.Bytes(), hash, workers
}

// ask sends a request and returns the status, or what has gone wrong.
func ask(ctx context.Context, method, url, body string) (int, string) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer s3cret")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(data)
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

func lease(holder string, version string) string {
	return fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"demo","namespace":"default","resourceVersion":%q},`+
		`"spec":{"holderIdentity":%q,"leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:00:00.000000Z","leaseTransitions":0}}`, version, holder)
}

// faulted is a scenario with a cut and a failing server.
const faulted = `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: real
duration: 1500ms
candidates: [{name: a}, {name: b}]
network: {requestLatency: 2ms, responseLatency: 3ms}
actions:
  - {at: 300ms, act: cut, target: a, for: 300ms}
  - {at: 700ms, act: fail, target: b, error: http503, for: 200ms}
`

// useFaulted are the clients of faulted: both candidates, an administrator, and requests that name no candidate.
func useFaulted(ctx context.Context, t *testing.T, url string) {
	t.Helper()
	a, b := url+incoming.NodesPath+"a", url+incoming.NodesPath+"b"
	status, said := ask(ctx, "POST", a+leases, lease("a", ""))
	assert.Equal(t, 201, status, said)
	for _, path := range []string{"/apis/apps/v1/namespaces/default/deployments", "/apis/example.com/v1/namespaces/default/sponges"} {
		status, said = ask(ctx, "POST", url+path, `{"metadata":{"name":"x"},"spec":{"size":3}}`)
		assert.Equal(t, 201, status, said)
	}
	watched, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	go ask(watched, "GET", b+leases+"?watch=true", "")
	status, said = ask(ctx, "PUT", a+programs.WorkPath, "")
	assert.Equal(t, 204, status, said)
	cut, stopped := context.WithTimeout(ctx, 600*time.Millisecond)
	defer stopped()
	for cut.Err() == nil {
		status, said = ask(cut, "GET", a+leases+"/demo", "")
	}
	assert.Contains(t, said, "deadline exceeded", "the cut keeps the answer")
	for status != 503 && ctx.Err() == nil {
		status, said = ask(ctx, "GET", b+leases+"/demo", "")
	}
	assert.Contains(t, said, `"kind":"Status"`)
	status, said = ask(ctx, "GET", url+leases+"/demo", "")
	assert.Equal(t, 200, status, said)
	var now struct {
		Metadata struct{ ResourceVersion string }
	}
	assert.NoError(t, json.Unmarshal([]byte(said), &now))
	status, said = ask(ctx, "PUT", url+leases+"/demo", lease("nobody", now.Metadata.ResourceVersion))
	assert.Equal(t, 200, status, said)
	status, said = ask(ctx, "POST", b+programs.WorkPath, "")
	assert.Equal(t, 204, status, said)
	status, said = ask(ctx, "GET", url+incoming.NodesPath+"zed/api", "")
	assert.Equal(t, 404, status)
	assert.Contains(t, said, `no candidate "zed"; it has a, b`)
	status, said = ask(ctx, "PUT", url+programs.WorkPath, "")
	assert.Equal(t, 400, status, said)
	<-ctx.Done()
}

// A run in real time is its record: the replay has the same trace, with faults, watches, work and an administrator's writes in it. A
// cut keeps a request without an answer, an answer that a fault makes comes back, and a record has no credentials.
func TestReplay(t *testing.T) {
	record, hash, changes := recordServed(t, faulted, func(ctx context.Context, url string) { useFaulted(ctx, t, url) })
	assert.NotContains(t, string(record), "s3cret")
	assert.Equal(t, 2, changes)
	records := 0
	again, err := replay.Replay(bytes.NewReader(record), nil, func(*run.Run, *trace.Record, explain.Note) { records++ })
	require.NoError(t, err, "%s", record)
	assert.True(t, again.Whole)
	assert.Equal(t, hash, again.Run.World.Hash().String())
	assert.EqualValues(t, again.Run.World.Counts().Records, records)
	var broken []string
	for i := range again.Run.Checks.Violations {
		broken = append(broken, again.Run.Checks.Violations[i].Rule)
	}
	assert.Contains(t, broken, rules.MoreThanOneActive)

	for _, served := range []string{`"kinds":true,`, `"definitions":`} {
		_, err := replay.Replay(bytes.NewReader(bytes.Replace(record, []byte(served), []byte(strings.Replace(served, `":`, `No":`, 1)), 1)), nil, nil)
		require.ErrorContains(t, err, "the trace has the hash", "without %s", served)
	}

	isShownAnywhere(t, record, hash)
	isEvidence(t, record)
	refusesDamaged(t, record, hash)
}

// isShownAnywhere checks that a record which comes in pieces is one run, and that its state at an instant is the same whatever was shown
// before.
func isShownAnywhere(t *testing.T, record []byte, hash string) {
	t.Helper()
	tape := replay.NewTape(nil)
	var shown *timeline.Run
	for rest := record; len(rest) > 0; {
		n := min(len(rest), 777)
		require.NoError(t, tape.Append(rest[:n]))
		rest = rest[n:]
		if shown == nil && tape.Setup() != nil {
			shown = timeline.FromRecord(1, tape.Scenario(), tape, nil)
		}
		if shown != nil {
			shown.Compute(tape.KnownNs())
		}
	}
	require.NoError(t, tape.Close())
	assert.True(t, tape.Whole())
	assert.Equal(t, hash, shown.Frontier().World.Hash().String())
	whole := timeline.FromRecord(2, tape.Scenario(), tape, nil) // another run from the same tape
	whole.Compute(tape.KnownNs())
	assert.Equal(t, hash, whole.Frontier().World.Hash().String())
	for k := int64(19); k > 0; k-- {
		at := timeline.Cursor{T: tape.KnownNs() * k / 20, N: -1}
		here, again := shown.At(at), whole.At(at)
		require.Equal(t, again.World.Hash(), here.World.Hash(), "%d", at.T)
		require.Equal(t, again.Checks.Violations, here.Checks.Violations)
		copied := here.Clone()
		for copied.Step(tape.KnownNs(), nil) {
		}
		require.Equal(t, hash, copied.World.Hash().String(), "from %d", at.T)
	}
	require.NoError(t, tape.Err())
}

// isEvidence checks that the page can read a record as it reads other evidence: without a cluster.
func isEvidence(t *testing.T, record []byte) {
	t.Helper()
	reader := evidence.NewReader(evidence.Options{})
	reader.Feed("run.ndjson", record)
	reader.End("run.ndjson")
	report := reader.Report()
	assert.Empty(t, report.Problems)
	require.Len(t, report.Leases, 1)
	assert.Equal(t, "default/demo", report.Leases[0].Name)
	var holders []string
	for _, change := range report.Leases[0].LeaderChanges {
		holders = append(holders, change.To)
	}
	assert.Contains(t, holders, "a")
	began, err := time.Parse(time.RFC3339Nano, report.Leases[0].FromTime)
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now(), began, time.Hour, "its instants are those of the clock")
	var calls [][]byte // as a record was before it had a trace
	for _, one := range bytes.SplitAfter(record, []byte("\n")) {
		if !bytes.Contains(one, []byte(`"events":`)) {
			calls = append(calls, one)
		}
	}
	without := bytes.Join(calls, nil)
	_, err = replay.Replay(bytes.NewReader(without), nil, nil)
	require.NoError(t, err, "older records open")
	old := evidence.NewReader(evidence.Options{})
	old.Feed("run.ndjson", without)
	old.End("run.ndjson")
	report = old.Report()
	assert.Contains(t, report.Files[0].Says, "leaselab import run.ndjson reads it")
}

// refusesDamaged checks that a record which ends early is one up to there, and that one with a changed line is refused.
func refusesDamaged(t *testing.T, record []byte, hash string) {
	t.Helper()
	lines := bytes.SplitAfter(bytes.TrimSpace(record), []byte("\n"))
	cut, err := replay.Replay(bytes.NewReader(bytes.Join(lines[:len(lines)-2], nil)), nil, nil)
	require.NoError(t, err, "a record whose writer was killed is one up to there")
	assert.False(t, cut.Whole)
	half, err := replay.Replay(bytes.NewReader(record[:len(record)-30]), nil, nil)
	require.NoError(t, err)
	assert.False(t, half.Whole)
	for what, change := range map[string]func() []byte{
		"does not fit":                        func() []byte { return bytes.Replace(record, []byte(`"steps":2`), []byte(`"steps":2000`), 1) },
		"the record says":                     func() []byte { return bytes.Replace(record, []byte(hash), []byte("0123"), 1) },
		"line 1: record is":                   func() []byte { return bytes.Replace(record, []byte("record/v1"), []byte("record/v9"), 1) },
		"comes from engine 9":                 func() []byte { return bytes.Replace(record, []byte(`"engine":4`), []byte(`"engine":9`), 1) },
		"the record is empty":                 func() []byte { return nil },
		"do is":                               func() []byte { return bytes.Replace(record, []byte(`"do":"request"`), []byte(`"do":"pray"`), 1) },
		"do is a number; it should be a text": func() []byte { return bytes.Replace(record, []byte(`"do":"request"`), []byte(`"do":7`), 1) },
		"its scenario: engine is a text":      func() []byte { return bytes.Replace(record, []byte(`"engine":4`), []byte(`"engine":""`), 1) },
		"no process of a": func() []byte {
			return bytes.Replace(record, []byte(`"request","node":"a"`), []byte(`"request","node":"z"`), 1)
		},
		"lines after its end": func() []byte { return append(bytes.Clone(record), lines[2]...) },
	} {
		_, err := replay.Replay(bytes.NewReader(change()), nil, nil)
		assert.ErrorContains(t, err, what)
	}
}
