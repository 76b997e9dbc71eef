package programs

import (
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/world"
)

// Administrator is a serve.Backend for clients other than candidates, such as kubectl. The rules of the simulated
// network do not apply to them, and their writes become acts. The cluster must have Options.Administered set.
type Administrator struct{ *Cluster }

// Handle answers a request. It first advances the world to the present. So a read sees everything up to now, not only
// what happened before the driver's last turn.
func (a Administrator) Handle(now time.Time, r *apiserver.Request) apiserver.Response {
	c := a.Cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	ns := c.catchUp()
	if answer, refused := c.refuses(now, -1, r); refused {
		return answer
	}
	if r.Writes() {
		return c.administer(ns, r)
	}
	c.desk.Mirror.Follow(c.run.World)
	if !r.Watches() {
		now = world.Clock(ns)
	}
	return c.desk.Mirror.Server.Handle(now, r)
}

// catchUp advances the world to the present and returns that instant. The caller holds the lock.
func (c *Cluster) catchUp() (ns int64) {
	ns = c.nowNs()
	c.apply(ns)
	c.advance(ns)
	c.endFull()
	c.forget(ns)
	return ns
}

// `administer` answers a write of a client that is not a candidate. The caller holds the lock.
func (c *Cluster) administer(ns int64, r *apiserver.Request) apiserver.Response {
	answer, wrote := c.run.World.Try(ns+1, r)
	if wrote {
		c.atNs = ns
		c.carry(replay.Call{Do: replay.CallAdministers, Node: -1, Request: r})
		c.advance(max(ns, c.run.World.Now()) + 1)
		c.written += int64(len(r.Body)) + int64(len(answer.Body))
	}
	return answer
}

// `refuses` returns the answer to a request that Options.Guard refuses, or that has no room in the record. node is -1
// for a client that is not a candidate.
func (c *Cluster) refuses(now time.Time, node int32, r *apiserver.Request) (answer apiserver.Response, refused bool) {
	if c.options.Guard != nil {
		answer, refused = c.desk.Mirror.Server.Refuse(now, r, c.options.Guard)
	}
	if !refused && c.refusesFull(node, r) {
		return apiserver.NoSpace(), true
	}
	return answer, refused
}

// Look prepares the frames of a watch.
func (a Administrator) Look(now time.Time, w *apiserver.Watch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.desk.Mirror.Follow(a.run.World)
	a.desk.Mirror.Server.Look(now, w)
}

// Revision is the resourceVersion of the newest write.
func (a Administrator) Revision() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.run.World.Store().Revision()
}

// Components is a controllers.Cluster: the objects of a cluster, for controllers that run in Keep. No guard refuses
// their requests, and their writes become acts.
type Components struct{ *Cluster }

// Objects returns the server that shows the objects.
func (p Components) Objects() *apiserver.Server {
	p.desk.Mirror.Follow(p.run.World)
	return p.desk.Mirror.Server
}

// Do answers a request of a controller.
func (p Components) Do(_ time.Time, r *apiserver.Request) apiserver.Response {
	if r.Writes() {
		return p.administer(max(p.nowNs(), p.run.World.Now()), r)
	}
	return p.Objects().Local(world.Clock(p.nowNs()), r).Finished()
}

// Keep lets controllers act once. It returns the time at which they want to act again; zero means never. The function
// advance gets the API server's time, which begins in the year 2000, as in a simulation: see Ahead.
func (c *Cluster) Keep(advance func(now time.Time) (next time.Time)) (next time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isOver.Load() || c.judged {
		return next
	}
	if next = advance(world.Clock(c.catchUp())); !next.IsZero() {
		next = next.Add(c.Ahead())
	}
	return next
}

// Ahead returns how far this machine's clock is ahead of the API server's.
func (c *Cluster) Ahead() time.Duration { return c.begun.Sub(world.Clock(0)) }
