package serve

import (
	"time"

	"github.com/benbjohnson/clock"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/run/pacer"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// mirrored is the number of past Lease versions from which a watch can start.
const mirrored = 10_000

// `bounds` limits the memory of a simulation that runs for days. The simulation drops its past when clients have
// written that many bytes, or when it stores that many more versions than after the last drop. It cannot drop names,
// such as holders' names. When the names take more bytes than the limit, the simulation refuses writes.
type bounds struct {
	bytes    int64
	versions int
	names    int64
}

var served = bounds{bytes: 64 << 20, versions: 20_000, names: 64 << 20}

// Simulation is a running simulation as a Backend: its candidates keep electing leaders while clients read, watch and
// write, and the clients' writes change the simulated objects. Only one caller at a time may use it; Handler ensures
// that.
type Simulation struct {
	// Guard refuses requests of clients, but not of the simulated candidates; nil refuses none.
	Guard apiserver.Guard
	// Keep lets the server's controllers act at an instant of the simulation. They do the work that the simulated
	// controllers do not do. If Keep is nil, no such controllers run.
	Keep func(now time.Time) (next time.Time)

	world  *world.World
	mirror *world.Mirror
	pacer  *pacer.Pacer
	ppm    int64
	now    int64
	asked  int32

	bounds   bounds
	followed followed
	written  int64 // bytes written since the simulation last forgot its past
	versions int   // how many versions the simulation kept at that time
}

// NewSimulation starts a run at instant 0. speedPpm is virtual microseconds per real second; quota limits the memory of
// all objects in bytes, and 0 means no limit. NewSimulation calls the setup's ConfigureAPI first.
func NewSimulation(setup *world.Setup, c clock.Clock, speedPpm, quota int64) *Simulation {
	configure := setup.ConfigureAPI
	setup.ConfigureAPI = func(config *apiserver.Config) {
		if configure != nil {
			configure(config)
		}
		Native(config)
		config.Quota, config.ObjectBytes, config.KeptEvents = quota, ObjectBytes, mirrored
	}
	w := world.New(setup)
	return &Simulation{world: w, mirror: w.NewMirror(mirrored), pacer: pacer.New(c), ppm: speedPpm, bounds: served,
		followed: followed{bounds: kept}}
}

// Advance runs the world up to the virtual instant that the clock has reached, and lets the controllers act.
func (s *Simulation) Advance() {
	s.now = s.pacer.Advance(s.now, func(int64) (int64, int64) { return s.ppm, 1 << 62 })
	s.runTo(s.now)
	if s.Keep != nil {
		s.Keep(world.Clock(s.now))
	}
}

// Objects is the server that shows the simulated objects, for controllers.
func (s *Simulation) Objects() *apiserver.Server { return s.mirror.Server }

// Do answers a request of a controller. A controller's write becomes an act in the scenario, like a client's.
func (s *Simulation) Do(_ time.Time, r *apiserver.Request) apiserver.Response {
	if r.Writes() {
		return s.write(r)
	}
	return s.mirror.Server.Local(world.Clock(s.now), r).Finished()
}

func (s *Simulation) runTo(ns int64) {
	s.world.Run(ns, func([]trace.Record) {})
	if !s.mirror.Follows(s.world) { // watches of the old mirror end
		s.mirror = s.world.NewMirror(mirrored)
	}
	s.mirror.Follow(s.world)
	s.forget()
}

// `forget` drops the past of the run when it exceeds the bounds, so that an endless run does not grow forever.
func (s *Simulation) forget() {
	s.world.ForgetDone()
	if s.written < s.bounds.bytes && s.world.Store().RememberedCount() < s.versions+s.bounds.versions {
		return
	}
	s.mirror.Forget(s.world)
	s.written, s.versions = 0, s.world.Store().RememberedCount()
}

// Handle answers a request. Reads see the current state; an accepted write becomes an act in the scenario.
func (s *Simulation) Handle(now time.Time, r *apiserver.Request) apiserver.Response {
	s.Advance()
	if s.Guard != nil {
		if answer, refused := s.mirror.Server.Refuse(now, r, s.Guard); refused {
			return answer
		}
	}
	if r.Writes() {
		return s.write(r)
	}
	if !r.Watches() {
		now = world.Clock(s.now) // tables show ages in virtual time
	}
	return s.mirror.Server.Handle(now, r)
}

// `write` tries a request on a copy of the API. If the request writes, write inserts it into the world as an act one
// nanosecond later, because the world has already processed everything up to now. With the scenario and these acts, a
// page can replay the whole run.
func (s *Simulation) write(r *apiserver.Request) apiserver.Response {
	at := s.now + 1
	answer, wrote := s.world.Try(at, r)
	if wrote && r.Method != "DELETE" && s.world.Setup().Symbols.Bytes() > s.bounds.names {
		return apiserver.NoSpace()
	}
	if wrote {
		s.world.Insert(world.Control{AtNs: at, Kind: world.DoRequest, Request: r, Source: s.asked})
		s.asked++
		s.followed.add(at, r)
		s.written += int64(len(r.Body)) + int64(len(answer.Body))
		s.now = at
		s.runTo(at)
	}
	return answer
}

// Look prepares the frames of a watch.
func (s *Simulation) Look(now time.Time, w *apiserver.Watch) { s.mirror.Server.Look(now, w) }

// Revision is the resourceVersion of the newest write.
func (s *Simulation) Revision() int64 { return s.mirror.Server.Revision() }
