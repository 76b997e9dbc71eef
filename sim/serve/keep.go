package serve

import (
	"context"
	"time"
)

// settle is how long Keep waits after a write, so that many writes need only one call of the function advance.
// Upstream's informers have about the same delay.
const settle = 2 * time.Millisecond

// Keep calls the function advance after writes and at the instants that advance returns, until ctx ends. No request
// uses the backend during such a call. If the function advance returns the zero time, only a write leads to the next
// call.
func (h *Handler) Keep(ctx context.Context, advance func(now time.Time) (next time.Time)) {
	for {
		var next time.Time
		h.mu.Lock()
		next = advance(h.clock.Now())
		h.wake()
		changed := h.nextWrite()
		h.mu.Unlock()
		if !h.sleep(ctx, changed, next) {
			return
		}
	}
}

// `sleep` waits for a write or an instant. It returns false when ctx ends.
func (h *Handler) sleep(ctx context.Context, changed <-chan struct{}, until time.Time) bool {
	var due <-chan time.Time
	if !until.IsZero() {
		timer := h.clock.Timer(until.Sub(h.clock.Now()))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-due:
	case <-changed:
		timer := h.clock.Timer(settle)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return false
		}
	case <-ctx.Done():
		return false
	}
	return true
}
