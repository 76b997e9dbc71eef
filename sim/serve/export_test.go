package serve

import "time"

// Held calls a function with the time for which each owner has held the lock.
func (h *Handler) Held(held func(time.Duration)) { h.mu.held = held }

// Encoded returns how many frames of objects the handler has encoded.
func (h *Handler) Encoded() int {
	h.encoding.Lock()
	defer h.encoding.Unlock()
	return h.frames.Encoded
}

// Impatient makes requests wait only a moment for room.
func (h *Handler) Impatient() { h.flow.patience = time.Millisecond }

// MostReads is how many reads run at once.
func (h *Handler) MostReads() int { return cap(h.flow.reads) }
