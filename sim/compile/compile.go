// Package compile turns scenarios into the setups that the world runs.
//
// The problem: people write "retryPeriod: 2s" once for all candidates, "within: 2s" for an instant, and "for: 10s"
// for a cut. The world needs a flat form instead: each candidate with all its numbers, and a list of controls, each
// with one instant. Only this package translates from one form to the other.
//
//	scenario.Scenario                          world.Setup
//	  elector, network, process  ── fill in ──>  Candidates, each complete
//	  seed, within, startJitterMax ── draw ───>  instants in nanoseconds
//	  actions                    ── split ────>  Controls: where an act begins, where it ends
//	  names                      ── intern ───>  Symbols
//
// Scenario compiles a whole document, Action one act of a live run, and Seeds one document for many seeds. Refusal
// explains why an act is impossible now. Pin writes the drawn instants into the document. Durations become
// nanoseconds of virtual time, and rates become millionths.
//
// Guarantee: the same scenario gives the same setup, with every default and inherited value filled in. Each draw has
// a random stream with its own name, so an additional act does not change the instants of the others. Non-guarantee:
// it validates nothing. Get the scenario from scenario.Decode or Set, or call Validate first. Otherwise an unknown
// word may cause a panic or become a zero value.
package compile

import (
	"math/bits"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/fencing"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Scenario compiles a valid scenario into a setup. It does not change its argument.
//
// The order matters in two places. Servers get their names before the candidates, since a candidate refers to its
// server by name. And a rolling update needs Pin first: it replaces the candidates that exist at its instant, and
// which ones exist depends on the drawn instants of earlier acts.
func Scenario(s scenario.Scenario) *world.Setup {
	r := scenario.Resolve(s)
	setup := &world.Setup{
		Symbols:    coordination.NewSymbols(),
		Seed:       r.Seed,
		Recorded:   r.Streams == scenario.StreamsRecorded,
		DurationNs: int64(r.Duration),
		Namespace:  r.Namespace,
		LeaseNames: []string{r.LeaseName},
		Lists:      r.PreferredStrategies,
		Intended:   r.NilHolder == scenario.NilHolderIntended,
		Flaps:      r.Coordination.Ties == scenario.TiesFlap,
		Capacity:   capacity(r.Server),
		Bounds: world.Bounds{
			LeaderlessNs: int64(r.Bounds.Leaderless), RecoveryNs: int64(r.Bounds.Recovery),
			RequestsPerSecond: int64(r.Bounds.RequestsPerSecond),
		},
		Resource: resource(r.Resource),
	}
	for i := range r.APIServers { // servers get names first, because candidates refer to them by name
		setup.Servers = append(setup.Servers, world.Server{Node: world.Candidate{Name: r.APIServers[i].Name}})
	}
	for i := range r.Candidates {
		setup.Candidates = append(setup.Candidates, candidate(setup, &r.Candidates[i]))
	}
	servers(setup, &r)
	setup.Heartbeats = heartbeats(setup, r.Heartbeats)
	if slices.ContainsFunc(s.Actions, func(a scenario.Action) bool { return a.Act == scenario.ActRollingUpdate }) {
		s = Pin(s) // the act affects the candidates that exist at its instant
	}
	for i := range r.Actions {
		r.Actions[i].At = instant(&s, &r.Actions[i])
		setup.Controls = append(setup.Controls, Action(setup, s, &r.Actions[i], int32(i))...)
	}
	return setup
}

// instant returns when an act happens. An act with the field "within" draws its instant from the seed, evenly over [at,
// at+within). The name of the random stream consists of the act's contents, without its place in the list. So other
// acts do not affect the draw. The high word of a 128-bit product scales 64 random bits to the length without a float
// and without a visible bias.
func instant(s *scenario.Scenario, a *scenario.Action) scenario.Duration {
	if a.Within == 0 {
		return a.At
	}
	stream := random.NamedStream(s.Seed, "within", a.Act+" "+scenario.StreamOf(s, a.Target)+" "+a.At.String())
	share, _ := bits.Mul64(stream.Uint64(), uint64(a.Within))
	return a.At + scenario.Duration(share)
}

// Pin returns the scenario with the instants that its seed draws written out. The pinned scenario's run has the same
// hash. With another seed, its jitter differs, but its acts keep their instants.
func Pin(s scenario.Scenario) scenario.Scenario {
	s = s.Clone()
	for i := range s.Actions {
		a := &s.Actions[i]
		a.At, a.Within = instant(&s, a), 0
	}
	return s
}

// candidate compiles one process with its node. It goes from the most general to the most specific setting.
// ResolvedCandidate has already filled in everything inherited, so each field is final. A candidate with a
// binaryVersion also has a LeaseCandidate.
func candidate(setup *world.Setup, c *scenario.ResolvedCandidate) world.Candidate {
	one := world.Candidate{
		Name: c.Name, Stream: c.Stream, Identity: c.Identity, StartNs: startNs(setup.Seed, c),
		OffsetNs: int64(c.ClockOffset), RatePpm: c.RatePpm,
		Draws: c.JitterDraws,
		Process: process.Settings{Restart: restarts[c.Restart], RestartAfterNs: int64(c.RestartAfter),
			WorkTailNs: int64(c.WorkTail)},
		Server: serverNumber(setup, c.APIServer), PingAckNs: int64(c.PingAckDelay),
	}
	if c.BinaryVersion != "" {
		one.BinaryVersion, one.EmulationVersion = setup.Symbols.Intern(c.BinaryVersion),
			setup.Symbols.Intern(c.EmulationVersion)
		one.Strategy = setup.Symbols.Intern(c.Strategy)
	}
	setElector(&one, &c.Elector)
	setNetwork(&one, &c.Network)
	setProcess(&one.Process, &c.Process)
	setClient(&one.Client, &c.Client)
	return one
}

// startNs returns when a candidate starts. A candidate with startJitterMax draws its delay from the seed, from a stream
// with the candidate's name. So an additional candidate in the list does not change the delay.
func startNs(seed uint64, c *scenario.ResolvedCandidate) int64 {
	if c.StartJitterMax == 0 {
		return int64(c.StartAt)
	}
	stream := random.NamedStream(seed, "start", c.Stream)
	share, _ := bits.Mul64(stream.Uint64(), uint64(c.StartJitterMax))
	return int64(c.StartAt) + int64(share)
}

var restarts = map[string]process.RestartPolicy{
	scenario.RestartNever: process.Exit, scenario.RestartNew: process.NewElector,
	scenario.RestartSame: process.SameElector,
}

// servers compiles the processes of the API servers and the Lease on which their controllers elect. Without apiServers
// in the scenario, the world has one API server that always runs, and no controllers.
//
// The second Lease has upstream's name: kubernetes v1.36 uses the Lease "leader-election-controller" to elect the
// coordinated-election controller itself.
func servers(setup *world.Setup, r *scenario.Resolved) {
	if len(r.APIServers) == 0 {
		return
	}
	setup.LeaseNames = append(setup.LeaseNames, "leader-election-controller")
	terms(setup, &r.Controllers)
	for i := range r.APIServers {
		a := &r.APIServers[i]
		node := world.ControllerCandidate(a.Name)
		node.StartNs, node.Stream = int64(a.StartAt), a.Stream
		if a.Clock != nil {
			node.OffsetNs = int64(a.Clock.Offset)
			if a.Clock.RatePpm != 0 {
				node.RatePpm = a.Clock.RatePpm
			}
		}
		setup.Servers[i] = world.Server{
			Node: node, Version: setup.Symbols.Intern(a.Version), WatchLagNs: int64(a.WatchLag),
			RestartAfterNs: int64(a.RestartAfter),
		}
	}
}

// terms copies the controllers' timing constants that the scenario changes; 0 stands for the upstream value.
func terms(setup *world.Setup, c *scenario.Controllers) {
	ns := func(d *scenario.Duration) int64 {
		if d == nil {
			return 0
		}
		return int64(*d)
	}
	setup.Terms = coordinator.Terms{
		ElectionNs: ns(c.ElectionDuration), RequeueNs: ns(c.Requeue), ValidNs: ns(c.CandidateValid),
		CollectEveryNs:  ns(c.CollectEvery),
		DurationSeconds: int32(ns(c.LeaseDuration) / int64(time.Second)),
	}
	setup.RenewEveryNs, setup.PingSpaceNs = ns(c.CandidateRenew), int64(c.PingSpacing)
}

// serverNumber returns the index of an API server, or 0 for an unknown name.
func serverNumber(setup *world.Setup, name string) int32 {
	for i := range setup.Servers {
		if setup.Servers[i].Node.Name == name {
			return int32(i)
		}
	}
	return 0
}

// heartbeats compiles the kubelets and the node monitors. It returns nil if the scenario has none.
func heartbeats(setup *world.Setup, r *scenario.ResolvedHeartbeats) *world.Heartbeats {
	if r == nil {
		return nil
	}
	h := &world.Heartbeats{IntervalNs: int64(r.Interval), TimeoutNs: int64(r.Timeout), GraceNs: int64(r.Grace),
		EvaluateNs: int64(r.EvaluateEvery)}
	for i := range r.Nodes {
		h.Nodes = append(h.Nodes, candidate(setup, &r.Nodes[i]))
	}
	for i := range r.Monitors {
		h.Monitors = append(h.Monitors, candidate(setup, &r.Monitors[i]))
		h.WatchLagNs = append(h.WatchLagNs, int64(r.WatchLags[i]))
	}
	return h
}

// resource compiles the resource that leaders write to. If the scenario has none, it returns the zero value: its
// WriteEvery of 0 means that nobody writes.
func resource(r scenario.Resource) fencing.Settings {
	return fencing.Settings{Fence: fences[r.Fence], CleanUp: cleanUps[r.CleanUp], WriteEveryNs: int64(r.WriteEvery),
		LatencyNs: int64(r.Latency)}
}

var fences = map[string]fencing.Fence{scenario.FenceLeaseTransitions: fencing.TransitionsFence,
	scenario.FenceResourceVersion: fencing.VersionFence}

var cleanUps = map[string]fencing.CleanUp{scenario.CleanUpWorks: fencing.CleanUpWorks,
	scenario.CleanUpFails: fencing.CleanUpFails}
