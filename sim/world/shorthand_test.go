package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// A crash with a length ends with a restart, unless something else has started the process by then.
func TestACrashForAWhile(t *testing.T) {
	const crash = `"actions":[{"at":"20s","act":"crash","target":"holder","for":"10s"}`
	w, records, _ := conduct(t, "60s", crash+`]`)
	assert.Equal(t, []int64{20 * sec}, instantsOf(records, 0, trace.Crashed))
	assert.Equal(t, []int64{30 * sec}, instantsOf(records, 0, trace.Restarted))
	assert.Empty(t, instantsOf(records, 1, trace.Restarted), "b holds the Lease by then and was not crashed")
	assert.True(t, w.Node(0).Alive())

	_, records, _ = conduct(t, "60s", crash+`,{"at":"25s","act":"restart","target":"a"}]`)
	assert.Equal(t, []int64{25 * sec}, instantsOf(records, 0, trace.Restarted))
	_, records, _ = conduct(t, "60s", crash+
		`,{"at":"25s","act":"restart","target":"a"},{"at":"28s","act":"crash","target":"a"}]`)
	assert.Equal(t, []int64{25 * sec}, instantsOf(records, 0, trace.Restarted), "the second crash has no end")
	_, records, _ = conduct(t, "60s",
		`"actions":[{"at":"10s","act":"crash","target":"b"},{"at":"20s","act":"crash","target":"a","for":"10s"}]`)
	assert.Empty(t, instantsOf(records, 1, trace.Restarted), "an act restarts what it crashed")
}

// killsOf lists when SIGKILL ended a candidate.
func killsOf(records []trace.Record, candidate int32) (at []int64) {
	for i := range records {
		if r := &records[i]; r.Kind == trace.Crashed && r.Candidate == candidate && r.Crash().ByGrace {
			at = append(at, r.At)
		}
	}
	return at
}

// After its grace period, a process that was asked to stop dies with its work. A process that has already ended does
// not change.
func TestAStopWithAGracePeriod(t *testing.T) {
	const stop = `"actions":[{"at":"20s","act":"stop","target":"a","grace":"30s"}`
	for rest, want := range map[string][]int64{
		stop + `]`: nil,
		`"process":{"drainAfterCancel":"20s"},` + stop +
			`]`: nil,
		`"process":{"drainAfterCancel":"40s"},` + stop +
			`]`: {50 * sec},
		`"elector":{"releaseOnCancel":true,"releaseAfterWork":true},"process":{"drainAfterCancel":"40s"},` + stop +
			`]`: {50 * sec},
		`"process":{"drainAfterCancel":"40s","restartAfterCrash":"1s"},` + stop +
			`]`: {50 * sec},
		`"process":{"drainAfterCancel":"40s"},` + stop +
			`,{"at":"45s","act":"restart","target":"a"}]`: nil,
		`"process":{"drainAfterCancel":"90s"},` + stop +
			`,{"at":"30s","act":"restart","target":"a"},{"at":"40s","act":"stop","target":"a"}]`: nil,
		`"actions":[{"at":"20s","act":"pause","target":"a"},{"at":"25s","act":"stop","target":"a","grace":"10s"},{"at":"40s","act":"resume","target":"a"}]`: {35 * sec},
	} {
		_, records, checks := conduct(t, "100s", rest)
		assert.Equal(t, want, killsOf(records, 0), rest)
		if len(want) > 0 {
			assert.Empty(t, instantsOf(records, 0, trace.Restarted), rest)
			assert.NotContains(t, checks.Active(), int32(0), rest)
			for _, at := range instantsOf(records, 0, trace.WorkDone) {
				assert.LessOrEqual(t, at, want[0], rest)
			}
		}
	}
}

// A rolling update replaces each candidate by one of another name, and one pod's grace period is not another's.
func TestARollingUpdate(t *testing.T) {
	w, records, checks := conduct(t, "3m",
		`"elector":{"releaseOnCancel":true},"actions":[{"at":"20s","act":"rollingUpdate"}]`)
	require.Equal(t, 6, w.Nodes())
	for i, name := range []string{"a-v2", "b-v2", "c-v2"} {
		k := int32(3 + i)
		assert.Equal(t, name, w.Node(k).Name())
		assert.Equal(t, name, w.Setup().Symbols.Text(w.Node(k).Identity()))
		assert.Equal(t, []int64{int64(20+10*i) * sec}, instantsOf(records, k, trace.Joined))
		assert.Equal(t, []int64{int64(30+10*i) * sec}, instantsOf(records, int32(i), trace.StopAsked))
		assert.Empty(t, killsOf(records, int32(i)))
		assert.True(t, w.Node(k).Alive())
		assert.False(t, w.Node(int32(i)).Alive())
	}
	assert.Empty(t, checks.Violations)

	_, records, _ = conduct(t, "3m",
		`"process":{"drainAfterCancel":"1h"},"actions":[{"at":"20s","act":"rollingUpdate","every":"20s","grace":"25s"}]`)
	leaders := 0
	for i := range int32(3) {
		leaders += len(instantsOf(records, i, trace.StartedLeading))
		for _, at := range killsOf(records, i) {
			assert.Equal(t, int64(40+20*i+25)*sec, at, "%d", i)
		}
	}
	assert.Positive(t, leaders)
	assert.Equal(t, []int64{65 * sec}, killsOf(records, 0))
}

// A fault with a probability meets some requests, others for another seed, and the same ones beside another fault.
func TestAFaultWithAProbability(t *testing.T) {
	failed := func(act string, seed uint64) (at []int64) {
		s := parse(t, "10m", abc+`,"actions":[`+act+`]`)
		s.Seed = seed
		_, records, _ := runChecked(s)
		for i := range records {
			if r := &records[i]; r.Kind == trace.RequestEnded && r.Candidate == 0 && r.Result != 0 {
				at = append(at, r.At)
			}
		}
		return at
	}
	const third = `{"at":"20s","act":"fail","target":"a","error":"http500","probability":0.05}`
	all := failed(third, 1)
	assert.InDelta(t, 15, len(all), 12)
	assert.Equal(t, all, failed(third, 1))
	assert.NotEqual(t, all, failed(third, 2))
	assert.Equal(t, all, failed(`{"at":"15s","act":"fail","target":"b","error":"http500","probability":0.5},`+third, 1))
	assert.Equal(t, all, failed(`{"at":"15s","act":"cut","target":"b","probability":0.5},`+third, 1))

	// A cut with probability 1 is a cut.
	whole := watchedHash(t, `{"at":"20s","act":"cut","target":"a","for":"30s"}`)
	assert.Equal(t, whole, watchedHash(t, `{"at":"20s","act":"cut","target":"a","for":"30s","probability":1}`))
	assert.NotEqual(t, whole, watchedHash(t, `{"at":"20s","act":"cut","target":"a","for":"30s","probability":0.1}`))
}

func watchedHash(t *testing.T, act string) trace.Hash {
	t.Helper()
	w, _, _ := runChecked(parse(t, "2m", abc+`,"actions":[`+act+`]`))
	return w.Hash()
}

// If only a leader is ready, an update goes on as far as the pods' readiness lets it, and says which pod blocks it.
func TestARollingUpdateWithReadyLeaders(t *testing.T) {
	for _, c := range []struct {
		what, fields, more string
		joined, stopped    int
		blocks             []string
	}{
		{what: "the new pod never leads", joined: 1, blocks: []string{"a"}},
		{what: "no pod may be missing, so standbys stay", fields: `,"maxSurge":2`, joined: 2, blocks: []string{"a"}},
		{what: "standbys go, the leader stays", fields: `,"maxUnavailable":2`, joined: 3, stopped: 2,
			blocks: []string{"a"}},
		{what: "all go at once", fields: `,"maxSurge":0,"maxUnavailable":3`, joined: 3, stopped: 3,
			blocks: []string{"c-v2"}},
		{what: "an administrator stops the leader", fields: `,"maxUnavailable":2`,
			more:   `,{"at":"60s","act":"stop","target":"a"}`,
			joined: 3, stopped: 3, blocks: []string{"a", "c-v2"}},
	} {
		w, records, _ := conduct(t, "3m", `"elector":{"releaseOnCancel":true},"actions":[{"at":"20s",`+
			`"act":"rollingUpdate","readiness":"leader"`+c.fields+`}`+c.more+`]`)
		var joined, stopped int
		var blocks []string
		for i := range records {
			switch r := &records[i]; r.Kind {
			case trace.Joined:
				joined++
			case trace.StopAsked:
				stopped++
			case trace.Skipped:
				if r.Skip().Control == int32(world.DoRollout) {
					blocks = append(blocks, w.Node(r.Candidate).Name())
				}
			}
		}
		assert.Equal(t, []any{c.joined, c.stopped, c.blocks}, []any{joined, stopped, blocks}, c.what)
	}
}

// One replica that may be missing: the leader goes, its successor leads, and the update is over. A hook delays SIGTERM
// and SIGKILL.
func TestARollingUpdateOfOneLeader(t *testing.T) {
	s := parse(t, "3m", `"candidates":[{"name":"a"}],"process":{"drainAfterCancel":"1h"},"actions":[{"at":"20s",`+
		`"act":"rollingUpdate","readiness":"leader","maxSurge":0,"preStop":"5s","grace":"12s"}]`)
	w, records, _ := runChecked(s)
	assert.Equal(t, []int64{25 * sec}, instantsOf(records, 0, trace.StopAsked))
	assert.Equal(t, []int64{32 * sec}, killsOf(records, 0))
	assert.Len(t, instantsOf(records, 1, trace.StartedLeading), 1)
	assert.Empty(t, append(instantsOf(records, 0, trace.Skipped), instantsOf(records, 1, trace.Skipped)...))
	assert.Equal(t, w.Hash(), func() trace.Hash { w, _, _ := runChecked(s); return w.Hash() }())
}
