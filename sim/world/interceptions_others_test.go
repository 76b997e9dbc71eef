package world_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// others are the clients beside electors whose messages acts can stop, each with the world that it needs. Requests take
// 400 ms, and so do answers, but for those inside an API server and the writes to the resource.
var others = []struct {
	message, target, setup string
	sender                 network.Sender
	answered               bool
}{
	{
		"leaseCandidate", "a",
		`"elector":{"coordinated":true},"apiServers":[{"name":"cp-1"}],"network":{"requestLatency":"400ms","responseLatency":"400ms"},` +
			`"candidates":[{"name":"a","binaryVersion":"1.36.0","emulationVersion":"1.36.0","strategy":"OldestEmulationVersion"}]`, network.LeaseCandidate, true,
	},
	{
		"controller", "cp-1", `"elector":{"coordinated":true},"apiServers":[{"name":"cp-1"}],` +
			`"candidates":[{"name":"a","binaryVersion":"1.36.0","emulationVersion":"1.36.0","strategy":"OldestEmulationVersion"}]`, network.Controller, true,
	},
	{
		"heartbeat", "node-0",
		`"candidates":[{"name":"a"}],"network":{"requestLatency":"400ms","responseLatency":"400ms"},` +
			`"heartbeats":{"nodes":1,"grace":"12s","monitors":[{"name":"m"}]}`, network.Kubelet, true,
	},
	{
		"resource", "a", `"resource":{"fence":"none","writeEvery":"5s","latency":"400ms"},"candidates":[{"name":"a"}]`,
		network.ResourceWriter, false,
	},
}

// flightOf is the newest message of a client of a node that is under way.
func flightOf(w *world.World, node int32, of network.Sender) (f world.Flight, found bool) {
	for _, one := range w.Flights() {
		if one.Candidate == node && one.Sender == of && (!found || one.Seq > f.Seq) {
			f, found = one, true
		}
	}
	return f, found
}

// Acts can drop, hold and later deliver the messages of every client, and lose their answers if they have any. An act
// of the right kind finds each message under way; an act of another kind does not.
func TestEveryClientsMessagesAreStopped(t *testing.T) {
	for _, c := range others {
		t.Run(c.message, func(t *testing.T) {
			w := world.New(compile.Scenario(parse(t, "90s", c.setup)))
			node := int32(-1)
			for i := range int32(w.Nodes()) {
				if w.Node(i).Name() == c.target {
					node = i
				}
			}
			require.GreaterOrEqual(t, node, int32(0))
			var f world.Flight
			at := int64(0)
			for found := false; !found && at < 60*sec; at += ms / 4 {
				w.Run(at, func([]trace.Record) {})
				if one, is := flightOf(w, node, c.sender); is && one.ServedNs < 0 {
					f, found = one, true
				}
			}
			require.NotZero(t, f.Seq, "no message of the client is under way")
			assert.True(t, f.CanBeStopped)
			assert.True(t, w.Intercepts(node))
			run := func(actions ...string) (told []trace.Record, from *world.World) {
				from = world.New(compile.Scenario(parse(t, "90s", c.setup+`,"actions":[`+strings.Join(actions, ",")+
					`]`)))
				w := from.Clone()
				w.Run(90*sec, func(records []trace.Record) { told = append(told, records...) })
				return told, from
			}
			act := func(atNs int64, message, fields string) string {
				return fmt.Sprintf(`{"at":"%dns","target":%q,"message":%q,%s}`, atNs, c.target, message, fields)
			}
			effects := []string{`"effect":"drop"`, `"effect":"hold"`, `"effect":"late","for":"2s"`,
				fmt.Sprintf(`"effect":"drop","nth":%d`, f.Seq)}
			if c.answered {
				effects = append(effects, `"effect":"dropResponse"`)
			}
			undisturbed, _ := run()
			for _, effect := range effects {
				told, end := run(act(at, c.message, `"act":"intercept",`+effect))
				k := slices.IndexFunc(told, func(r trace.Record) bool { return r.Kind == trace.Intercepted })
				require.GreaterOrEqual(t, k, 0, "%s: it is skipped", effect)
				assert.Equal(t, f.Seq, told[k].Seq, effect)
				assert.Equal(t, c.sender, told[k].Interception().Sender, effect)
				assert.Equal(t, strings.Contains(effect, `"for"`),
					slices.ContainsFunc(told, func(r trace.Record) bool { return r.Kind == trace.Delivered }), effect)
				if !c.answered {
					assert.NotEqual(t, arrivals(undisturbed), arrivals(told), effect)
					continue
				}
				servedNs, lost := servedOf(end, &f, at)
				switch {
				case strings.Contains(effect, "late"):
					assert.GreaterOrEqual(t, servedNs, at+2*sec, effect)
				case strings.Contains(effect, "dropResponse"):
					assert.Positive(t, servedNs, effect)
					assert.Less(t, servedNs, at+2*sec, effect)
					assert.True(t, lost, effect)
				default:
					assert.Equal(t, int64(-1), servedNs, effect)
				}
			}
			for _, wrong := range []string{act(at, c.message,
				fmt.Sprintf(`"act":"intercept","effect":"drop","nth":%d`, f.Seq+1)),
				act(at, another(c.message), `"act":"intercept","effect":"drop"`)} {
				told, _ := run(wrong)
				assert.False(t, slices.ContainsFunc(told,
					func(r trace.Record) bool { return r.Kind == trace.Intercepted }), wrong)
				assert.True(t, slices.ContainsFunc(told, func(r trace.Record) bool { return r.Kind == trace.Skipped }),
					wrong)
			}
			told, _ := run(act(at, c.message, `"act":"intercept","effect":"late"`),
				act(at+3*sec, c.message, `"act":"deliver"`))
			k := slices.IndexFunc(told, func(r trace.Record) bool { return r.Kind == trace.Delivered })
			require.GreaterOrEqual(t, k, 0)
			assert.Equal(t, []int64{at + 3*sec, int64(f.Seq), int64(c.sender)},
				[]int64{told[k].At, int64(told[k].Seq), int64(told[k].Interception().Sender)})
		})
	}
}

// servedOf steps a world from an instant on, and says when the API server served a message that is under way there, -1
// if it did not, and whether its answer was lost.
func servedOf(w *world.World, f *world.Flight, atNs int64) (servedNs int64, lost bool) {
	servedNs = -1
	for ; atNs < 10*sec; atNs += ms / 2 {
		w.Run(atNs, func([]trace.Record) {})
		for _, one := range w.Flights() {
			if one.Candidate == f.Candidate && one.Sender == f.Sender && one.Seq == f.Seq && one.ServedNs >= 0 {
				servedNs, lost = one.ServedNs, lost || one.LostDown
			}
		}
	}
	return servedNs, lost
}

// another is a client that is not at work in the world of a message.
func another(message string) string {
	if message == "resource" {
		return "controller"
	}
	return "resource"
}

// arrivals lists which writes reach the resource or get lost, and when.
func arrivals(records []trace.Record) (all []string) {
	for i := range records {
		if r := &records[i]; r.Kind == trace.ResourceAccepted || r.Kind == trace.ResourceLost {
			all = append(all, fmt.Sprintf("%s %d", r.Kind, r.At))
		}
	}
	return all
}

// A write to the resource that an act holds arrives upon delivery, stale by then.
func TestAHeldWriteIsDelivered(t *testing.T) {
	body := func(actions string) string {
		return `"resource":{"fence":"none","writeEvery":"5s","latency":"400ms"},"candidates":[{"name":"a"},{"name":"b","startAt":"500ms"}],"actions":[` + actions + `]`
	}
	_, records := all(parse(t, "90s", body("")))
	arrived := int64(0)
	for _, r := range records {
		if r.Kind == trace.ResourceAccepted && r.At > 20*sec && arrived == 0 {
			arrived = r.At
		}
	}
	_, records = all(
		parse(t, "90s",
			body(
				fmt.Sprintf(
					`{"at":"%dns","act":"intercept","target":"a","message":"resource","effect":"hold"},{"at":"%dns","act":"crash","target":"a"},{"at":"80s","act":"deliver","target":"a"}`, arrived-200*ms, arrived))))
	var got []int64
	for _, r := range records {
		if r.Kind == trace.ResourceAccepted && r.Candidate == 0 && r.At >= arrived {
			got = append(got, r.At)
		}
	}
	assert.Equal(t, []int64{80*sec + 200*ms}, got)
}
