// Package elector runs a recorded schedule of client-go's real elector on our engine and prints the run in the format
// of the recording, so that a test can compare the two event by event.
//
// Guarantee: the run depends only on the schedule, not on the recorded events, so every difference shows.
// Non-guarantee: the package follows two conventions of the recorder that the engine does not have. A pause takes
// effect at freeze points, and under a scaled clock, a renewDeadline within 64 ns of a tick moves to 1 ns before the
// tick.
package elector

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Schedule is the input of a recorded run. Times are virtual nanoseconds since 2000-01-01T00:00:00Z.
type Schedule struct {
	Name       string      `json:"name"`
	DurationNs int64       `json:"durationNs"`
	JitterSeed uint64      `json:"jitterSeed"`
	Candidates []candidate `json:"candidates"`
	Latencies  []latency   `json:"latencies"`
	Faults     []fault     `json:"faults"`
	Partitions []partition `json:"partitions"`
	Pauses     []span      `json:"pauses"`
	Crashes    []instant   `json:"crashes"`
	Stops      []instant   `json:"stops"`
	Writes     []write     `json:"writes"`
	Probes     []probe     `json:"probes"`
}

type candidate struct {
	Name            string    `json:"name"`
	Identity        string    `json:"identity"`
	Lease           string    `json:"lease"`
	StartNs         int64     `json:"startNs"`
	LeaseDurationNs int64     `json:"leaseDurationNs"`
	RenewDeadlineNs int64     `json:"renewDeadlineNs"`
	RetryPeriodNs   int64     `json:"retryPeriodNs"`
	ClientTimeoutNs int64     `json:"clientTimeoutNs"`
	ReleaseOnCancel bool      `json:"releaseOnCancel"`
	Coordinated     bool      `json:"coordinated"`
	ReqLatencyNs    int64     `json:"reqLatencyNs"`
	RespLatencyNs   int64     `json:"respLatencyNs"`
	ClockOffsetNs   int64     `json:"clockOffsetNs"`
	ClockRatePpm    int64     `json:"clockRatePpm"`
	JitterDraws     []float64 `json:"jitterDraws"`
	Restart         string    `json:"restart"`
	RestartAfterNs  int64     `json:"restartAfterNs"`
	WorkTailNs      int64     `json:"workTailNs"`
}

type latency struct {
	Cand   string `json:"cand"`
	FromNs int64  `json:"fromNs"`
	ToNs   int64  `json:"toNs"`
	Verb   string `json:"verb"`
	Nth    int32  `json:"nth"`
	ReqNs  int64  `json:"reqNs"`
	RespNs int64  `json:"respNs"`
}

type fault struct {
	Cand   string `json:"cand"`
	FromNs int64  `json:"fromNs"`
	ToNs   int64  `json:"toNs"`
	Verb   string `json:"verb"`
	Nth    int32  `json:"nth"`
	Count  int32  `json:"count"`
	Kind   string `json:"kind"`
}

type partition struct {
	Cand   string `json:"cand"`
	FromNs int64  `json:"fromNs"`
	ToNs   int64  `json:"toNs"`
	Dir    string `json:"dir"`
	Mode   string `json:"mode"`
}

type span struct {
	Cand   string `json:"cand"`
	FromNs int64  `json:"fromNs"`
	ToNs   int64  `json:"toNs"`
}

type instant struct {
	Cand string `json:"cand"`
	AtNs int64  `json:"atNs"`
}

type write struct {
	AtNs     int64    `json:"atNs"`
	Op       string   `json:"op"`
	Lease    string   `json:"lease"`
	Spec     *record  `json:"spec"`
	Clear    []string `json:"clear"`
	RenewNow bool     `json:"renewNow"`
	BumpOnly bool     `json:"bumpOnly"`
}

type probe struct {
	AtNs        int64  `json:"atNs"`
	Cand        string `json:"cand"`
	ToleranceNs int64  `json:"toleranceNs"`
}

// Parse parses a schedule, or the schedule of a trace, and returns it with its JSON.
func Parse(data []byte) (Schedule, json.RawMessage, error) {
	var file struct {
		Schedule json.RawMessage `json:"schedule"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return Schedule{}, nil, fmt.Errorf("neither a schedule nor a trace: %w", err)
	}
	raw := json.RawMessage(data)
	if file.Schedule != nil {
		raw = file.Schedule
	}
	var s Schedule
	if err := json.Unmarshal(raw, &s); err != nil {
		return Schedule{}, nil, fmt.Errorf("schedule: %w", err)
	}
	if len(s.Candidates) == 0 || s.DurationNs <= 0 {
		return Schedule{}, nil, fmt.Errorf("schedule %q: it needs candidates and a durationNs above 0", s.Name)
	}
	return s, raw, nil
}

// builder maps names to indices while it builds a setup, and keeps its first error.
type builder struct {
	setup      *world.Setup
	candidates map[string]int32
	leases     map[string]int32
	err        error
}

func (b *builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

func (b *builder) target(name string) int32 {
	if name == "*" {
		return world.Everybody
	}
	i, ok := b.candidates[name]
	if !ok {
		b.fail("no candidate is named %q", name)
	}
	return i
}

func (b *builder) lease(name string) int32 {
	i, ok := b.leases[name]
	if !ok {
		i = int32(len(b.setup.LeaseNames))
		b.leases[name] = i
		b.setup.LeaseNames = append(b.setup.LeaseNames, name)
	}
	return i
}

func (b *builder) verb(name string) network.Verb {
	switch name {
	case "":
		return network.AnyVerb
	case "get":
		return network.Get
	case "create":
		return network.Create
	case "update":
		return network.Update
	}
	b.fail("unknown verb %q", name)
	return network.AnyVerb
}

// Setup returns the schedule as a setup of the simulator.
func (s *Schedule) Setup() (*world.Setup, error) {
	b := builder{
		setup: &world.Setup{
			Symbols: coordination.NewSymbols(), Seed: s.JitterSeed, Recorded: true, DurationNs: s.DurationNs,
			FreezePoints: true,
		},
		candidates: map[string]int32{}, leases: map[string]int32{},
	}
	for i, c := range s.Candidates {
		b.candidates[c.Name] = int32(i)
		b.setup.Candidates = append(b.setup.Candidates, b.candidate(&c))
	}
	for _, l := range s.Latencies {
		b.setup.Latencies = append(b.setup.Latencies, network.Latency{
			Client: b.target(l.Cand), FromNs: l.FromNs, UntilNs: l.ToNs, Verb: b.verb(l.Verb), Nth: l.Nth,
			RequestNs: l.ReqNs, ResponseNs: l.RespNs,
		})
	}
	for _, f := range s.Faults {
		kind, ok := faultKinds[f.Kind]
		if !ok {
			b.fail("unknown fault %q", f.Kind)
		}
		b.setup.Faults = append(b.setup.Faults, network.Fault{
			Client: b.target(f.Cand), FromNs: f.FromNs, UntilNs: f.ToNs, Verb: b.verb(f.Verb), Nth: f.Nth,
			Count: f.Count, Kind: kind,
		})
	}
	for _, p := range s.Partitions {
		b.setup.Cuts = append(b.setup.Cuts, network.Cut{
			Client: b.target(p.Cand), FromNs: p.FromNs, UntilNs: p.ToNs, Direction: directions[p.Dir],
			Refuse: p.Mode == "refuse",
		})
	}
	b.controls(s)
	return b.setup, b.err
}

var directions = map[string]network.Direction{"": network.BothWays, "both": network.BothWays, "up": network.Up,
	"down": network.Down}

var faultKinds = map[string]network.FaultKind{
	"http500": network.Http500, "http503": network.Http503, "http429": network.Http429, "http504": network.Http504,
	"conflict": network.HttpConflict, "http504_applied": network.Http504Applied, "drop_request": network.DropRequest,
	"drop_response": network.DropResponse, "conn_refused": network.RefuseConnection,
}

var restarts = map[string]process.RestartPolicy{"": process.Exit, "new": process.NewElector,
	"same": process.SameElector}

func (b *builder) candidate(c *candidate) world.Candidate {
	w := world.Candidate{
		Name: c.Name, Identity: c.Identity, Lease: b.lease(c.Lease), StartNs: c.StartNs,
		Config: elector.Config{
			LeaseDuration: time.Duration(c.LeaseDurationNs), RenewDeadline: time.Duration(c.RenewDeadlineNs),
			RetryPeriod:     time.Duration(c.RetryPeriodNs),
			ReleaseOnCancel: c.ReleaseOnCancel, Coordinated: c.Coordinated,
		},
		RequestTimeoutNs: c.ClientTimeoutNs,
		RequestNs:        c.ReqLatencyNs, ResponseNs: c.RespLatencyNs, OffsetNs: c.ClockOffsetNs,
		RatePpm: c.ClockRatePpm,
		Draws:   c.JitterDraws,
		Process: process.Settings{Restart: restarts[c.Restart], RestartAfterNs: c.RestartAfterNs,
			WorkTailNs: c.WorkTailNs},
	}
	if c.ClockRatePpm != 0 && c.ClockRatePpm != 1_000_000 {
		w.RetryPeriodTimerNs, w.RenewDeadlineTimerNs = scaledTimers(c)
	}
	return w
}

// scaledTimers applies the recorder's rule: it divides both durations by the rate, and moves a deadline within 64 ns
// of a tick to 1 ns before the tick, because the recorder could not break that tie as the real library does.
func scaledTimers(c *candidate) (retryNs, deadlineNs int64) {
	divide := func(ns int64) int64 { return (ns*1_000_000 + c.ClockRatePpm/2) / c.ClockRatePpm }
	retryNs, deadlineNs = divide(c.RetryPeriodNs), divide(c.RenewDeadlineNs)
	tick := (deadlineNs + retryNs/2) / retryNs * retryNs
	if deadlineNs-tick <= 64 && tick-deadlineNs <= 64 {
		deadlineNs = tick - 1
	}
	return retryNs, deadlineNs
}

// controls adds the schedule's acts, in the order of its lists.
func (b *builder) controls(s *Schedule) {
	add := func(c world.Control) {
		c.Source = -1
		b.setup.Controls = append(b.setup.Controls, c)
	}
	for _, p := range s.Pauses {
		add(world.Control{AtNs: p.FromNs, Kind: world.DoPause, Target: b.target(p.Cand), UntilNs: p.ToNs})
		add(world.Control{AtNs: p.ToNs, Kind: world.DoResume, Target: b.target(p.Cand)})
	}
	for _, c := range s.Crashes {
		add(world.Control{AtNs: c.AtNs, Kind: world.DoCrash, Target: b.target(c.Cand)})
	}
	for _, c := range s.Stops {
		add(world.Control{AtNs: c.AtNs, Kind: world.DoStop, Target: b.target(c.Cand)})
	}
	for _, w := range s.Writes {
		add(world.Control{AtNs: w.AtNs, Kind: world.DoWrite, Write: b.write(&w)})
	}
	for _, p := range s.Probes {
		add(world.Control{AtNs: p.AtNs, Kind: world.DoProbe, Target: b.target(p.Cand), ToleranceNs: p.ToleranceNs})
	}
}

func (b *builder) write(w *write) *world.Write {
	a := &world.Write{Lease: b.lease(w.Lease), RenewNow: w.RenewNow, Always: true}
	switch {
	case w.Op == "delete":
		a.Op = trace.Delete
	case w.BumpOnly:
		a.Op = trace.Touch
	case w.Op == "patch":
		a.Op = trace.Patch
	case w.Op == "put":
		a.Op = trace.Put
	default:
		b.fail("unknown op %q", w.Op)
	}
	if w.Spec != nil {
		a.Spec = w.Spec.value(b.setup.Symbols)
	}
	for _, name := range w.Clear {
		field, ok := clearable[name]
		if !ok {
			b.fail("unknown field %q in clear", name)
		}
		a.Clear |= field
	}
	return a
}

var clearable = map[string]coordination.Fields{
	"holder": coordination.HasHolderIdentity, "durS": coordination.HasLeaseDurationSeconds,
	"acquire": coordination.HasAcquireTime,
	"renew":   coordination.HasRenewTime, "transitions": coordination.HasLeaseTransitions,
	"strategy":  coordination.HasStrategy,
	"preferred": coordination.HasPreferredHolder,
}
