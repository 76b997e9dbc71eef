package world_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sec = int64(time.Second)

// parse reads a scenario with the usual head and default settings.
func parse(t testing.TB, duration, rest string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Decode([]byte(fmt.Sprintf(`{"apiVersion":%q,"kind":"Scenario","seed":1,"duration":%q,%s}`,
		scenario.APIVersion, duration, rest)))
	require.NoError(t, err)
	return s
}

const abc = `"candidates":[{"name":"a"},{"name":"b","startAt":"50ms"},{"name":"c","startAt":"100ms"}]`

// all runs a scenario to its end.
func all(s scenario.Scenario) (*world.World, []trace.Record) {
	w := world.New(compile.Scenario(s))
	var records []trace.Record
	w.Run(int64(s.Duration), func(r []trace.Record) { records = append(records, r...) })
	return w, records
}

// runs is the number of random runs of a test: a quarter with -short, as on other instruction sets and under wasm.
func runs(n uint64) uint64 {
	if testing.Short() {
		return n / 4
	}
	return n
}

// A run is a function of its scenario: twice the same hash, and instants never go back.
func TestRunsRepeat(t *testing.T) {
	hashes := map[trace.Hash]bool{}
	for n := range runs(150) {
		s := random.Scenario(n)
		w, records := all(s)
		again, _ := all(s)
		require.Equal(t, w.Hash(), again.Hash())
		last := int64(0)
		for _, r := range records {
			require.GreaterOrEqual(t, r.At, last)
			last = r.At
		}
		require.Equal(t, w.Counts().Records, int64(len(records)))
		hashes[w.Hash()] = true
	}
	assert.Len(t, hashes, int(runs(150)), "different scenarios have different hashes")
}

// Another seed is another run, and every record counts in the hash: it differs after every step.
func TestHashSeesEverything(t *testing.T) {
	s := parse(t, "60s", abc)
	w := world.New(compile.Scenario(s))
	seen := map[trace.Hash]bool{w.Hash(): true}
	steps := 1
	for w.Step(int64(s.Duration)) {
		if len(w.Records()) > 0 {
			seen[w.Hash()] = true
			steps++
		}
	}
	assert.Len(t, seen, steps)
	other := s
	other.Seed = 2
	changed, _ := all(other)
	assert.NotEqual(t, w.Hash(), changed.Hash())
	assert.Regexp(t, "^[0-9a-f]{16}$", w.Hash().String())
}

// A clone and its original continue alike; an act on one does not show in the other.
func TestClonesAreIndependent(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for n := range runs(100) {
		s := random.Scenario(n)
		straight, _ := all(s)
		w := world.New(compile.Scenario(s))
		w.Run(r.Int64N(int64(s.Duration)), func([]trace.Record) {})
		undisturbed, disturbed := w.Clone(), w.Clone()
		require.Equal(t, w.Hash(), disturbed.Hash())
		disturbed.Insert(world.Control{AtNs: disturbed.Now() + 1, Kind: world.DoCrash, Target: world.Everybody,
			Source: 1 << 20})
		for w.NextAt() <= int64(s.Duration) { // in turns, so that shared memory would show
			w.Step(int64(s.Duration))
			disturbed.Step(int64(s.Duration))
		}
		require.Equal(t, straight.Hash(), w.Hash(), "number %d: the original", n)
		undisturbed.Run(int64(s.Duration), func([]trace.Record) {})
		disturbed.Run(int64(s.Duration), func([]trace.Record) {})
		require.Equal(t, straight.Hash(), undisturbed.Hash(), "number %d: the clone", n)
		require.NotEqual(t, straight.Hash(), disturbed.Hash(), "number %d: everybody crashed", n)
	}
}

// An act inserted into a run makes the same run as an act of the scenario.
func TestInsertingIsCompiling(t *testing.T) {
	for n := range runs(200) {
		s := random.Scenario(n)
		if len(s.Actions) == 0 {
			continue
		}
		whole, _ := all(s)
		live := s
		live.Actions = nil
		setup := compile.Scenario(live)
		w := world.New(setup)
		for i, a := range scenario.Resolve(s).Actions {
			w.Run(int64(a.At)-1, func([]trace.Record) {})
			for _, c := range compile.Action(setup, s, &a, int32(i)) {
				w.Insert(c)
			}
		}
		w.Run(int64(s.Duration), func([]trace.Record) {})
		require.Equal(t, whole.Hash(), w.Hash(), "number %d", n)
	}
}

// Acts inserted together, in any order, make the same run as acts inserted one by one, and the list is copied once.
func TestInsertingAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for n := range runs(100) {
		w := world.New(compile.Scenario(random.Scenario(n)))
		w.Run(sec, func([]trace.Record) {})
		var acts []world.Control
		for i := range 20 {
			acts = append(acts, world.Control{AtNs: w.Now() + 1 + r.Int64N(10)*sec, Kind: world.DoCrash,
				Target: int32(r.IntN(w.Nodes())), Source: 1<<20 + int32(i)})
		}
		one := w.Clone()
		for _, c := range acts {
			one.Insert(c)
		}
		w.Insert(acts...)
		one.Run(60*sec, func([]trace.Record) {})
		w.Run(60*sec, func([]trace.Record) {})
		require.Equal(t, one.Hash(), w.Hash(), "number %d", n)
	}
	bounded.Growth(t, 500, 4000, func(n int) func() {
		w := world.New(compile.Scenario(parse(t, "60s", abc)))
		return func() { w.Insert(make([]world.Control, n)...) }
	})
}

// An act in the past is a mistake of the caller: Insert panics.
func TestThePastIsClosed(t *testing.T) {
	w := world.New(compile.Scenario(parse(t, "60s", abc)))
	w.Run(10*sec, func([]trace.Record) {})
	assert.Panics(t, func() { w.Insert(world.Control{AtNs: 0, Kind: world.DoCrash}) })
	assert.NotPanics(t, func() { w.Insert(world.Control{AtNs: w.Now() + 1, Kind: world.DoCrash}) })
}

// draws are the jitter draws of each candidate by name, in order.
func draws(w *world.World, records []trace.Record) map[string][]float64 {
	by := map[string][]float64{}
	for _, r := range records {
		if r.Kind == trace.JitterDrawn {
			by[w.Node(r.Candidate).Name()] = append(by[w.Node(r.Candidate).Name()], r.Jitter().Draw)
		}
	}
	return by
}

// Every candidate has its own stream: a candidate less, a candidate more, a fault or an offset does not shift the
// draws of others.
func TestStreamsDoNotShift(t *testing.T) {
	base, baseRecords := all(parse(t, "120s", abc))
	want := draws(base, baseRecords)
	require.Greater(t, len(want["c"]), 20)
	for name, rest := range map[string]string{
		"without a":     `"candidates":[{"name":"b","startAt":"50ms"},{"name":"c","startAt":"100ms"}]`,
		"without b":     `"candidates":[{"name":"a"},{"name":"c","startAt":"100ms"}]`,
		"another order": `"candidates":[{"name":"c","startAt":"100ms"},{"name":"a"},{"name":"z"},{"name":"b","startAt":"50ms"}]`,
		"with faults": abc +
			`,"actions":[{"at":"5s","act":"fail","target":"a","error":"http500","for":"3s"},{"at":"30s","act":"remove","target":"b"}]`,
	} {
		w, records := all(parse(t, "120s", rest))
		for candidate, got := range draws(w, records) {
			if candidate == "z" {
				continue
			}
			n := min(len(got), len(want[candidate]))
			require.NotZero(t, n)
			assert.Equal(t, want[candidate][:n], got[:n], "%s, draws of %s", name, candidate)
		}
	}
}

// A pause of the holder ends for the node that was paused, even if another one holds the Lease by then.
func TestAPauseOfTheHolderEnds(t *testing.T) {
	w, records := all(parse(t, "80s", abc+`,"actions":[{"at":"20s","act":"pause","target":"holder","for":"30s"}]`))
	paused := map[int32][]int64{}
	for _, r := range records {
		if r.Kind == trace.Paused || r.Kind == trace.Resumed {
			paused[r.Candidate] = append(paused[r.Candidate], r.At)
		}
	}
	require.Len(t, paused, 1)
	for candidate, at := range paused {
		assert.Equal(t, []int64{20 * sec, 50 * sec}, at)
		holder, _, _ := w.Holder()
		assert.NotEqual(t, candidate, holder, "the Lease changed hands meanwhile")
	}
}

// An act with a length ends by itself, and does nothing at that instant if another act has ended it before.
func TestLengthsEnd(t *testing.T) {
	_, records := all(parse(t, "60s", abc+`,"actions":[
		{"at":"10s","act":"cut","target":"a","for":"5s"},
		{"at":"20s","act":"cut","target":"a","for":"10s"},{"at":"22s","act":"heal","target":"a"},{"at":"25s","act":"cut","target":"a"},
		{"at":"40s","act":"fail","target":"*","error":"http503","for":"1s"},
		{"at":"42s","act":"latency","target":"b","request":"1s","for":"2s"}]`))
	var got []string
	for _, r := range records {
		switch r.Kind {
		case trace.CutBegan, trace.CutEnded, trace.FailBegan, trace.FailEnded, trace.LatencyChanged,
			trace.LatencyRestored:
			got = append(got, fmt.Sprintf("%d %d", r.At/sec, r.Kind))
		}
	}
	want := []string{}
	for _, e := range []struct {
		at   int
		kind trace.Kind
	}{
		// and nothing at 30
		{10, trace.CutBegan}, {15, trace.CutEnded}, {20, trace.CutBegan}, {22, trace.CutEnded}, {25, trace.CutBegan},
		{40, trace.FailBegan}, {41, trace.FailEnded}, {42, trace.LatencyChanged}, {44, trace.LatencyRestored},
	} {
		want = append(want, fmt.Sprintf("%d %d", e.at, e.kind))
	}
	assert.Equal(t, want, got)
}

// New settings of the elector take effect at its next start, new settings of the network at once.
func TestSettingsTakeEffect(t *testing.T) {
	w, records := all(parse(t, "60s", `"candidates":[{"name":"a"}],"actions":[
		{"at":"10s","act":"set","target":"a","elector":{"retryPeriod":"5s"},"network":{"requestLatency":"100ms"}},
		{"at":"30s","act":"crash","target":"a"},{"at":"30s","act":"restart","target":"a"}]`))
	sent := []int64{}
	for _, r := range records {
		if r.Kind == trace.RequestEnded && r.At > 13*sec && r.At < 25*sec {
			assert.Equal(t, int64(103*time.Millisecond), r.At-r.Exchange().SentNs,
				"100 ms there since then, 3 ms back as before")
		}
		if r.Kind == trace.RequestSent {
			sent = append(sent, r.At)
		}
	}
	gap := func(after int64) int64 {
		for i := range sent {
			if sent[i] > after {
				return sent[i+1] - sent[i]
			}
		}
		return 0
	}
	assert.Equal(t, 2*sec+103*int64(time.Millisecond), gap(15*sec), "still every 2 s")
	assert.Equal(t, 5*sec+103*int64(time.Millisecond), gap(50*sec), "every 5 s since the restart")
	running, next := w.Node(0).Settings()
	assert.Equal(t, 5*time.Second, running.RetryPeriod)
	assert.Equal(t, running.RetryPeriod, next.RetryPeriod)
}

// Long runs with a clock that is off by 28 %, and with the slowest and the fastest clock allowed: readings stay exact,
// and the leader renews to the end. Products of 64 bits would overflow after two hours.
func TestLongRunsDoNotOverflow(t *testing.T) {
	for _, c := range []struct {
		duration time.Duration
		rate     int64
		elector  string
		retry    time.Duration
	}{
		{24 * time.Hour, 1_280_000, `{}`, 2 * time.Second},
		{90 * 24 * time.Hour, 1_280_000, `{"leaseDuration":"1h","renewDeadline":"30m","retryPeriod":"5m"}`,
			5 * time.Minute},
		{90 * 24 * time.Hour, 10_000_000, `{"leaseDuration":"24h","renewDeadline":"12h","retryPeriod":"1h"}`,
			time.Hour},
		{90 * 24 * time.Hour, 100_000, `{"leaseDuration":"1h","renewDeadline":"30m","retryPeriod":"5m"}`,
			5 * time.Minute},
	} {
		const offset = -90 * 24 * time.Hour
		s := parse(t, c.duration.String(),
			fmt.Sprintf(
				`"elector":%s,"candidates":[{"name":"a","clock":{"ratePpm":%d,"offset":"%s"}},{"name":"b","startAt":"1s"}]`, c.elector, c.rate, offset))
		s.Seed = scenario.MaxSeed
		w := world.New(compile.Scenario(s))
		lost, renewals, last := 0, int64(0), int64(-1<<62)
		w.Run(int64(s.Duration), func(records []trace.Record) {
			for _, r := range records {
				switch {
				case r.Kind == trace.LeadingDone:
					lost++
				case r.Kind == trace.RequestServed && r.Candidate == 0 && r.Outcome == storage.Updated:
					renewals++
					require.Greater(t, int64(r.Spec.RenewTime), last, "renewTime grows")
					last = int64(r.Spec.RenewTime)
				}
			}
		})
		assert.Zero(t, lost, "%+v", c)
		cycle := float64(c.retry)*1e6/float64(c.rate) + 5e6
		assert.InDelta(t, float64(c.duration)/cycle, float64(renewals), 3, "%+v", c)
		now := w.Now()
		_, _, wall := w.Node(0).Clock()
		// By hand: milliseconds and the rest apart, so that no product exceeds 64 bits.
		want := now/1_000_000*c.rate + (now%1_000_000*c.rate+500_000)/1_000_000 + int64(offset)
		assert.Equal(t, want, wall, "%+v", c)
	}
}

// Errors name the limits of a run, and a run at the limits is valid.
func TestLimits(t *testing.T) {
	_, err := scenario.Decode(
		[]byte(
			`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"2161h","candidates":[{"name":"a"}]}`))
	require.ErrorContains(t, err, "duration")
	_, err = scenario.Decode(
		[]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":9007199254740992,"duration":"1s"}`))
	require.ErrorContains(t, err, "seed")
	s := parse(t, "2160h", `"candidates":[{"name":"a","startAt":"2159h59m59s"}]`)
	w, _ := all(s)
	_, object, exists := w.Holder()
	require.True(t, exists)
	assert.Equal(t, "a", w.DisplayName(object.Spec.HolderIdentity))
}
