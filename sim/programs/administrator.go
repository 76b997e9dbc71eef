package programs

import (
	"net/http"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/world"
)

// Administrator is a serve.Backend: it answers the requests of clients that are no candidates, such as kubectl. No rule of the network touches them; what they
// write becomes an act. The cluster needs Options.Administered.
type Administrator struct{ *Cluster }

// Handle answers a request.
func (a Administrator) Handle(now time.Time, r *apiserver.Request) apiserver.Response {
	c := a.Cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	ns := c.nowNs()
	c.apply(ns)
	c.advance(ns)
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		answer, wrote := c.run.World.API().Try(ns+1, r)
		if wrote {
			c.atNs = ns
			c.carry(&Call{Do: CallAdministers, Node: -1, Request: r})
			c.advance(max(ns, c.run.World.Now()) + 1)
		}
		return answer
	}
	c.mirror.Follow(c.run.World)
	if !r.Watches() {
		now = world.Clock(ns)
	}
	return c.mirror.Server.Handle(now, r)
}

// Poll returns the frames of a watch.
func (a Administrator) Poll(now time.Time, w *apiserver.Watch) (frames [][]byte, ended bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mirror.Follow(a.run.World)
	return a.mirror.Server.Poll(now, w)
}

// NextDeadline is the time of a watch's next frame if no write comes before it.
func (a Administrator) NextDeadline(w *apiserver.Watch) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mirror.Server.NextDeadline(w)
}

// Revision is the resourceVersion of the newest write.
func (a Administrator) Revision() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.run.World.Store().Revision()
}
