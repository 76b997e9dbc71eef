package serve

import (
	"time"

	"github.com/benbjohnson/clock"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/run/pacer"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// mirrored is how many versions of the Lease a watch can go back to.
const mirrored = 10_000

// bounds are what a simulation that is served for days may keep of its past. It is forgotten once so many bytes were
// written, or once there are so many versions more than after the last time. Names, of holders say, are never forgotten:
// when they take too much, writes are refused.
type bounds struct {
	bytes    int64
	versions int
	names    int64
}

var served = bounds{bytes: 64 << 20, versions: 20_000, names: 64 << 20}

// Simulation is a running simulation as a Backend: its candidates go on electing while clients read, watch and write.
// What clients write happens to the simulated world. It is used by one caller at a time, as Handler does.
type Simulation struct {
	world  *world.World
	mirror *world.Mirror
	pacer  *pacer.Pacer
	ppm    int64
	now    int64
	asked  int32

	bounds   bounds
	written  int64 // bytes, since the last forgetting
	versions int   // kept after it
}

// NewSimulation starts a run at instant 0; speed is virtual seconds per second, in millionths; quota is how much memory the
// objects may take, 0: any.
func NewSimulation(setup *world.Setup, c clock.Clock, speedPpm, quota int64) *Simulation {
	setup.ConfigureAPI = func(config *apiserver.Config) {
		Native(config)
		config.Quota, config.ObjectBytes, config.KeptEvents = quota, ObjectBytes, mirrored
	}
	w := world.New(setup)
	return &Simulation{world: w, mirror: w.NewMirror(mirrored), pacer: pacer.New(c), ppm: speedPpm, bounds: served}
}

// Advance runs the world up to where the wall clock says it is.
func (s *Simulation) Advance() {
	s.now = s.pacer.Advance(s.now, func(int64) (int64, int64) { return s.ppm, 1 << 62 })
	s.runTo(s.now)
}

func (s *Simulation) runTo(ns int64) {
	s.world.Run(ns, func([]trace.Record) {})
	if !s.mirror.Follows(s.world) { // watches of the old one have nothing more to say
		s.mirror = s.world.NewMirror(mirrored)
	}
	s.mirror.Follow(s.world)
	s.forget()
}

// forget keeps a run that goes on for ever from growing for ever.
func (s *Simulation) forget() {
	s.world.ForgetDone()
	if s.written < s.bounds.bytes && s.world.Store().Remembered() < s.versions+s.bounds.versions {
		return
	}
	s.mirror.Forget(s.world)
	s.written, s.versions = 0, s.world.Store().Remembered()
}

// Handle answers a request. Reads see the present; a write that stores something is done to the world.
func (s *Simulation) Handle(now time.Time, r *apiserver.Request) apiserver.Response {
	s.Advance()
	switch r.Method {
	case "POST", "PUT", "PATCH", "DELETE":
		return s.write(r)
	}
	if !r.Watches() {
		now = world.Clock(s.now) // ages are those of the simulation
	}
	return s.mirror.Server.Handle(now, r)
}

func (s *Simulation) write(r *apiserver.Request) apiserver.Response {
	at := s.now + 1
	answer, wrote := s.world.Try(at, r)
	if wrote && r.Method != "DELETE" && s.world.Setup().Symbols.Bytes() > s.bounds.names {
		return apiserver.NoSpace()
	}
	if wrote {
		s.world.Insert(world.Control{AtNs: at, Kind: world.DoRequest, Request: r, Source: s.asked})
		s.asked++
		s.written += int64(len(r.Body)) + int64(len(answer.Body))
		s.now = at
		s.runTo(at)
	}
	return answer
}

// Poll returns the frames of a watch.
func (s *Simulation) Poll(now time.Time, w *apiserver.Watch) ([][]byte, bool) {
	return s.mirror.Server.Poll(now, w)
}

// NextDeadline is when a watch has something to say by itself.
func (s *Simulation) NextDeadline(w *apiserver.Watch) time.Time {
	return s.mirror.Server.NextDeadline(w)
}

// Revision is the resourceVersion of the newest write.
func (s *Simulation) Revision() int64 { return s.mirror.Server.Revision() }
