package workqueue

// The default of client-go's controllers: each failure of a key doubles its wait, and all together may retry ten times a
// second after a hundred at once.
const (
	baseDelayNs = int64(5_000_000)
	maxDelayNs  = int64(1_000_000_000_000)
	qps         = 10
	burst       = 100
)

// RateLimiter is DefaultTypedControllerRateLimiter for one key: the longer wait of two limiters counts. It is never told
// to forget here: neither of the users of this package upstream does that.
type RateLimiter struct {
	failures int32
	bucket   bucket
}

// WaitNs counts one more failure and says how long to wait before the next try.
func (r *RateLimiter) WaitNs(nowNs int64) int64 {
	wait := maxDelayNs
	if r.failures < 18 { // 5 ms·2^17 is 655 s; one more is above the limit
		wait = baseDelayNs << r.failures
	}
	r.failures++
	return max(wait, r.bucket.waitNs(nowNs))
}

// Failures is how many failures have been counted.
func (r *RateLimiter) Failures() int32 { return r.failures }

// bucket is golang.org/x/time/rate's Limiter of ten a second and a burst of a hundred. The zero value is a full one.
type bucket struct {
	tokens float64
	lastNs int64
	began  bool
}

// waitNs reserves one token. The expressions are those of the library, in its order; the explicit conversions keep the
// compiler from fusing a product and a sum, which would give other digits on other machines.
// Source: golang.org/x/time v0.15.0 rate reserveN, advance, durationFromTokens, tokensFromDuration.
func (b *bucket) waitNs(nowNs int64) int64 {
	tokens := float64(burst)
	if b.began {
		elapsed := max(nowNs-b.lastNs, 0)
		seconds := float64(float64(elapsed/1_000_000_000) + float64(float64(elapsed%1_000_000_000)/1e9))
		tokens = min(float64(b.tokens+float64(seconds*qps)), burst)
	}
	tokens--
	b.tokens, b.lastNs, b.began = tokens, nowNs, true
	if tokens >= 0 {
		return 0
	}
	return int64(float64(float64(-tokens/qps) * 1e9))
}
