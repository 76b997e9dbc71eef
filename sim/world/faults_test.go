package world_test

import (
	"fmt"
	"testing"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func resultsOf(records []trace.Record, candidate int32, fromNs, toNs int64) (results []step.Result) {
	for _, r := range records {
		if r.Kind == trace.RequestEnded && r.Candidate == candidate && r.At >= fromNs && r.At < toNs {
			results = append(results, r.Result)
		}
	}
	return results
}

// Three outages of one length: refused, silent and held. Only the third delivers its messages, when it ends.
func TestHeldMessagesAreDelivered(t *testing.T) {
	delivered := func(mode string, timeout string) (served []int64, w *world.World) {
		w, records := all(parse(t, "60s", `"elector":{"requestTimeout":"`+timeout+
			`"},"candidates":[{"name":"a"}],"actions":[
			{"at":"10s","act":"cut","target":"a","mode":"`+mode+`","for":"6s"}]`))
		for _, r := range records {
			if r.Kind == trace.RequestServed && r.Exchange().SentNs >= 10*sec && r.Exchange().SentNs < 16*sec {
				served = append(served, r.At)
			}
		}
		return served, w
	}
	for _, mode := range []string{"drop", "refuse"} {
		served, _ := delivered(mode, "5s")
		assert.Empty(t, served, mode)
	}
	served, _ := delivered("hold", "5s")
	assert.Equal(t, []int64{16*sec + 2*ms}, served,
		"the request whose client had given up is not delivered; the one after it is")
	served, _ = delivered("late", "5s")
	assert.Equal(t, []int64{16*sec + 2*ms, 16*sec + 2*ms}, served, "both are")
	served, _ = delivered("hold", "0s")
	assert.Equal(t, []int64{16*sec + 2*ms}, served, "a client that waits for ever gets its answer")
}

// An answer that a cut holds arrives when the cut ends, long after the store accepted the write.
func TestHeldAnswers(t *testing.T) {
	_, records := all(parse(t, "30s", `"elector":{"requestTimeout":"0s"},"candidates":[{"name":"a"}],"actions":[
		{"at":"10s","act":"cut","target":"a","mode":"hold","direction":"down","for":"6s"}]`))
	for _, r := range records {
		if r.Kind == trace.RequestEnded && r.Exchange().SentNs >= 9*sec && r.At >= 10*sec {
			assert.Equal(t, 16*sec+3*ms, r.At)
			assert.Less(t, r.Exchange().ServedNs, 12*sec+10*ms)
			assert.Equal(t, step.Success, r.Result)
			return
		}
	}
	t.Fatal("no answer")
}

// B05: a cut holds the read of a leader that releases, and delivers it when the network heals. The old leader then
// empties a Lease that another candidate holds by now. Only heals at a certain time after the cut do that, and only if
// the cut holds messages.
func TestHeldReleaseWipesTheSuccessor(t *testing.T) {
	wipes := func(mode string, healMs int) (wiped int) {
		for seed := range uint64(20) {
			s := parse(t, "60s",
				fmt.Sprintf(
					`"elector":{"releaseOnCancel":true},"candidates":[{"name":"a"},{"name":"b","startAt":"50ms"},{"name":"c","startAt":"100ms"}],
				"actions":[{"at":"3s","act":"cut","target":"a","mode":%q,"for":"%dms"}]`, mode, healMs))
			s.Seed = seed
			w, records := all(s)
			for k, r := range records {
				holder := ""
				for _, before := range records[:k] {
					if before.Kind == trace.RequestServed &&
						(before.Outcome == storage.Updated || before.Outcome == storage.Created) {
						holder = w.Setup().Symbols.Text(before.Spec.HolderIdentity)
					}
				}
				if r.Kind == trace.RequestServed && r.Outcome == storage.Updated && r.Spec.HolderIdentity == 0 &&
					holder != "a" {
					wiped++
				}
			}
		}
		return wiped
	}
	assert.Positive(t, wipes("hold", 14500)+wipes("hold", 15000)+wipes("hold", 15500))
	assert.Zero(t, wipes("hold", 9000))
	assert.Zero(t, wipes("hold", 24000))
	assert.Zero(t, wipes("drop", 14500)+wipes("drop", 15000)+wipes("drop", 15500),
		"the neighbor: what is lost wipes nothing")
}

// B01: the server answers a request that hangs 504 after 60 s. A client without a timeout waits until then; a client
// with a timeout has given up. The flight shows that the request hangs.
func TestHangingRequests(t *testing.T) {
	s := parse(t, "90s",
		`"elector":{"requestTimeout":"0s","renewDeadline":"80s","leaseDuration":"100s"},"candidates":[{"name":"a"}],"actions":[
		{"at":"10s","act":"fail","target":"a","error":"hang","count":1}]`)
	w := world.New(compile.Scenario(s))
	w.Run(20*sec, func([]trace.Record) {})
	require.Len(t, w.Flights(), 1)
	assert.True(t, w.Flights()[0].Hangs)
	assert.Equal(t, int64(-1), w.Flights()[0].ServedNs)
	_, records := all(s)
	got := resultsOf(records, 0, 11*sec, 75*sec)
	require.NotEmpty(t, got)
	assert.Equal(t, step.GatewayTimeout, got[0])
	for _, r := range records {
		if r.Kind == trace.RequestEnded && r.Result == step.GatewayTimeout {
			assert.Equal(t, 60*sec+3*ms, r.At-r.Exchange().ServedNs+60*sec)
			assert.Equal(t, 60*sec+5*ms, r.At-r.Exchange().SentNs)
		}
	}
	s.Elector.RequestTimeout = new(scenario.Duration(5 * sec))
	_, records = all(s)
	assert.Equal(t, step.ClientTimeout, resultsOf(records, 0, 11*sec, 75*sec)[0])
	s.Server = &scenario.Server{RequestTimeout: scenario.Duration(3 * sec)}
	_, records = all(s)
	assert.Equal(t, step.GatewayTimeout, resultsOf(records, 0, 11*sec, 75*sec)[0],
		"a server with less patience than the client")
}

// The server serves a stalled request when the stall ends: it may store a write long after its client has given up.
func TestStalledRequestsAreServedInTheEnd(t *testing.T) {
	_, records := all(
		parse(t, "40s",
			`"candidates":[{"name":"a"}],"actions":[{"at":"10s","act":"fail","target":"a","error":"stall","verb":"writes","for":"12s"}]`))
	stored := 0
	for _, r := range records {
		if r.Kind == trace.RequestServed && r.Exchange().SentNs >= 10*sec && r.Exchange().SentNs < 22*sec &&
			r.Verb == elector.Update {
			assert.Equal(t, 22*sec, r.At)
			stored++
		}
		if r.Kind == trace.RequestEnded && r.At >= 13*sec && r.At < 22*sec && r.Verb == elector.Get {
			assert.Equal(t, step.Success, r.Result, "reads are as they were")
		}
	}
	assert.Positive(t, stored)
}

// Faults of reads leave writes alone, and the other way round (B13).
func TestVerbKinds(t *testing.T) {
	for _, c := range []struct{ verb, bad string }{{"reads", "get"}, {"writes", "update"}} {
		_, records := all(parse(t, "60s", abc+
			`,"actions":[{"at":"10s","act":"fail","target":"*","error":"http500","verb":"`+c.verb+`","for":"8s"}]`))
		failed := 0
		for _, r := range records {
			if r.Kind == trace.RequestEnded && r.Exchange().SentNs >= 10*sec && r.Exchange().SentNs < 18*sec {
				assert.Equal(t, r.Verb.String() == c.bad, r.Result == step.InternalError, "%s of a fail of %s", r.Verb,
					c.verb)
				if r.Result == step.InternalError {
					failed++
				}
			}
		}
		assert.Positive(t, failed, c.verb)
	}
}

// A fail act with every recurs until it ends.
func TestFaultsComeAgain(t *testing.T) {
	_, records := all(parse(t, "100s", `"candidates":[{"name":"a"}],"actions":[
		{"at":"10s","act":"fail","target":"a","error":"http503","for":"3s","every":"20s"},{"at":"60s","act":"recover","target":"a"}]`))
	windows := map[int64]bool{}
	for _, r := range records {
		if r.Kind != trace.RequestEnded {
			continue
		}
		at := r.Exchange().SentNs - 10*sec
		bad := r.Exchange().SentNs < 60*sec && at >= 0 && at%(20*sec) < 3*sec
		assert.Equal(t, bad, r.Result == step.Unavailable, "sent at %d", r.Exchange().SentNs)
		if bad {
			windows[at/(20*sec)] = true
		}
	}
	assert.Len(t, windows, 3)
}

// B42: a rollback takes the Lease, its resourceVersion and later writes from the store; a clone from before keeps them.
func TestRollback(t *testing.T) {
	s := parse(t, "120s", abc+
		`,"actions":[{"at":"20s","act":"crash","target":"a"},{"at":"60s","act":"rollback","to":"15s"}]`)
	s.Candidates[1].StartAt, s.Candidates[2].StartAt = scenario.Duration(3*sec), scenario.Duration(3*sec)
	w := world.New(compile.Scenario(s))
	w.Run(15*sec, func([]trace.Record) {})
	_, then, _ := w.Holder()
	w.Run(59*sec, func([]trace.Record) {})
	clone := w.Clone()
	candidate, before, _ := w.Holder()
	require.NotEqual(t, "a", w.Node(candidate).Name())
	var told *trace.Record
	for w.NextAt() <= 60*sec {
		w.Step(60 * sec)
		for _, r := range w.Records() {
			if r.Kind == trace.RolledBack {
				told = &r
			}
		}
	}
	require.NotNil(t, told)
	assert.Equal(t, then.ResourceVersion, told.ResourceVersion)
	assert.Equal(t, then.Spec, told.Spec)
	candidate, now, _ := w.Holder()
	assert.Equal(t, "a", w.Node(candidate).Name(), "the door has the old name on it")
	assert.Equal(t, then, now)
	assert.Less(t, now.ResourceVersion, before.ResourceVersion)
	_, kept, _ := clone.Holder()
	assert.GreaterOrEqual(t, kept.ResourceVersion, before.ResourceVersion)
	w.Run(120*sec, func([]trace.Record) {})
	candidate, _, _ = w.Holder()
	assert.NotEqual(t, "a", w.Node(candidate).Name(), "in the end a living one holds it again")
	history := w.Store().History()
	for i := history.RollbackEnd() + 1; i < history.Len(); i++ {
		assert.Greater(t, history.At(i).Object.ResourceVersion, history.At(i-1).Object.ResourceVersion)
		assert.Equal(t, i, history.OrdinalOf(history.At(i).Object.ResourceVersion))
	}
	assert.Equal(t, before, history.At(history.RollbackEnd()-2).Object, "what was lost is still told of")
	assert.Equal(t, then, history.At(history.RollbackEnd()-1).Object)
	mirror, again := w.NewMirror(100), clone.NewMirror(100)
	assert.Equal(t, w.Store().Revision(), mirror.Server.Revision())
	assert.True(t, mirror.Follows(w))
	assert.False(t, again.Follows(w))
	assert.Zero(t, clone.Store().Rollbacks())
}
