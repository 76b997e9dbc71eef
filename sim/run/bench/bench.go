// Package bench measures the simulator with its checkers on. Its figures depend on the machine and its load: compare
// only figures of one run.
package bench

import (
	"fmt"
	"runtime"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/world"
)

// Case is one measurement.
type Case struct {
	Candidates int
	Scenario   string // "fault-free", or "failover-60s": the holder crashes every 60 s and is back 20 s later
}

// Result is the outcome of a case.
type Result struct {
	Candidates            int     `json:"candidates"`
	Scenario              string  `json:"scenario"`
	RequestsPerSecond     float64 `json:"requestsPerSecond"`
	VirtualHoursPerSecond float64 `json:"virtualHoursPerSecond"`
	NsPerEvent            float64 `json:"nsPerEvent"`     // an event is one trace record
	HeapNsPerEvent        float64 `json:"heapNsPerEvent"` // an event of the bare heap, measured in turns with the case
	BytesPerRequest       float64 `json:"bytesPerRequest"`
	AllocsPerRequest      float64 `json:"allocsPerRequest"`
}

// Cases returns 3, 100 and 10,000 candidates, each without faults and with a failover every minute.
func Cases() []Case {
	var all []Case
	for _, scenario := range []string{"fault-free", "failover-60s"} {
		for _, n := range []int{3, 100, 10_000} {
			all = append(all, Case{Candidates: n, Scenario: scenario})
		}
	}
	return all
}

const (
	hour   = int64(time.Hour)
	minute = int64(time.Minute)
	// turn is how long a case runs before it is the heap's turn, in wall time.
	turn = 20 * time.Millisecond
	// warmUps of them are not measured: a browser compiles a module again while it runs, and the stores of a run grow
	// to their size.
	warmUps = 25
)

// Run runs a case for one virtual hour, and for further minutes until atLeast of wall time has passed. The case and the
// bare heap take turns, so that other load on the machine slows both alike.
func Run(c Case, atLeast time.Duration) Result {
	setup := setup(c)
	r, heap := run.New(setup, run.Watchers{}), newBareHeap()
	virtual := int64(0)
	takeTurn := func() (ofCase, ofHeap time.Duration) {
		for start := time.Now(); ofCase < turn && virtual < setup.DurationNs; ofCase = time.Since(start) {
			virtual += minute
			for r.Step(virtual, nil) {
			}
		}
		return ofCase, heap.turn()
	}
	for range warmUps {
		takeTurn()
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	counts, from := r.World.Counts(), virtual
	var wall, ofHeap time.Duration
	heapEvents := 0
	for (virtual-from < hour || wall < atLeast) && virtual < setup.DurationNs {
		a, b := takeTurn()
		wall, ofHeap, heapEvents = wall+a, ofHeap+b, heapEvents+heapTurn
	}
	runtime.ReadMemStats(&after)
	requests, events := float64(r.World.Counts().Requests-counts.Requests),
		float64(r.World.Counts().Records-counts.Records)
	return Result{
		Candidates: c.Candidates, Scenario: c.Scenario,
		RequestsPerSecond:     requests / wall.Seconds(),
		VirtualHoursPerSecond: float64(virtual-from) / float64(hour) / wall.Seconds(),
		NsPerEvent:            float64(wall.Nanoseconds()) / events,
		HeapNsPerEvent:        float64(ofHeap.Nanoseconds()) / float64(heapEvents),
		BytesPerRequest:       float64(after.TotalAlloc-before.TotalAlloc) / requests,
		AllocsPerRequest:      float64(after.Mallocs-before.Mallocs) / requests,
	}
}

// setup has client-go's defaults, starts within two seconds, and 10 ms of latency in each direction.
func setup(c Case) *world.Setup {
	s := &world.Setup{Symbols: coordination.NewSymbols(), Seed: 1, DurationNs: 2000 * hour,
		LeaseNames: []string{"demo"}}
	for i := range c.Candidates {
		name := fmt.Sprintf("n-%d", i)
		s.Candidates = append(s.Candidates, world.Candidate{
			Name: name, Identity: name, StartNs: int64(i) * int64(2*time.Second) / int64(c.Candidates),
			Config: elector.Config{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
				RetryPeriod: 2 * time.Second},
			RequestTimeoutNs: int64(5 * time.Second), RequestNs: 10e6, ResponseNs: 10e6,
		})
	}
	if c.Scenario != "failover-60s" {
		return s
	}
	for at := int64(time.Minute); at < s.DurationNs; at += int64(time.Minute) {
		s.Controls = append(s.Controls,
			world.Control{AtNs: at, Kind: world.DoCrash, Target: world.Holder, Source: -1},
			world.Control{AtNs: at + int64(20*time.Second), Kind: world.DoRestart, Auto: true, Source: -1})
	}
	return s
}
