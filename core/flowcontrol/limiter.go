// Package flowcontrol is client-go's flow control as values: a token bucket, the back-off of failed keys, and the work queue.
//
// Guarantee: waits, orders and repetitions are those of client-go's util/flowcontrol and util/workqueue for the same
// instants of asking. Non-guarantee: a limiter does not know who waits. A caller that gives up returns its token with Return.
package flowcontrol

// Limiter is a token bucket as a value: full at the start, one token every IntervalNs, at most Burst of them. It is kept as
// the instant at which the bucket is empty: (now - emptyNs) / IntervalNs is the number of tokens, a debt when negative.
// Source: client-go v0.37.2 util/flowcontrol NewTokenBucketRateLimiter on golang.org/x/time/rate.
//
// Deviation: the library counts tokens in floats, whose waits may be 1 ns shorter. Pinned by TestRetriesAreLimited. TokenBucket counts
// as the library does; Limiter can take the tokens of many requests at once.
type Limiter struct {
	IntervalNs int64 // 1e9 / qps
	Burst      int64
	emptyNs    int64
}

// NewLimiter returns a full bucket at an instant.
func NewLimiter(intervalNs, burst, nowNs int64) Limiter {
	return Limiter{IntervalNs: intervalNs, Burst: burst, emptyNs: nowNs - burst*intervalNs}
}

// Wait takes a token at an instant and returns how long its request must wait. A wait beyond mostNs is refused, and takes
// nothing: "client rate limiter Wait returned an error: rate: Wait(n=1) would exceed context deadline".
func (l *Limiter) Wait(nowNs, mostNs int64) (waitNs int64, ok bool) {
	empty := l.after(1, nowNs)
	if waitNs = max(empty-nowNs, 0); waitNs > mostNs {
		return 0, false
	}
	l.emptyNs = empty
	return waitNs, true
}

// Take takes n tokens at an instant and returns how long the last of those requests must wait.
func (l *Limiter) Take(n, nowNs int64) (waitNs int64) {
	l.emptyNs = l.after(n, nowNs)
	return max(l.emptyNs-nowNs, 0)
}

// Steady takes one token at fromNs + everyNs, and so on, at the n instants everyNs apart.
func (l *Limiter) Steady(n, fromNs, everyNs int64) {
	if n <= 0 {
		return
	}
	// Each of them finds the bucket no fuller than Burst. That counts for the first or for the last, and the debt of all of
	// them is left at the end.
	last := fromNs + n*everyNs
	first := l.after(1, fromNs+everyNs) + (n-1)*l.IntervalNs
	l.emptyNs = max(first, last-(l.Burst-1)*l.IntervalNs)
}

func (l *Limiter) after(n, nowNs int64) int64 {
	return max(l.emptyNs, nowNs-l.Burst*l.IntervalNs) + n*l.IntervalNs
}
