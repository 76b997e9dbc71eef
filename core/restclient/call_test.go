package restclient_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/restclient"
	"github.com/leaselab/leaselab/core/step"
)

const ms = int64(1_000_000)

// runCall runs a call, answers every exchange after 10 ms with what server returns, and prints what the call does.
func runCall(r restclient.Request, limiter *flowcontrol.TokenBucket, callerEndsNs int64, server func(n int) (step.Result, int32)) string {
	var c restclient.Call
	var b strings.Builder
	now, answerNs, exchanges := int64(0), step.Never, 0
	in := restclient.Input{Kind: restclient.Begin, Request: r}
	for {
		for _, o := range c.Step(now, in, limiter, nil) {
			fmt.Fprintf(&b, "%d ", now/ms)
			switch o.Kind {
			case restclient.Send:
				b.WriteString("send")
				if o.Result != step.Success {
					fmt.Fprintf(&b, " refused by the transport: %s", o.Result)
				} else if exchanges++; server != nil {
					answerNs = now + 10*ms
				}
			case restclient.Abandon:
				fmt.Fprintf(&b, "abandon: %s", o.Result)
				answerNs = step.Never
			case restclient.Ask:
				fmt.Fprintf(&b, "%s, ask again after %d ms", o.Result, o.DelayNs/ms)
			case restclient.Throttle:
				fmt.Fprintf(&b, "wait %d ms for the limiter", o.DelayNs/ms)
			case restclient.Done:
				fmt.Fprintf(&b, "done: %s", o.Result)
			}
			b.WriteByte('\n')
		}
		if !c.Active() {
			return b.String()
		}
		now = min(c.NextWakeNs(), answerNs, callerEndsNs)
		switch now {
		case callerEndsNs:
			in = restclient.Input{Kind: restclient.CallerEnds, Result: step.ContextCanceled}
		case answerNs:
			answerNs = step.Never
			result, seconds := server(exchanges)
			in = restclient.Input{Kind: restclient.Respond, Result: result, RetryAfterSeconds: seconds}
		default:
			in = restclient.Input{Kind: restclient.Wake}
		}
	}
}

func always(result step.Result, seconds int32) func(int) (step.Result, int32) {
	return func(int) (step.Result, int32) { return result, seconds }
}

func once(result step.Result, seconds int32) func(int) (step.Result, int32) {
	return func(n int) (step.Result, int32) {
		if n == 1 {
			return result, seconds
		}
		return step.Success, restclient.NoRetryAfter
	}
}

func TestCall(t *testing.T) {
	get := restclient.Request{Get: true, DeadlineNs: step.Never, TimeoutNs: 5000 * ms}
	write := restclient.Request{DeadlineNs: step.Never, TimeoutNs: 5000 * ms}
	slow := func(burst int64) *flowcontrol.TokenBucket {
		l := flowcontrol.NewTokenBucket(0.5, burst)
		return &l
	}
	for name, c := range map[string]struct {
		request restclient.Request
		limiter *flowcontrol.TokenBucket
		endsMs  int64
		server  func(int) (step.Result, int32)
		want    string
	}{
		"an answer ends it":                                       {request: write, server: always(step.Conflict, -1), want: "0 send\n10 done: 409_conflict"},
		"429 without Retry-After ends it":                         {request: write, server: always(step.TooManyRequests, -1), want: "0 send\n10 done: 429"},
		"Retry-After asks again":                                  {request: write, server: once(step.TooManyRequests, 1), want: "0 send\n10 429, ask again after 1000 ms\n1010 send\n1020 done: ok"},
		"of an answer that is neither 429 nor 5xx it is not read": {request: write, server: always(step.Conflict, 1), want: "0 send\n10 done: 409_conflict"},
		"Retry-After: 0 asks again at once":                       {request: write, server: once(step.BadGateway, 0), want: "0 send\n10 502, ask again after 0 ms\n10 send\n20 done: ok"},
		"the timeout spans the waits": {request: write, server: always(step.Unavailable, 3),
			want: "0 send\n10 503, ask again after 3000 ms\n3010 send\n3020 503, ask again after 3000 ms\n5000 send refused by the transport: client_timeout\n5000 done: client_timeout"},
		"the timeout ends an exchange":                {request: write, want: "0 send\n5000 abandon: client_timeout\n5000 done: client_timeout"},
		"a GET is asked again a second after a reset": {request: get, server: once(step.ConnReset, -1), want: "0 send\n10 conn_reset, ask again after 1000 ms\n1010 send\n1020 done: ok"},
		"a write is not":                              {request: write, server: always(step.ConnReset, -1), want: "0 send\n10 done: conn_reset"},
		"nor is a refused connection":                 {request: get, server: always(step.ConnRefused, -1), want: "0 send\n10 done: conn_refused"},
		"an empty name does not leave the process":    {request: restclient.Request{Unnamed: true, DeadlineNs: step.Never}, want: "0 done: not_sent:unnamed"},
		"the caller ends an exchange":                 {request: write, endsMs: 300, want: "0 send\n300 abandon: ctx_canceled\n300 done: ctx_canceled"},
		"the caller ends a wait": {request: write, endsMs: 300, server: always(step.Unavailable, 3),
			want: "0 send\n10 503, ask again after 3000 ms\n300 send refused by the transport: ctx_canceled\n300 done: ctx_canceled"},
		"with a limiter, whose wait notices, nothing gets as far as the transport": {request: write, limiter: slow(9), endsMs: 300, server: always(step.Unavailable, 3),
			want: "0 send\n10 503, ask again after 3000 ms\n300 done: ctx_canceled"},
		"each exchange takes a token": {request: write, limiter: slow(1), server: once(step.TooManyRequests, 1),
			want: "0 send\n10 429, ask again after 1000 ms\n1010 wait 990 ms for the limiter\n2000 send\n2010 done: ok"},
		"a token after the deadline ends it at once": {request: restclient.Request{DeadlineNs: 1500 * ms}, limiter: slow(1), server: once(step.TooManyRequests, 1),
			want: "0 send\n10 429, ask again after 1000 ms\n1010 done: rate_limited"},
	} {
		t.Run(name, func(t *testing.T) {
			endsNs := step.Never
			if c.endsMs > 0 {
				endsNs = c.endsMs * ms
			}
			assert.Equal(t, c.want, strings.TrimSpace(runCall(c.request, c.limiter, endsNs, c.server)))
		})
	}
}

// A call asks again ten times, and no more.
func TestMaxRetries(t *testing.T) {
	r := restclient.Request{DeadlineNs: step.Never}
	got := runCall(r, nil, step.Never, always(step.InternalError, 1))
	assert.Equal(t, restclient.MaxRetries+1, strings.Count(got, "send\n"))
	assert.True(t, strings.HasSuffix(got, "10110 done: 500\n"), got)
}

// The first wait for the limiter comes before the client's timeout begins, and a call that gives up there returns its token.
func TestFirstWaitIsBeforeTheTimeout(t *testing.T) {
	l := flowcontrol.NewTokenBucket(0.125, 1)
	l.Wait(0, step.Never)
	r := restclient.Request{DeadlineNs: step.Never, TimeoutNs: 5000 * ms}
	assert.Equal(t, "0 wait 8000 ms for the limiter\n300 done: ctx_canceled\n", runCall(r, &l, 300*ms, nil))
	l.Return(0, 0)
	l.Wait(0, step.Never)
	assert.Equal(t, "0 wait 8000 ms for the limiter\n8000 send\n13000 abandon: client_timeout\n13000 done: client_timeout\n", runCall(r, &l, step.Never, nil))
}
