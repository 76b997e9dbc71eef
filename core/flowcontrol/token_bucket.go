// Package flowcontrol is client-go's flow control as values: a TokenBucket for rest.Config's QPS, the Backoff of
// failed keys, and the work Queue. Instants and waits are nanoseconds.
//
// Guarantee: for calls at the same instants, waits, orders and repetitions are the same as in client-go's
// util/flowcontrol and util/workqueue. Non-guarantee: a limiter does not know who waits. A caller that gives up its
// wait must return its token with Return.
package flowcontrol

import "math"

// TokenBucket is client-go's rate limiter with the library's own arithmetic, so that its waits equal the library's to
// the nanosecond. Tokens are floats, and it truncates a wait to whole nanoseconds. The conversions forbid fused
// multiply-add, which would differ between platforms. Source: client-go v0.37.2 util/flowcontrol
// NewTokenBucketRateLimiter, golang.org/x/time v0.15.0 rate Limiter.
type TokenBucket struct {
	perSecond float64
	burst     float64
	tokens    float64
	lastNs    int64
}

// NewTokenBucket returns a full bucket. qps is rest.Config's QPS, which is a float32.
func NewTokenBucket(qps float32, burst int64) TokenBucket {
	return TokenBucket{perSecond: float64(qps), burst: float64(burst), tokens: float64(burst)}
}

// Wait takes a token at an instant and returns how long its request must wait. If the wait would be longer than
// mostNs, Wait refuses it and takes no token: "client rate limiter Wait returned an error: rate: Wait(n=1) would
// exceed context deadline".
func (b *TokenBucket) Wait(nowNs, mostNs int64) (waitNs int64, ok bool) {
	tokens := b.at(nowNs) - 1
	if tokens < 0 {
		waitNs = b.waitNs(-tokens)
	}
	if waitNs > mostNs {
		return 0, false
	}
	b.tokens, b.lastNs = tokens, nowNs
	return waitNs, true
}

// Return gives back the token of the last Wait, when the request gives up before dueNs, the end of its wait.
func (b *TokenBucket) Return(nowNs, dueNs int64) {
	if nowNs <= dueNs {
		b.tokens, b.lastNs = min(b.at(nowNs)+1, b.burst), nowNs
	}
}

// Take takes n tokens at an instant and returns how long the last of the n requests must wait.
func (b *TokenBucket) Take(n, nowNs int64) (waitNs int64) {
	b.tokens, b.lastNs = b.at(nowNs)-float64(n), nowNs
	if b.tokens < 0 {
		waitNs = b.waitNs(-b.tokens)
	}
	return waitNs
}

// Steady takes n tokens, the first at fromNs + everyNs and each of the others everyNs later.
//
// Deviation: it adds the gain of n intervals at once, which may differ from n additions by rounding. TestSteady pins
// this.
func (b *TokenBucket) Steady(n, fromNs, everyNs int64) {
	if n <= 0 {
		return
	}
	// Either only the first request finds the bucket full, or all of them do. The code takes the case that leaves
	// fewer tokens.
	gain := TokenBucket{perSecond: b.perSecond, burst: math.MaxFloat64}.at(everyNs) - 1
	first := b.at(fromNs+everyNs) - 1 + float64(float64(n-1)*gain)
	b.tokens, b.lastNs = min(first, b.burst-1), fromNs+n*everyNs
}

func (b TokenBucket) at(nowNs int64) float64 {
	elapsedNs := nowNs - b.lastNs
	seconds := float64(elapsedNs/1e9) + float64(float64(elapsedNs%1e9)/1e9)
	return min(b.tokens+float64(seconds*b.perSecond), b.burst)
}

func (b *TokenBucket) waitNs(tokens float64) int64 {
	ns := float64(float64(tokens/b.perSecond) * 1e9)
	if ns > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(ns)
}
