package serve

import (
	"net/http"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Journal stores writes, so that they survive the process.
type Journal interface {
	// Add puts writes into the queue, in order, up to a revision. It does not wait.
	Add(revision int64, changes []apiserver.Change)
	// Wait returns when the journal has stored the writes up to a revision, or an error if it cannot.
	Wait(revision int64) error
}

// Record sends every later write into a journal. The argument server is the handler's backend. Call it before the first
// request. No client sees a write, in an answer or in a watch, before the journal has stored it.
func (h *Handler) Record(j Journal, server *apiserver.Server) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.journal, h.recorded = j, server
}

// record adds the writes since the last revision to the journal. The caller holds the lock, so the journal gets
// writes in the order of their revisions.
func (h *Handler) record(since, now int64) {
	if h.journal != nil {
		h.journal.Add(now, h.recorded.Changes(since))
	}
}

// awaitJournal waits until the journal has stored everything that is in the backend now. It waits without the lock,
// so that other requests may write in the meantime and share the sync.
func (h *Handler) awaitJournal() error {
	if h.journal == nil {
		return nil
	}
	h.mu.Lock()
	revision := h.revision
	h.mu.Unlock()
	return h.journal.Wait(revision)
}

// answerLost answers a request whose write the journal cannot store.
func answerLost(w http.ResponseWriter, err error) {
	refuse(w, http.StatusInternalServerError, "InternalError",
		"Internal error occurred: the server can no longer store objects and exits: "+err.Error())
}
