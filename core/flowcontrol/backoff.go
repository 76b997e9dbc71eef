package flowcontrol

// The default of client-go's controllers. Each failure of a key doubles its wait, and all keys together may retry ten
// times a second after an initial burst of a hundred.
const (
	baseDelayNs      = int64(5_000_000)
	maxDelayNs       = int64(1_000_000_000_000)
	retriesPerSecond = 10
	retryBurst       = 100
)

// Backoff is DefaultTypedControllerRateLimiter for one key. It computes two waits and uses the longer one. The zero
// value has counted no failure. It has no Forget, because neither of its two users in upstream calls Forget. Source:
// client-go v0.37.2 util/workqueue default_rate_limiters.go.
type Backoff struct {
	failures int32
	limiter  TokenBucket
}

// WaitNs counts one more failure and returns the wait before the next try.
func (b *Backoff) WaitNs(nowNs int64) int64 {
	if b.failures == 0 {
		b.limiter = NewTokenBucket(retriesPerSecond, retryBurst)
	}
	wait := maxDelayNs
	if b.failures < 18 { // 5 ms·2^17 is 655 s; one more doubling is above the limit
		wait = baseDelayNs << b.failures
	}
	b.failures++
	return max(wait, b.limiter.Take(1, nowNs))
}

// Failures returns how many failures the Backoff has counted.
func (b *Backoff) Failures() int32 { return b.failures }
