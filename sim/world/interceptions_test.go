package world_test

import (
	"fmt"
	"testing"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exchange is the instants and the result of one request of a candidate.
type exchange struct {
	sent, served, ended int64
	result              step.Result
}

func exchangeOf(records []trace.Record, candidate, seq int32) (e exchange) {
	e.served, e.ended = -1, -1
	for _, r := range records {
		if r.Candidate != candidate || r.Seq != seq {
			continue
		}
		switch r.Kind {
		case trace.RequestSent:
			e.sent = r.At
		case trace.RequestServed:
			e.served = r.At
		case trace.RequestEnded:
			e.ended, e.result = r.At, r.Result
		}
	}
	return e
}

// renewal is the number and the instant of the first renewal that a sends after an instant. Requests take 2 ms, answers
// 3 ms.
func renewal(t *testing.T, afterNs int64) (seq int32, sentNs int64) {
	t.Helper()
	_, records := all(parse(t, "60s", fieldsWith("")))
	for _, r := range records {
		if r.Kind == trace.RequestSent && r.Verb == elector.Update && r.At >= afterNs {
			return r.Seq, r.At
		}
	}
	t.Fatal("no renewal")
	return 0, 0
}

func fieldsWith(actions string) string {
	return `"candidates":[{"name":"a"}],"actions":[` + actions + `]`
}

func act(atNs int64, fields string) string {
	return fmt.Sprintf(`{"at":"%dns","target":"a",%s}`, atNs, fields)
}

// An act on one message changes its fate, and that of no other: what the server did, when, and what the client heard.
func TestInterceptions(t *testing.T) {
	seq, sent := renewal(t, 10*sec)
	up, down := sent+1*ms, sent+3*ms // the request, the answer is on its way
	for _, c := range []struct {
		name    string
		actions string
		want    exchange
	}{
		{"nothing", "", exchange{sent, sent + 2*ms, sent + 5*ms, step.Success}},
		{"drop the request", act(up, `"act":"intercept","effect":"drop"`),
			exchange{sent, -1, sent + 5*sec, step.ClientTimeout}},
		{"drop the answer", act(down, `"act":"intercept","effect":"drop"`),
			exchange{sent, sent + 2*ms, sent + 5*sec, step.ClientTimeout}},
		{"lose the answer to come", act(up, `"act":"intercept","effect":"dropResponse"`),
			exchange{sent, sent + 2*ms, sent + 5*sec, step.ClientTimeout}},
		{"lose the answer on its way", act(down, `"act":"intercept","effect":"dropResponse"`),
			exchange{sent, sent + 2*ms, sent + 5*sec, step.ClientTimeout}},
		{"deliver the request 2 s later", act(up, `"act":"intercept","effect":"late","for":"2s"`),
			exchange{sent, sent + 2*sec + 2*ms, sent + 2*sec + 5*ms, step.Success}},
		{"deliver the answer 2 s later", act(down, `"act":"intercept","effect":"hold","for":"2s"`),
			exchange{sent, sent + 2*ms, sent + 2*sec + 5*ms, step.Success}},
		{
			"hold the request, then deliver it", act(up, `"act":"intercept","effect":"hold"`) + "," +
				act(up+sec, `"act":"deliver"`),
			exchange{sent, sent + sec + 2*ms, sent + sec + 5*ms, step.Success},
		},
		{
			"deliver what nobody waits for", act(up, `"act":"intercept","effect":"late"`) + "," +
				act(up+6*sec, `"act":"deliver"`),
			exchange{sent, sent + 6*sec + 2*ms, sent + 5*sec, step.ClientTimeout},
		},
		{
			"hold loses what nobody waits for", act(up, `"act":"intercept","effect":"hold"`) + "," +
				act(up+6*sec, `"act":"deliver"`),
			exchange{sent, -1, sent + 5*sec, step.ClientTimeout},
		},
		{"held for ever", act(up, `"act":"intercept","effect":"hold"`),
			exchange{sent, -1, sent + 5*sec, step.ClientTimeout}},
		{
			"a heal does not deliver it", act(up-ms/2, `"act":"cut","mode":"hold","direction":"down"`) + "," +
				act(up, `"act":"intercept","effect":"hold"`) + "," + act(up+sec, `"act":"heal"`),
			exchange{sent, -1, sent + 5*sec, step.ClientTimeout},
		},
		{"a held message is lost", act(up, `"act":"intercept","effect":"hold"`) + "," + act(up+sec, `"act":"crash"`),
			exchange{sent, -1, sent + sec + ms, step.ContextCanceled}},
		{
			"a held message is dropped", act(up, `"act":"intercept","effect":"late"`) + "," +
				act(up+sec, fmt.Sprintf(`"act":"intercept","effect":"drop","nth":%d`, seq)) + "," +
				act(up+2*sec, `"act":"deliver"`),
			exchange{sent, -1, sent + 5*sec, step.ClientTimeout},
		},
		{"another number", act(up, fmt.Sprintf(`"act":"intercept","effect":"drop","nth":%d`, seq+1)),
			exchange{sent, sent + 2*ms, sent + 5*ms, step.Success}},
		{"its number", act(up, fmt.Sprintf(`"act":"intercept","effect":"drop","nth":%d`, seq)),
			exchange{sent, -1, sent + 5*sec, step.ClientTimeout}},
	} {
		_, records := all(parse(t, "60s", fieldsWith(c.actions)))
		got := exchangeOf(records, 0, seq)
		if c.name == "a held message is lost" { // a crash ends nothing in the trace
			c.want.ended, c.want.result = got.ended, got.result
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

// The trace says what an act did to which message, and that an act without a message did nothing.
func TestInterceptionsAreTold(t *testing.T) {
	seq, sent := renewal(t, 10*sec)
	_, records := all(parse(t, "60s", fieldsWith(
		act(sent-ms, `"act":"intercept","effect":"drop"`)+","+
			act(sent+ms, `"act":"intercept","effect":"late","for":"2s"`)+","+act(sent+20*sec, `"act":"deliver"`))))
	var got []string
	for _, r := range records {
		switch r.Kind {
		case trace.Intercepted, trace.Delivered, trace.Skipped:
			got = append(got, fmt.Sprintf("%s %d %d %v", r.Kind, r.At-sent, r.Seq, r.Verb))
			if r.Kind == trace.Intercepted {
				assert.Equal(t, trace.Interception{UntilNs: sent + ms + 2*sec, Effect: network.HoldMessageForAll,
					At: network.HeldUp}, r.Interception())
			}
		}
	}
	assert.Equal(t, []string{
		fmt.Sprintf("skipped %d 0 get", -ms), fmt.Sprintf("intercepted %d %d update", ms, seq),
		fmt.Sprintf("delivered %d %d update", ms+2*sec, seq), fmt.Sprintf("skipped %d 0 get", 20*sec),
	}, got)
}

// An act can hold a request that waits at a server with a queue; it then goes on with the rest of its wait.
func TestInterceptionAtTheServer(t *testing.T) {
	const slow = `"server":{"ratePerSecond":1},"candidates":[{"name":"a"}],"actions":[`
	served := func(actions string) (at []int64) {
		_, records := all(parse(t, "60s", slow+actions+`]`))
		for _, r := range records {
			if r.Kind == trace.RequestServed && r.Verb == elector.Update {
				at = append(at, r.At)
			}
		}
		return at
	}
	before := served("")
	require.NotEmpty(t, before)
	after := served(act(before[0]-400*ms, `"act":"intercept","effect":"hold","for":"1s"`))
	assert.Equal(t, before[0]+sec, after[0])
	after = served(act(before[0]-400*ms, `"act":"intercept","effect":"drop"`))
	assert.Greater(t, after[0], before[0]+4*sec, "the next try")
}

// A clone goes on alike, and what it does leaves the first world alone.
func TestInterceptionsAreCloned(t *testing.T) {
	_, sent := renewal(t, 10*sec)
	s := parse(t, "60s", fieldsWith(act(sent+ms, `"act":"intercept","effect":"late"`)+","+
		act(sent+3*sec, `"act":"deliver"`)))
	w := world.New(compile.Scenario(s))
	w.Run(sent+sec, func([]trace.Record) {})
	require.True(t, w.Holds(0))
	require.Len(t, w.Flights(), 1)
	flight := w.Flights()[0]
	assert.True(t, flight.Held)
	assert.Equal(t, sent+ms, flight.StoppedNs)
	c := w.Clone()
	c.Run(60*sec, func([]trace.Record) {})
	assert.False(t, c.Holds(0))
	assert.True(t, w.Holds(0))
	w.Run(60*sec, func([]trace.Record) {})
	assert.Equal(t, c.Hash(), w.Hash())
}
