package lab_test

import (
	"strings"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

// api is a client of the API server of a run that was shown up to an instant.
type api struct {
	*testing.T
	l   *lab.Lab
	now time.Time
}

func newAPI(t *testing.T, until int64) *api {
	l := lab.New(shipped.List())
	live := timeline.Cursor{T: until, N: -1}
	require.NoError(t, l.Open(lab.Opening{Name: "a-leader-dies", Cursor: &live, Live: &live}))
	return &api{t, l, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
}

func (a *api) ask(method, target, body string, headers ...string) *protocol.RestAnswer {
	a.Helper()
	answer, err := a.l.Rest(a.now, lab.Rest{Method: method, Target: target, Body: body, Headers: headers})
	require.NoError(a, err)
	return answer
}

func (a *api) watch(target string, headers ...string) int {
	a.Helper()
	answer := a.ask("GET", target, "", headers...)
	require.NotZero(a, answer.Watch, answer.Body)
	return answer.Watch
}

func (a *api) poll(watch int) (text string, ended bool) {
	frames := a.l.RestPoll(a.now, watch)
	return strings.Join(frames.Frames, ""), frames.Ended
}

const patch = `{"metadata":{"labels":{"hello":"there"}}}`

var merges = "Content-Type: application/merge-patch+json"

// After a write at the live cursor the run continues: a watch reports the write and everything after it.
func TestAWatchOutlivesWritesWhileLive(t *testing.T) {
	a := newAPI(t, 40*sec)
	w := a.watch(leases + "?watch=true")
	text, ended := a.poll(w)
	assert.Contains(t, text, `"type":"ADDED"`)
	assert.False(t, ended)
	answer := a.ask("PATCH", leases+"/demo", patch, merges)
	require.True(t, answer.Changed, answer.Body)
	text, ended = a.poll(w)
	assert.False(t, ended, text)
	assert.Equal(t, 1, strings.Count(text, "\n"))
	assert.Contains(t, text, `"type":"MODIFIED"`)
	assert.Contains(t, text, `"hello":"there"`)
	require.NoError(t, a.l.Act("crash", "b", protocol.ActOptions{}))
	text, ended = a.poll(w)
	assert.False(t, ended, text)
	a.l.Show(60 * sec)
	text, _ = a.poll(w)
	assert.Contains(t, text, `"holderIdentity":"c"`)
}

// Undo and every switch to another run end the watches with 410.
func TestAWatchEndsWithItsBranch(t *testing.T) {
	leave := map[string]func(a *api){
		"undo":   func(a *api) { require.NoError(a, a.l.Undo()) },
		"past":   func(a *api) { a.l.Seek(timeline.Cursor{T: 10 * sec, N: -1}); a.ask("DELETE", leases+"/demo", "") },
		"branch": func(a *api) { require.NoError(a, a.l.Switch(1)) },
	}
	for name, how := range leave {
		t.Run(name, func(t *testing.T) {
			a := newAPI(t, 40*sec)
			if name == "branch" {
				a.l.Seek(timeline.Cursor{T: 30 * sec, N: -1})
				require.NoError(t, a.l.Act("crash", "b", protocol.ActOptions{}))
				require.NoError(t, a.l.Switch(0))
			}
			require.True(t, a.ask("PATCH", leases+"/demo", patch, merges).Changed)
			w := a.watch(leases + "?watch=true")
			a.poll(w)
			how(a)
			text, ended := a.poll(w)
			assert.True(t, ended)
			assert.Contains(t, text, `"type":"ERROR"`)
			assert.Contains(t, text, `"code":410`)
			text, ended = a.poll(w)
			assert.True(t, ended)
			assert.Empty(t, text, "it is reported once")
		})
	}
}

// Ages in lists and in watches use the run's time, whatever the real time is.
func TestAgesAreOfTheRun(t *testing.T) {
	a := newAPI(t, 40*sec)
	table := "Accept: application/json;as=Table;v=v1;g=meta.k8s.io"
	assert.Contains(t, a.ask("GET", leases, "", table).Body, `"cells":["demo","b","40s"]`)
	text, _ := a.poll(a.watch(leases+"?watch=true", table))
	assert.Contains(t, text, `"cells":["demo","b","40s"]`)
}

// Reads and refused writes leave the run unchanged.
func TestOnlyWritesThatStoreAreActs(t *testing.T) {
	a := newAPI(t, 40*sec)
	before := a.l.View()
	assert.Equal(t, 404, a.ask("DELETE", leases+"/nobody", "").Status)
	assert.Equal(t, 200, a.ask("DELETE", leases+"/demo?dryRun=All", "").Status)
	assert.Equal(t, 200, a.ask("GET", leases, "").Status)
	same(t, text(t, before), text(t, a.l.View()), "the view")
	require.True(t, a.ask("DELETE", leases+"/demo", "").Changed)
	assert.Equal(t, "DELETE demo at 00:40.000", a.l.View().Undo)
	require.NoError(t, a.l.Undo())
	assert.Equal(t, 200, a.ask("GET", leases+"/demo", "").Status)
}
