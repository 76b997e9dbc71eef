package world

import (
	"math/bits"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Compile turns a valid scenario into the simulator's terms.
func Compile(s scenario.Scenario) *Setup {
	r := scenario.Resolve(s)
	setup := &Setup{
		Symbols:    coordination.NewSymbols(),
		Seed:       r.Seed,
		Recorded:   r.Streams == scenario.StreamsRecorded,
		DurationNs: int64(r.Duration),
		Namespace:  r.Namespace,
		LeaseNames: []string{r.LeaseName},
		Lists:      r.PreferredStrategies,
		Intended:   r.NilHolder == scenario.NilHolderIntended,
		Capacity:   compileCapacity(r.Server),
	}
	for i := range r.APIServers { // by name before the candidates that talk to them
		setup.Servers = append(setup.Servers, Server{Node: Candidate{Name: r.APIServers[i].Name}})
	}
	for i := range r.Candidates {
		setup.Candidates = append(setup.Candidates, compileCandidate(setup, &r.Candidates[i]))
	}
	compileServers(setup, &r)
	setup.Heartbeats = compileHeartbeats(setup, r.Heartbeats)
	setup.Resource, setup.Bounds = compileResource(r.Resource), compileBounds(r.Bounds)
	for i := range r.Actions {
		setup.Controls = append(setup.Controls, CompileAction(setup, s, &r.Actions[i], int32(i))...)
	}
	return setup
}

func compileCandidate(setup *Setup, c *scenario.ResolvedCandidate) Candidate {
	seed := setup.Seed
	startNs := int64(c.StartAt)
	if c.StartJitterMax > 0 {
		stream := NamedStream(seed, "start", c.Name)
		share, _ := bits.Mul64(stream.Uint64(), uint64(c.StartJitterMax))
		startNs += int64(share)
	}
	one := Candidate{
		Name: c.Name, Identity: c.Identity, StartNs: startNs,
		LeaseDuration: c.LeaseDuration, RenewDeadline: c.RenewDeadline, RetryPeriod: c.RetryPeriod,
		RequestTimeoutNs: int64(c.RequestTimeout), ReleaseOnCancel: c.ReleaseOnCancel, Coordinated: c.Coordinated,
		RequestNs: int64(c.RequestLatency), ResponseNs: int64(c.ResponseLatency),
		OffsetNs: int64(c.ClockOffset), RatePpm: c.RatePpm,
		Restart:        map[string]RestartPolicy{scenario.RestartNew: NewElector, scenario.RestartSame: SameElector}[c.Restart],
		RestartAfterNs: int64(c.RestartAfter), WorkTailNs: int64(c.WorkTail), Draws: c.JitterDraws,
	}
	one.RequestDraw, one.ResponseDraw = compileDistribution(c.RequestDistribution), compileDistribution(c.ResponseDistribution)
	one.DeadPeerNs, one.ReadLagNs = int64(c.DeadPeerTime), int64(c.ReadLag)
	one.varies()
	one.Server, one.PingAckNs = serverNumber(setup, c.APIServer), int64(c.PingAckDelay)
	if c.BinaryVersion != "" {
		one.BinaryVersion, one.EmulationVersion = setup.Symbols.Intern(c.BinaryVersion), setup.Symbols.Intern(c.EmulationVersion)
		one.Strategy = setup.Symbols.Intern(c.Strategy)
	}
	one.Conduct = compileConduct(c)
	return one
}

// CompileAction turns one action, with defaults filled in, into what is done to the world; source is its number.
func CompileAction(setup *Setup, s scenario.Scenario, a *scenario.Action, source int32) []Control {
	c := Control{AtNs: int64(a.At), Source: source}
	switch a.Target {
	case "*":
		c.Target = Everybody
	case scenario.TargetHolder:
		c.Target = Holder
	default:
		c.TargetName = setup.Symbols.Intern(a.Target)
	}
	if a.For > 0 {
		c.UntilNs = int64(a.At + a.For)
	}
	over := c
	over.AtNs, over.UntilNs, over.Kind = c.UntilNs, 0, DoOver
	switch a.Act {
	case scenario.ActCrash:
		c.Kind = DoCrash
	case scenario.ActRestart:
		c.Kind = DoRestart
	case scenario.ActPause:
		c.Kind = DoPause
		over.Kind, over.Auto = DoResume, true
	case scenario.ActSuspend:
		c.Kind = DoSuspend
		over.Kind, over.Auto = DoResume, true
	case scenario.ActHang:
		c.Kind = DoHang
		over.Kind, over.Auto = DoResume, true
	case scenario.ActBurst:
		c.Kind, c.Count = DoBurst, int64(a.Count)
	case scenario.ActResume:
		c.Kind = DoResume
	case scenario.ActStop:
		c.Kind = DoStop
	case scenario.ActRemove:
		c.Kind = DoRemove
	case scenario.ActCut:
		c.Kind = DoCut
		c.Cut = Cut{Direction: directions[a.Direction], Refuse: a.Mode == scenario.ModeRefuse, Hold: holdModes[a.Mode], OldOnly: a.Mode == scenario.ModeConnection}
	case scenario.ActHeal:
		c.Kind = DoHeal
	case scenario.ActFail:
		c.Kind = DoFail
		c.Fault = Fault{Verb: verbs[a.Verb], Count: int32(a.Count), Kind: faults[a.Error], EveryNs: int64(a.Every), ForNs: int64(a.For)}
	case scenario.ActMend:
		c.Kind = DoMend
	case scenario.ActLatency:
		c.Kind = DoLatency
		c.Latency = Latency{Verb: verbs[a.Verb], RequestNs: -1, ResponseNs: -1, EveryNs: int64(a.Every), ForNs: int64(a.For)}
		c.Latency.RequestDraw, c.Latency.ResponseDraw = compileDistribution(a.RequestDistribution), compileDistribution(a.ResponseDistribution)
		if a.Request != nil {
			c.Latency.RequestNs = int64(*a.Request)
		}
		if a.Response != nil {
			c.Latency.ResponseNs = int64(*a.Response)
		}
	case scenario.ActClock:
		c.Kind = DoClock
		c.RatePpm = a.RatePpm
		if a.Offset != nil {
			c.OffsetNs, c.SetOffset = int64(*a.Offset), true
		}
		if a.Jump != nil {
			c.JumpNs = int64(*a.Jump)
		}
	case scenario.ActWrite:
		c.Kind = DoWrite
		c.Write = compileWrite(setup, a)
	case scenario.ActUpgrade:
		c.Kind = DoUpgrade
		c.Binary, c.Emulation = setup.Symbols.Intern(a.BinaryVersion), setup.Symbols.Intern(a.EmulationVersion)
	case scenario.ActRequest:
		c.Kind = DoRequest
		c.Request = CompileRequest(a)
	case scenario.ActAdd:
		return compileJoin(setup, s, a, source)
	case scenario.ActSet:
		c.Kind = DoSet
		c.SetElector, c.SetNetwork = a.Elector, a.Network
	case scenario.ActServer:
		c.Kind, c.Target = DoCapacity, Everybody
		c.Capacity = compileCapacity(a.Server)
	case scenario.ActRollback:
		c.Kind, c.Target, c.ToNs = DoRollback, Everybody, int64(*a.To)
	case scenario.ActCutResource:
		c.Kind = DoCutResource
	case scenario.ActHealResource:
		c.Kind = DoHealResource
	}
	if a.Every > 0 {
		c.UntilNs = 0 // to the end of the run
		return []Control{c}
	}
	if a.For == 0 {
		return []Control{c}
	}
	return []Control{c, over}
}

var directions = map[string]Direction{scenario.DirectionBoth: BothWays, scenario.DirectionUp: Up, scenario.DirectionDown: Down}

var verbs = map[string]elector.Verb{"": AnyVerb, "get": elector.Get, "create": elector.Create, "update": elector.Update, "reads": AnyRead, "writes": AnyWrite}

var holdModes = map[string]HoldMode{scenario.ModeHold: Held, scenario.ModeLate: HeldForAll}

var faults = map[string]FaultKind{
	"http429": Http429, "http500": Http500, "http503": Http503, "http504": Http504,
	"conflict": HttpConflict, "http504Applied": Http504Applied, "dropRequest": DropRequest,
	"dropResponse": DropResponse, "refused": RefuseConnection, "hang": Hang, scenario.ErrorStall: Stall,
}

func compileJoin(setup *Setup, s scenario.Scenario, a *scenario.Action, source int32) []Control {
	var joins []Control
	for _, c := range scenario.ResolveCandidate(s, *a.Candidate) {
		candidate := compileCandidate(setup, &c)
		joins = append(joins, Control{AtNs: int64(a.At) + candidate.StartNs, Kind: DoJoin, Candidate: &candidate, Source: source})
	}
	return joins
}

func compileWrite(setup *Setup, a *scenario.Action) Write {
	w := Write{
		Op:       map[string]WriteOp{scenario.OpPut: Put, scenario.OpPatch: Patch, scenario.OpDelete: Delete, scenario.OpTouch: Touch}[a.Op],
		RenewNow: a.RenewNow,
	}
	if a.Object == scenario.ObjectConfigMap {
		w.Lease = setup.configMap()
	}
	for _, field := range a.Clear {
		w.Clear |= specFields[field]
	}
	if a.Spec == nil {
		return w
	}
	spec, to := a.Spec, &w.Spec
	instant := func(d *scenario.Duration) coordination.MicroTime {
		return coordination.MicroTimeOf(EpochUnixNs + int64(time.Duration(*d)))
	}
	if spec.HolderIdentity != nil {
		to.HolderIdentity, to.Present = setup.Symbols.Intern(*spec.HolderIdentity), to.Present|coordination.HasHolderIdentity
	}
	if spec.LeaseDurationSeconds != nil {
		to.LeaseDurationSeconds, to.Present = *spec.LeaseDurationSeconds, to.Present|coordination.HasLeaseDurationSeconds
	}
	if spec.AcquireTime != nil {
		to.AcquireTime, to.Present = instant(spec.AcquireTime), to.Present|coordination.HasAcquireTime
	}
	if spec.RenewTime != nil {
		to.RenewTime, to.Present = instant(spec.RenewTime), to.Present|coordination.HasRenewTime
	}
	if spec.LeaseTransitions != nil {
		to.LeaseTransitions, to.Present = *spec.LeaseTransitions, to.Present|coordination.HasLeaseTransitions
	}
	if spec.Strategy != nil {
		to.Strategy, to.Present = setup.Symbols.Intern(*spec.Strategy), to.Present|coordination.HasStrategy
	}
	if spec.PreferredHolder != nil {
		to.PreferredHolder, to.Present = setup.Symbols.Intern(*spec.PreferredHolder), to.Present|coordination.HasPreferredHolder
	}
	return w
}

var specFields = map[string]coordination.Fields{
	"holderIdentity": coordination.HasHolderIdentity, "leaseDurationSeconds": coordination.HasLeaseDurationSeconds,
	"acquireTime": coordination.HasAcquireTime, "renewTime": coordination.HasRenewTime,
	"leaseTransitions": coordination.HasLeaseTransitions, "strategy": coordination.HasStrategy, "preferredHolder": coordination.HasPreferredHolder,
}

// controllerElection are the settings with which controllers elect among API servers.
// Source: kubernetes v1.36 cmd/kube-apiserver --coordinated-leadership-lease-duration and its companions.
var controllerElection = Candidate{
	Lease: controllerLease, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: true,
	RequestNs: controllerLatencyNs, ResponseNs: controllerLatencyNs, Restart: NewElector, RestartAfterNs: int64(2 * time.Second),
}

// compileServers gives the API servers their processes and the Lease on which their controllers elect.
func compileServers(setup *Setup, r *scenario.Resolved) {
	if len(r.APIServers) == 0 {
		return
	}
	setup.LeaseNames = append(setup.LeaseNames, "leader-election-controller")
	compileTerms(setup, &r.Controllers)
	for i := range r.APIServers {
		a := &r.APIServers[i]
		node := controllerElection
		node.Name, node.Identity, node.StartNs, node.RatePpm = a.Name, a.Name, int64(a.StartAt), trueRatePpm
		if a.Clock != nil {
			node.OffsetNs = int64(a.Clock.Offset)
			if a.Clock.RatePpm != 0 {
				node.RatePpm = a.Clock.RatePpm
			}
		}
		setup.Servers[i] = Server{
			Node: node, Version: setup.Symbols.Intern(a.Version), WatchLagNs: int64(a.WatchLag), RestartAfterNs: int64(a.RestartAfter),
		}
	}
}

// compileTerms takes over what the scenario says of the controllers' constants; 0 leaves them upstream's.
func compileTerms(setup *Setup, c *scenario.Controllers) {
	ns := func(d *scenario.Duration) int64 {
		if d == nil {
			return 0
		}
		return int64(*d)
	}
	setup.Terms = coordinator.Terms{
		ElectionNs: ns(c.ElectionDuration), RequeueNs: ns(c.Requeue), ValidNs: ns(c.CandidateValid), CollectEveryNs: ns(c.CollectEvery),
		DurationSeconds: int32(ns(c.LeaseDuration) / int64(time.Second)),
	}
	setup.RenewEveryNs, setup.PingSpaceNs = ns(c.CandidateRenew), int64(c.PingSpacing)
}

func serverNumber(setup *Setup, name string) int32 {
	for i := range setup.Servers {
		if setup.Servers[i].Node.Name == name {
			return int32(i)
		}
	}
	return 0
}
