package world_test

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ms = int64(time.Millisecond)

// ways are the latencies there and back of every answered request of a candidate, in the order in which it sent them.
func ways(w *world.World, records []trace.Record, name string) (sent, there, back []int64) {
	for _, r := range records {
		if r.Kind == trace.RequestEnded && r.Exchange().ServedNs >= 0 && w.Node(r.Candidate).Name() == name {
			sent, there, back = append(sent, r.Exchange().SentNs),
				append(there, r.Exchange().ServedNs-r.Exchange().SentNs), append(back, r.At-r.Exchange().ServedNs)
		}
	}
	return sent, there, back
}

func quantile(values []int64, q float64) float64 {
	sorted := append([]int64(nil), values...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
	return float64(sorted[int(q*float64(len(sorted)-1))])
}

// Both ways have separate draws, and their quantiles follow the formulas.
func TestLatenciesAreDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		distribution string
		want         map[float64]float64 // quantile to milliseconds
		within       float64             // relative
	}{
		"uniform": {`{"min":"10ms","max":"50ms"}`, map[float64]float64{0.01: 10.4, 0.5: 30, 0.99: 49.6}, 0.03},
		"exponential": {`{"min":"5ms","mean":"20ms"}`,
			map[float64]float64{0.1: 5 - 20*math.Log(0.9), 0.5: 5 + 20*math.Ln2, 0.99: 5 + 20*math.Log(100)}, 0.06},
		"long tail": {`{"p50":"10ms","p99":"800ms"}`,
			map[float64]float64{0.01: 0.125, 0.5: 10, 0.9: 10 * math.Pow(80, 1.2816/2.3263), 0.99: 800}, 0.15},
		"quantiles": {`{"quantiles":["1ms","2ms","3ms","300ms"]}`,
			map[float64]float64{1. / 6: 1.5, 0.5: 2.5, 5. / 6: 151.5}, 0.08},
	} {
		s := parse(t, "12h", `"candidates":[{"name":"a"}],"network":{"requestDistribution":`+c.distribution+
			`,"responseLatency":"7ms"}`)
		w, records := all(s)
		_, there, back := ways(w, records, "a")
		require.Greater(t, len(there), 20_000, name)
		for q, want := range c.want {
			assert.InEpsilon(t, want, quantile(there, q)/1e6, c.within, "%s, quantile %v", name, q)
		}
		for _, ns := range back {
			require.Equal(t, 7*ms, ns, "the neighbor: the other leg is as constant as it was")
		}
	}
}

// A table has the exact values at its own points, rises everywhere, and stays within 90 days.
func TestTablesOfQuantiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	longest := int64(scenario.MaxDuration)
	for range 300 {
		p50 := 1 + r.Int64N(longest)
		p99 := p50 + r.Int64N(longest-p50+1)
		d := network.LogNormal(p50, p99, 0)
		assert.Equal(t, p50, d.At(1<<63))
		e := network.Exponential(p50/3, p99/2, 0)
		last, lastE := int64(-1), int64(-1)
		us := []uint64{0, 1, 1 << 63, 1<<63 - 1, math.MaxUint64}
		for range 300 {
			us = append(us, r.Uint64()>>r.IntN(64), ^(r.Uint64() >> r.IntN(64)))
		}
		sort.Slice(us, func(i, j int) bool { return us[i] < us[j] })
		for _, u := range us {
			x, y := d.At(u), e.At(u)
			require.True(t, last <= x && x <= longest, "%d to %d at %x: %d after %d", p50, p99, u, x, last)
			require.True(t, lastE <= y && y <= longest, "%d to %d at %x: %d after %d", p50, p99, u, y, lastE)
			last, lastE = x, y
		}
	}
	ninetyNine := uint64(math.MaxUint64) / 100 * 99
	assert.InEpsilon(t, 800e6, float64(network.LogNormal(10*ms, 800*ms, 0).At(ninetyNine)), 0.001)
	assert.InEpsilon(t, 1e9*math.Log(100), float64(network.Exponential(0, sec, 0).At(ninetyNine)), 0.001)
	assert.InEpsilon(t, 1e9*math.Log(4./3), float64(network.Exponential(0, sec, 0).At(1<<62)), 0.0001)
}

// With a window all candidates have the same latency in it, and another in the next; without, every request has its
// own.
func TestEverybodyIsSlowAtOnce(t *testing.T) {
	for _, correlated := range []bool{true, false} {
		window := ""
		if correlated {
			window = `,"window":"10s"`
		}
		w, records := all(parse(t, "10m", abc+`,"network":{"requestDistribution":{"max":"500ms"`+window+`}}`))
		inWindow := map[int64]map[int64]bool{}
		for _, name := range []string{"a", "b", "c"} {
			sent, there, _ := ways(w, records, name)
			for i := range sent {
				k := sent[i] / (10 * sec)
				if inWindow[k] == nil {
					inWindow[k] = map[int64]bool{}
				}
				inWindow[k][there[i]] = true
			}
		}
		values := map[int64]bool{}
		for _, in := range inWindow {
			if correlated {
				assert.Len(t, in, 1)
			} else {
				assert.Greater(t, len(in), 5)
			}
			for v := range in {
				values[v] = true
			}
		}
		assert.Greater(t, len(values), 50)
	}
}

// A candidate's draws of latency are its own: neither another candidate nor the latency of another candidate shifts
// them, and they shift no jitter.
func TestLatencyStreamsDoNotShift(t *testing.T) {
	drawn := `,"network":{"requestDistribution":{"max":"500ms"}}`
	w, records := all(parse(t, "2m", abc+drawn))
	_, want, _ := ways(w, records, "b")
	w, records = all(
		parse(t, "2m",
			`"candidates":[{"name":"b","startAt":"50ms","network":{"requestDistribution":{"max":"500ms"}}},{"name":"c","startAt":"100ms"}]`))
	_, got, _ := ways(w, records, "b")
	n := min(len(got), len(want))
	require.Greater(t, n, 20)
	assert.Equal(t, want[:n], got[:n])
	wanted := draws(all(parse(t, "2m", abc)))
	for name, got := range draws(w, records) {
		n := min(len(got), len(wanted[name]))
		assert.Equal(t, wanted[name][:n], got[:n])
	}
}

// The latency of an act is drawn too, for its verb and until it ends; the newest act wins.
func TestLatencyActs(t *testing.T) {
	w, records := all(parse(t, "100s", `"candidates":[{"name":"a"}],"network":{"requestLatency":"10ms"},"actions":[
		{"at":"10s","act":"latency","target":"a","for":"3s","every":"20s","requestDistribution":{"min":"100ms","max":"200ms"}}]`))
	sent, there, _ := ways(w, records, "a")
	slow := 0
	for i := range sent {
		if at := sent[i] - 10*sec; at >= 0 && at%(20*sec) < 3*sec {
			assert.True(t, there[i] >= 100*ms && there[i] <= 200*ms)
			slow++
			continue
		}
		assert.Equal(t, 10*ms, there[i])
	}
	assert.GreaterOrEqual(t, slow, 5)

	_, records = all(parse(t, "60s", abc+
		`,"actions":[{"at":"10s","act":"latency","target":"*","verb":"writes","request":"300ms"}]`))
	reads := 0
	for _, r := range records {
		if r.Kind != trace.RequestEnded || r.Exchange().ServedNs < 0 || r.Exchange().SentNs < 10*sec {
			continue
		}
		if r.Verb.String() == "get" {
			assert.Equal(t, 2*ms, r.Exchange().ServedNs-r.Exchange().SentNs)
			reads++
		} else {
			assert.Equal(t, 300*ms, r.Exchange().ServedNs-r.Exchange().SentNs)
		}
	}
	assert.NotZero(t, reads)
}

// The newest setting of a latency wins: a constant ends a distribution, and the other way round.
func TestSetReplacesADistribution(t *testing.T) {
	w, records := all(
		parse(t, "90s",
			`"candidates":[{"name":"a","network":{"requestDistribution":{"min":"50ms","max":"90ms"}}}],"actions":[
		{"at":"30s","act":"set","target":"a","network":{"requestLatency":"10ms"}},
		{"at":"60s","act":"set","target":"a","network":{"requestDistribution":{"min":"200ms","max":"300ms"}}}]`))
	sent, there, _ := ways(w, records, "a")
	for i := range sent {
		least, most := 50*ms, 90*ms
		if sent[i] >= 60*sec {
			least, most = 200*ms, 300*ms
		} else if sent[i] >= 30*sec {
			least, most = 10*ms, 10*ms
		}
		assert.True(t, least <= there[i] && there[i] <= most, "%d at %d", there[i], sent[i])
	}
}
