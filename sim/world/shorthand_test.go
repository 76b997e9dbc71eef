package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/trace"
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
