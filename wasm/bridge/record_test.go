//go:build !page

package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

const recordedLease = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"demo","namespace":"default"},"spec":{"holderIdentity":"a","leaseDurationSeconds":15}}`

// recordText is the record of two programs, of which a acquires the Lease after a second and works.
func recordText(t *testing.T) string {
	t.Helper()
	s, err := yaml.Decode(
		[]byte(
			"apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nname: real\nduration: 10s\ncandidates: [{name: a}, " +
				"{name: b}]\nactions: [{at: 5s, act: cut, target: a, for: 2s}]\n"))
	require.NoError(t, err)
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		options := programs.Options{Administered: true}
		recorder, err := programs.NewRecorder(&out, s, &options)
		require.NoError(t, err)
		begin := options.RecordTo(recorder)
		c := programs.New(s, options)
		begin(c)
		c.Launch(func(ctx context.Context, n *programs.Node) {
			c.Until(time.Second)
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, n.Host+
				"/apis/coordination.k8s.io/v1/namespaces/default/leases", strings.NewReader(recordedLease))
			assert.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			answer, err := n.Client().Do(r)
			if assert.NoError(t, err) {
				assert.Equal(t, http.StatusCreated, answer.StatusCode)
				assert.NoError(t, answer.Body.Close())
			}
			defer n.Work(ctx)()
			<-ctx.Done()
		}, "a")
		go c.Drive()
		c.Until(time.Duration(s.Duration))
		c.Finish()
		c.Judge(c.Now(), func(_ *run.Run, ns int64) { c.End(ns) })
		c.Close()
		c.Quit()
		c.Running().Wait()
		require.NoError(t, recorder.Err())
	})
	return out.String()
}

// resultOf is the result of a request that succeeds.
func resultOf[R any](t *testing.T, b *Bridge, op string, params any) (r R) {
	t.Helper()
	a := ask(t, b, op, params)
	require.True(t, a.OK, "%s: %+v", op, a.Error)
	require.NoError(t, json.Unmarshal(a.Result, &r))
	return r
}

// The page shows a growing record up to where it is known. Visitors can go back in it while it grows, and nothing
// acts on it.
func TestRecord(t *testing.T) {
	text := recordText(t)
	half := strings.Index(text, `"do":"leads"`)
	half += strings.Index(text[half:], "\n") + 1
	b := greet(t)
	resultOf[None](t, b, "recordBegin", nil)
	first := resultOf[RecordKnown](t, b, "recordFeed", RecordFeedParams{Text: text[:half]})
	assert.True(t, first.GoesOn)
	assert.Equal(t, int64(10e9), first.End)
	assert.Nil(t, first.View)
	v := resultOf[protocol.View](t, b, "recordShow", nil)
	assert.Equal(t, "live", v.Record)
	assert.Equal(t, first.Known, v.Live.T)
	assert.Equal(t, int64(10e9), v.End)
	assert.Equal(t, "a", v.Lease.Holder)
	assert.Equal(t, "only its program knows", v.Nodes[0].Believes)
	assert.Equal(t, "a is a real program. You cannot act on it here.", v.Acts[0].Refusal)

	v = resultOf[protocol.View](t, b, "play", PlayParams{Speed: 1})
	assert.True(t, v.Playing, "at its live instant it waits for more")
	v = resultOf[protocol.View](t, b, "seek", SeekParams{})
	assert.False(t, v.Lease.Exists)
	resultOf[protocol.View](t, b, "pause", nil)

	more := resultOf[RecordKnown](t, b, "recordFeed", RecordFeedParams{Text: text[half:], Over: true})
	require.NotNil(t, more.View)
	assert.Equal(t, []any{"whole", int64(0), int64(10e9), ""},
		[]any{more.View.Record, more.View.Cursor.T, more.View.Live.T, more.Says})
	assert.False(t, more.GoesOn)
	timeline := resultOf[protocol.Timeline](t, b, "timeline", TimelineParams{From: 0, To: 10e9, WidthPx: 900})
	var marks []string
	for _, m := range timeline.Landmarks {
		marks = append(marks, m.Text)
	}
	assert.Contains(t, strings.Join(marks, "; "), "a is cut off")
	for _, op := range []string{"act", "edit", "undo", "share", "save"} {
		assert.Contains(t, ask(t, b, op, nil).Error.Message, "leaselab import RECORD -o scenario", op)
	}
	a := ask(t, b, "rest", RestParams{Method: "POST", Target: "/apis/coordination.k8s.io/v1/namespaces/default/leases",
		Body: recordedLease})
	assert.Contains(t, a.Error.Message, "so nothing can change it")
	assert.Contains(t, ask(t, b, "open", OpenParams{Scenario: ask(t, b, "snapshot", nil).Result}).Error.Message,
		"does not contain a record of real programs")
	v = resultOf[protocol.View](t, b, "open", OpenParams{Scenario: json.RawMessage(`"crash"`)})
	assert.Empty(t, v.Record, "another run opens as ever")
}

// The page shows a changed record up to the change, with the line. It refuses a record of another make.
func TestDamagedRecord(t *testing.T) {
	text := recordText(t)
	b := greet(t)
	resultOf[None](t, b, "recordBegin", nil)
	changed := strings.Replace(text, `"do":"end"`, `"do":"prays"`, 1)
	known := resultOf[RecordKnown](t, b, "recordFeed", RecordFeedParams{Text: changed, Over: true})
	assert.Regexp(t, `^line \d+: do is "prays"`, known.Says)
	assert.False(t, known.GoesOn)
	assert.Equal(t, "a", resultOf[protocol.View](t, b, "recordShow", nil).Lease.Holder)

	resultOf[None](t, b, "recordBegin", nil)
	resultOf[RecordKnown](t, b, "recordFeed", RecordFeedParams{Text: "no record\n", Over: true})
	assert.Contains(t, ask(t, b, "recordShow", nil).Error.Message, "line 1: a record begins with its scenario")
}
