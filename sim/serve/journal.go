package serve

import (
	"net/http"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Journal keeps writes beyond the end of the process.
type Journal interface {
	// Add queues writes, in order, up to a revision. It does not wait.
	Add(revision int64, changes []apiserver.Change)
	// Wait returns when the writes up to a revision are kept, or an error if that is impossible.
	Wait(revision int64) error
}

// Record adds what server, the handler's backend, stores from now on to a journal. Call it before the first request. No
// client sees a write, in an answer or in a watch, before the journal keeps it.
func (h *Handler) Record(j Journal, server *apiserver.Server) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.journal, h.recorded = j, server
}

// record adds the writes since the last revision to the journal. The caller holds the lock.
func (h *Handler) record(since, now int64) {
	if h.journal != nil {
		h.journal.Add(now, h.recorded.Changes(since))
	}
}

// awaitJournal waits until the journal keeps everything that is stored now.
func (h *Handler) awaitJournal() error {
	if h.journal == nil {
		return nil
	}
	h.mu.Lock()
	revision := h.revision
	h.mu.Unlock()
	return h.journal.Wait(revision)
}

// answerLost answers a request whose outcome the journal cannot keep.
func answerLost(w http.ResponseWriter, err error) {
	refuse(w, http.StatusInternalServerError, "InternalError",
		"Internal error occurred: the server cannot store objects any more and ends: "+err.Error())
}
