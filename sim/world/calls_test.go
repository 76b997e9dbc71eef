package world_test

import (
	"testing"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sends returns the instants in ms at which a candidate sends requests of a verb, from an instant on.
func sends(records []trace.Record, candidate int32, verb elector.Verb, fromNs int64) (at []int64) {
	for _, r := range records {
		if r.Kind == trace.RequestSent && r.Candidate == candidate && r.Verb == verb && r.At >= fromNs {
			at = append(at, r.At/ms)
		}
	}
	return at
}

// With 429 and Retry-After a leader retries inside the same call until it gets an answer, and keeps the Lease.
// Without the header, or with a client that does not retry, the answer goes to the elector at once.
func TestRetryAfter(t *testing.T) {
	run := func(elector, fault string) []trace.Record {
		_, records := all(parse(t, "30s", `"elector":{`+elector+
			`},"network":{"requestLatency":"2ms","responseLatency":"2ms"},"candidates":[{"name":"a"}],"actions":[
			{"at":"10s","act":"fail","target":"a","error":"http429","for":"3500ms"`+fault+`}]`))
		return records
	}
	records := run(``, `,"retryAfter":"1s"`)
	assert.Equal(t, []int64{10028, 11032, 12036, 13040, 14044, 16048}, sends(records, 0, elector.Update, 9*sec)[:6],
		"the call that begins at 10.028 s ends at 14.048 s")
	var retries []trace.Retry
	for _, r := range records {
		if r.Kind == trace.RequestRetries {
			assert.Equal(t, step.TooManyRequests, r.Result)
			retries = append(retries, r.Retry())
		}
	}
	assert.Equal(t, []trace.Retry{{WaitNs: sec, Number: 1, RetryAfter: true},
		{WaitNs: sec, Number: 2, RetryAfter: true}, {WaitNs: sec, Number: 3, RetryAfter: true},
		{WaitNs: sec, Number: 4, RetryAfter: true}}, retries)
	assert.NotContains(t, sends(records, 0, elector.Get, 9*sec), int64(10032), "a failed update is followed by a read")

	for name, records := range map[string][]trace.Record{"no header": run(``, ``),
		"a client that does not ask again": run(`"dialect":["noRetries"]`, `,"retryAfter":"1s"`)} {
		assert.Equal(t, []int64{10028, 12028}, sends(records, 0, elector.Update, 9*sec)[:2], name)
		assert.Equal(t, []int64{10032, 12032}, sends(records, 0, elector.Get, 9*sec)[:2], name)
		assert.Empty(t, instantsOf(records, 0, trace.RequestRetries), name)
	}
}

// The client's timeout spans the whole call with its waits; a Retry-After beyond it ends the call there, without
// another request.
func TestTimeoutSpansTheCall(t *testing.T) {
	_, records := all(
		parse(t, "40s",
			`"network":{"requestLatency":"2ms","responseLatency":"2ms"},"candidates":[{"name":"a"}],"actions":[
		{"at":"10s","act":"fail","target":"a","error":"http503","verb":"update","retryAfter":"30s"}]`))
	var unsent []int64
	for _, r := range records {
		if r.Kind == trace.RequestNotSent && r.Result == step.ClientTimeout {
			unsent = append(unsent, r.At/ms)
		}
	}
	require.NotEmpty(t, unsent)
	assert.Equal(t, int64(15028), unsent[0], "5 s after the PUT that left at 10.028 s")
	assert.Equal(t, int64(15028), sends(records, 0, elector.Get, 10*sec)[0],
		"the read of the same attempt comes at once")
}

// When a connection breaks, a GET retries a second later; the failure of an update goes to the elector at once.
func TestBrokenConnections(t *testing.T) {
	for _, word := range []string{"reset", "eof"} {
		_, records := all(parse(t, "30s",
			`"network":{"requestLatency":"2ms","responseLatency":"2ms"},"candidates":[{"name":"a"}],"actions":[
			{"at":"10s","act":"fail","target":"a","error":"`+word+`","for":"500ms"}]`))
		assert.Equal(t, int64(10028), sends(records, 0, elector.Update, 9*sec)[0], word)
		assert.Equal(t, []int64{10030, 11032}, sends(records, 0, elector.Get, 9*sec)[:2], word)
		assert.Len(t, instantsOf(records, 0, trace.RequestRetries), 1, word)
		assert.Empty(t, instantsOf(records, 0, trace.LeadingDone), word)
	}
}

// An undecodable answer is the failure of a stored write: the next update meets its own write.
func TestUndecodableAnswers(t *testing.T) {
	for _, word := range []string{"broken", "empty"} {
		_, records := all(parse(t, "30s",
			`"candidates":[{"name":"a"}],"actions":[{"at":"10s","act":"fail","target":"a","error":"`+word+
				`","verb":"update","count":1}]`))
		results := resultsOf(records, 0, 10*sec, 20*sec)
		require.Equal(t, step.Undecodable, results[0], word)
		assert.Equal(t, step.Success, results[1], "%s: the read", word)
		assert.Empty(t, instantsOf(records, 0, trace.LeadingDone), word)
	}
}

// After a create that failed, the lock keeps an object without a name: the next update does not leave the process.
func TestUnnamedUpdate(t *testing.T) {
	_, records := all(parse(t, "30s", `"candidates":[{"name":"a"}],"actions":[
		{"at":"10s","act":"write","op":"delete"},{"at":"10s","act":"fail","target":"a","error":"http500","verb":"create","count":1}]`))
	var unnamed []trace.Record
	for _, r := range records {
		if r.Result == step.NotSentUnnamed {
			unnamed = append(unnamed, r)
		}
	}
	require.Len(t, unnamed, 1)
	assert.Equal(t, trace.RequestNotSent, unnamed[0].Kind)
	assert.Contains(t, sends(records, 0, elector.Get, 10*sec), unnamed[0].At/ms, "a GET comes at once")
}

// A LeaseCandidate client and a kubelet call through client-go too.
func TestOtherClientsAskAgain(t *testing.T) {
	_, records := all(parseServers(t, "70s", threeServers, candidateJSON("a", "1.36.0", ""),
		`{"at":"0s","act":"fail","target":"a","error":"http429","verb":"writes","resource":"leasecandidates","count":2,"retryAfter":"2s"}`))
	retried := instantsOf(records, 0, trace.CandidateRetries)
	require.Len(t, retried, 2)
	assert.InDelta(t, 2*sec, retried[1]-retried[0], float64(100*ms))
	assert.Empty(t, instantsOf(records, 0, trace.CandidateFailed))
}

// A wait for Retry-After runs on the monotonic clock, which stops while the node is suspended. A paused process
// retries when it resumes; a crash ends the call.
func TestWaitsOfAStoppedProcess(t *testing.T) {
	run := func(act string) []trace.Record {
		_, records := all(parse(t, "60s",
			`"elector":{"leaseDuration":"60s","renewDeadline":"40s"},"network":{"requestLatency":"2ms","responseLatency":"2ms"},"candidates":[{"name":"a"}],"actions":[
			{"at":"10s","act":"fail","target":"a","error":"http429","count":1,"retryAfter":"3s"},`+act+`]`))
		return records
	}
	assert.Equal(t, []int64{10028, 13032},
		sends(run(`{"at":"55s","act":"pause","target":"a"}`), 0, elector.Update, 9*sec)[:2], "undisturbed")
	assert.Equal(t, []int64{10028, 23032},
		sends(run(`{"at":"11s","act":"suspend","target":"a","for":"10s"}`), 0, elector.Update, 9*sec)[:2])
	records := run(`{"at":"11s","act":"pause","target":"a","for":"3s"}`)
	assert.Equal(t, []int64{10028, 14000}, sends(records, 0, elector.Update, 9*sec)[:2])
	records = run(`{"at":"11s","act":"crash","target":"a"}`)
	assert.Equal(t, []int64{10028}, sends(records, 0, elector.Update, 9*sec))
}

// A copy of a world in which a call waits continues like the original.
func TestCopiesOfWaitingCalls(t *testing.T) {
	s := parse(t, "40s",
		`"client":{"qps":2,"burst":2},"candidates":[{"name":"a"},{"name":"b"}],"actions":[{"at":"5s","act":"fail","target":"*","error":"http503","retryAfter":"1s","for":"20s"}]`)
	whole, records := all(s)
	w := world.New(compile.Scenario(s))
	for w.Now() < 12*sec {
		require.True(t, w.Step(40*sec))
	}
	clone := w.Clone()
	for _, one := range []*world.World{clone, w} {
		one.Run(40*sec, func([]trace.Record) {})
		assert.Equal(t, whole.Hash(), one.Hash())
	}
	assert.NotEmpty(t, instantsOf(records, 0, trace.Throttled))
}

// "A hang eats tries, a refusal does not". A refused connection or a plain error leaves all five tries that fit into
// renewDeadline; a hang leaves one, of a PUT and a GET. An answer with Retry-After does not count as a refusal: the
// client asks again inside one call.
func TestAHangEatsTries(t *testing.T) {
	attempts := func(fault string) (calls, requests int) {
		_, records := all(parse(t, "60s",
			`"network":{"requestLatency":"2ms","responseLatency":"2ms"},"candidates":[{"name":"a"}],"actions":[{"at":"20s","act":"fail","target":"a","for":"30s",`+fault+`}]`))
		again := int32(0)
		for _, r := range records {
			switch {
			case r.At < 20*sec || r.Kind != trace.RequestSent && r.Kind != trace.RequestRetries || r.At > 30500*ms:
			case r.Kind == trace.RequestRetries:
				again = r.Seq
			case r.Verb == elector.Update:
				requests++
				if r.Seq != again {
					calls++
				}
			}
		}
		return calls, requests
	}
	for fault, want := range map[string][2]int{
		`"error":"dropRequest"`: {1, 1}, `"error":"refused"`: {5, 5}, `"error":"http503"`: {5, 5},
		`"error":"http503","retryAfter":"1s"`: {1, 5},
	} {
		calls, requests := attempts(fault)
		assert.Equal(t, want, [2]int{calls, requests}, fault)
	}
}
