package world_test

import (
	"fmt"
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// opinion is a record of a monitor about a node.
type opinion struct {
	at    float64 // seconds
	node  string
	ready bool
	alive bool
}

func (o opinion) String() string { return fmt.Sprintf("%.1f %s %t %t", o.at, o.node, o.ready, o.alive) }

// opinions runs nodes that send heartbeats beside one candidate, and returns what the monitors say.
func opinions(t *testing.T, duration, heartbeats, rest string) (told []opinion, w *world.World) {
	t.Helper()
	w, records := all(parse(t, duration, `"candidates":[{"name":"a"}],"heartbeats":{`+heartbeats+`}`+rest))
	for _, r := range records {
		if r.Kind == trace.NodeReady || r.Kind == trace.NodeNotReady {
			told = append(told, opinion{float64(r.At) / 1e9, w.Node(r.Candidate).Name(), r.Kind == trace.NodeReady,
				r.Readiness().Running})
		}
	}
	return told, w
}

// Live nodes are ready from the first evaluation on. A monitor notices a dead node between grace and grace + one
// evaluation + one interval after its death, and a node that comes back at the next evaluation.
func TestNodesAreReadyWhileTheyLive(t *testing.T) {
	got, w := opinions(t, "4m", `"nodes":3`,
		`,"actions":[{"at":"60s","act":"crash","target":"node-1"},{"at":"180s","act":"restart","target":"node-1"}]`)
	require.Len(t, got, 5)
	for _, o := range got[:3] {
		assert.True(t, o.ready && o.alive && o.at <= 15, o)
	}
	dead, back := got[3], got[4]
	assert.Equal(t, "node-1", dead.node)
	assert.True(t, !dead.ready && !dead.alive && dead.at > 60+40 && dead.at <= 60+50+5+0.1, dead)
	assert.True(t, back.ready && back.alive && back.at > 180 && back.at <= 185.1, back)
	ready, known := w.Node(1).Ready(2)
	assert.True(t, ready && known)
	_, known = w.Node(0).Ready(2)
	assert.False(t, known, "a candidate is no monitor")
	assert.False(t, w.Node(2).HasElector())
	assert.True(t, w.Node(0).HasElector())
}

// B52: an interval as long as the grace period makes a live node flap for ever; a quarter of it does not.
func TestHeartbeatsAsLongAsPatience(t *testing.T) {
	flaps := func(interval string) int {
		got, _ := opinions(t, "30m", `"nodes":1,"interval":"`+interval+
			`","grace":"10s","evaluateEvery":"100ms","network":{"requestDistribution":{"max":"100ms"}}`, "")
		for _, o := range got {
			assert.True(t, o.alive)
		}
		return len(got) - 1
	}
	assert.Greater(t, flaps("10s"), 100)
	assert.Zero(t, flaps("2500ms"))
}

// B53: connections are dropped silently. The nodes notice after 45 s, the monitor's grace ends after 40 s: all nodes
// are not ready at once, and alive. With 50 s of grace or with shorter pings all stay ready.
func TestMassFalseAlarm(t *testing.T) {
	run := func(grace, dead string) (alarms int, last float64) {
		actions := `,"actions":[`
		for i := range 20 {
			actions += fmt.Sprintf(`{"at":"60s","act":"cut","target":"node-%d","mode":"connection"},`, i)
		}
		got, _ := opinions(t, "5m", `"nodes":20,"grace":"`+grace+`","network":{"deadPeerTime":"`+dead+`"}`,
			actions[:len(actions)-1]+"]")
		for _, o := range got {
			if !o.ready {
				assert.True(t, o.alive)
				assert.True(t, o.at > 60+29 && o.at < 60+46, o)
				alarms++
			}
			last = o.at
		}
		return alarms, last
	}
	alarms, last := run("40s", "45s")
	assert.Greater(t, alarms, 8)
	assert.Less(t, last, 115.0, "and all are ready again")
	alarms, _ = run("50s", "45s")
	assert.Zero(t, alarms)
	alarms, _ = run("40s", "20s")
	assert.Zero(t, alarms)
	alarms, _ = run("40s", "0s")
	assert.Equal(t, 20, alarms, "a client that never closes a dead connection never recovers")
}

// B54: a monitor whose watch is broken considers all live nodes dead, a paused monitor considers a dead node live, and
// a second monitor is right about both.
func TestBlindMonitors(t *testing.T) {
	monitors := `"nodes":4,"monitors":[{"name":"m"},{"name":"n"}]`
	_, w := opinions(t, "3m", monitors, `,"actions":[{"at":"60s","act":"cut","target":"m","direction":"down"}]`)
	for node := range int32(4) {
		blind, _ := w.Node(1).Ready(3 + node)
		good, _ := w.Node(2).Ready(3 + node)
		assert.False(t, blind)
		assert.True(t, good)
	}
	got, w := opinions(t, "5m", monitors,
		`,"actions":[{"at":"60s","act":"pause","target":"m","for":"150s"},{"at":"65s","act":"crash","target":"node-0"}]`)
	sawDead := []float64{}
	for _, o := range got {
		if !o.ready {
			assert.Equal(t, "node-0", o.node)
			sawDead = append(sawDead, o.at)
		}
	}
	require.Len(t, sawDead, 2)
	assert.InDelta(t, 115, sawDead[0], 10, "the one")
	assert.GreaterOrEqual(t, sawDead[1], 210.0, "the other, after its pause")
	blind, _ := w.Node(1).Ready(3)
	assert.False(t, blind)
}

// A watch that lags delays every opinion by its lag, and causes none.
func TestLaggingWatch(t *testing.T) {
	at := func(lag string) float64 {
		got, _ := opinions(t, "4m", `"nodes":1,"evaluateEvery":"10ms","monitors":[{"name":"m","watchLag":"`+lag+`"}]`,
			`,"actions":[{"at":"60s","act":"crash","target":"node-0"}]`)
		require.Len(t, got, 2)
		return got[1].at
	}
	assert.InDelta(t, at("0s")+20, at("20s"), 0.011)
}

// A partition of a node, a fault or a slow server makes a live node not ready if it delays renewals for longer than the
// grace period, and only then.
func TestWhatDelaysHeartbeats(t *testing.T) {
	for _, c := range []struct {
		act    string
		alarms bool
	}{
		{`{"at":"60s","act":"cut","target":"node-0","for":"70s"}`, true},
		{`{"at":"60s","act":"cut","target":"node-0","for":"30s"}`, false},
		{`{"at":"60s","act":"cut","target":"node-0","mode":"refuse","for":"70s"}`, true},
		{`{"at":"60s","act":"fail","target":"node-0","error":"http503","for":"70s"}`, true},
		{`{"at":"60s","act":"fail","target":"node-0","error":"http503","verb":"reads","for":"70s"}`, false},
		{`{"at":"60s","act":"fail","target":"node-0","error":"hang","for":"70s"}`, true},
		{`{"at":"60s","act":"fail","target":"node-0","error":"http504Applied","for":"70s"}`, false},
		{`{"at":"60s","act":"fail","target":"node-0","error":"dropResponse","for":"70s"}`, false},
		{`{"at":"60s","act":"pause","target":"node-0","for":"70s"}`, true},
		{`{"at":"60s","act":"latency","target":"node-0","request":"11s","for":"70s"}`, true},
		{`{"at":"60s","act":"latency","target":"node-0","request":"9s","for":"70s"}`, false},
	} {
		got, _ := opinions(t, "4m", `"nodes":1`, `,"actions":[`+c.act+`]`)
		assert.Equal(t, c.alarms, len(got) > 1, "%s: %v", c.act, got)
	}
}

// Heartbeats leave no records but opinions, and the candidates' run is the same without them.
func TestHeartbeatsAreQuiet(t *testing.T) {
	kinds := func(rest string) (kept []trace.Record, others int) {
		_, records := all(parse(t, "10m", abc+rest))
		for _, r := range records {
			if r.Candidate < 3 {
				kept = append(kept, r)
			} else {
				others++
			}
		}
		return kept, others
	}
	plain, _ := kinds("")
	beside, others := kinds(`,"heartbeats":{"nodes":50}`)
	assert.Equal(t, plain, beside)
	assert.Equal(t, 50+1+50, others, "each starts, and is ready")
}

// A mistake in heartbeats is an error with path, value and rule.
func TestHeartbeatsRefuse(t *testing.T) {
	for rest, message := range map[string]string{
		`"heartbeats":{}`:                                                                                               `heartbeats.nodes: missing; say how many nodes send heartbeats, for example 3`,
		`"heartbeats":{"nodes":0,"grace":"1s"}`:                                                                         `heartbeats.nodes 0 must be between 1 and 5,000`,
		`"heartbeats":{"nodes":3,"grace":"0s"}`:                                                                         `heartbeats.grace "0s" must be at least 1ms`,
		`"heartbeats":{"nodes":3,"monitors":[{"name":"c"}]}`:                                                            `heartbeats.monitors[0].name "c" is already taken; give every node its own name`,
		`"heartbeats":{"nodes":3,"monitors":[{"name":"m"},{"name":"m"}]}`:                                               `heartbeats.monitors[1].name "m" is already taken; give every node its own name`,
		`"heartbeats":{"nodes":3,"monitors":[{"name":"m","startAt":"1h"}]}`:                                             `heartbeats.monitors[0].startAt "1h0m0s" lies after the end of the run at 1m0s`,
		`"heartbeats":{"nodes":3,"network":{"readLag":"1s"}}`:                                                           `heartbeats.network.readLag "1s" has no effect here; a kubelet only writes`,
		`"heartbeats":{"nodes":3,"monitors":[{"name":"m","network":{"readLag":"1s"}}]}`:                                 `heartbeats.monitors[0].network.readLag "1s" has no effect here; set watchLag: a monitor reads through its watch`,
		`"heartbeats":{"nodes":3,"network":{"requestDistribution":{}}}`:                                                 ``,
		`"heartbeats":{"nodes":3},"actions":[{"at":"1s","act":"crash","target":"node-3"}]`:                              `actions[0].target "node-3" names no node; use one of a, b, c, monitor, node-0, node-1 and node-2`,
		`"heartbeats":{"nodes":3},"actions":[{"at":"1s","act":"set","target":"node-1","elector":{"retryPeriod":"1s"}}]`: `actions[0].target "node-1" has no elector: it sends heartbeats or watches them`,
	} {
		_, err := scenario.Decode(
			[]byte(fmt.Sprintf(`{"apiVersion":%q,"kind":"Scenario","seed":1,"duration":"1m",%s,%s}`,
				scenario.APIVersion, abc, rest)))
		if message == "" {
			assert.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, message, rest)
	}
}
