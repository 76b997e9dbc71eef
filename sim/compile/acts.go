package compile

import (
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// entry says what one act does to the world. Most acts become one control. An act with a duration becomes two
// controls: the second ends what the first began.
type entry struct {
	does world.ControlKind
	// what the act does to its nodes when it ends; with the zero value, it ends the rule that it began
	ends world.ControlKind
	// copies the act's own fields; nil if it has only a target
	fill func(setup *world.Setup, a *scenario.Action, c *world.Control)
}

// entries covers every act of the format except two: add becomes a control for each replica, and rollingUpdate stands
// for other acts or is a control that decides about them during the run.
var entries = map[string]entry{
	scenario.ActCrash:   {does: world.DoCrash, ends: world.DoRestart},
	scenario.ActRestart: {does: world.DoRestart},
	scenario.ActPause:   {does: world.DoPause, ends: world.DoResume},
	scenario.ActSuspend: {does: world.DoSuspend, ends: world.DoResume},
	scenario.ActHang:    {does: world.DoHang, ends: world.DoResume},
	scenario.ActResume:  {does: world.DoResume},
	scenario.ActStop:    {does: world.DoStop},
	scenario.ActRemove:  {does: world.DoRemove},
	scenario.ActBurst:   {does: world.DoBurst, fill: burst},
	scenario.ActCut:     {does: world.DoCut, fill: cut},
	scenario.ActHeal:    {does: world.DoHeal},
	scenario.ActFail:    {does: world.DoFail, fill: fail},
	scenario.ActRecover: {does: world.DoRecover},
	scenario.ActLatency: {does: world.DoLatency, fill: latency},
	scenario.ActClock:   {does: world.DoClock, fill: clock},
	scenario.ActWrite: {does: world.DoWrite,
		fill: func(setup *world.Setup, a *scenario.Action, c *world.Control) { w := write(setup, a); c.Write = &w }},
	scenario.ActRequest: {does: world.DoRequest,
		fill: func(_ *world.Setup, a *scenario.Action, c *world.Control) { c.Request = Request(a) }},
	scenario.ActUpgrade:      {does: world.DoUpgrade, fill: upgrade},
	scenario.ActSet:          {does: world.DoSet, fill: set},
	scenario.ActServer:       {does: world.DoCapacity, fill: server},
	scenario.ActRollback:     {does: world.DoRollback, fill: rollback},
	scenario.ActCutResource:  {does: world.DoCutResource},
	scenario.ActHealResource: {does: world.DoHealResource},
	scenario.ActIntercept:    {does: world.DoIntercept, fill: intercept},
	scenario.ActDeliver:      {does: world.DoDeliver, fill: deliver},
}

// Action turns one act, with its defaults filled in, into controls of the world. The argument source is the act's
// number. The scenario contains the acts before it.
//
// How an act ends depends on the act. A crash "for 10s" ends with a restart, and a pause ends with a resume. Both are
// automatic controls, which end only what this act began. So if a user resumes the node and pauses it again in the
// meantime, the later pause stays in effect. A cut or a fault is a rule of the network with its own end (UntilNs), so
// DoOver only records that the rule is over. If an act has the field "every", its "for" is the length of each
// repetition, and nothing ends the repetitions. If it has the field "grace", the first stop only asks processes to end.
// After the grace period, a second stop ends the processes that still run.
func Action(setup *world.Setup, s scenario.Scenario, a *scenario.Action, source int32) []world.Control {
	switch a.Act {
	case scenario.ActAdd:
		return joins(setup, s, a, source)
	case scenario.ActRollingUpdate:
		if a.Readiness == scenario.ReadinessLeader {
			return []world.Control{rollout(setup, s, a, source)}
		}
		var all []world.Control
		for _, part := range scenario.Parts(s, a) {
			all = append(all, Action(setup, s, &part.Action, source)...)
		}
		return all
	}
	entry, known := entries[a.Act]
	if !known {
		panic("the act " + a.Act + " has no entry in package compile")
	}
	c := world.Control{AtNs: int64(a.At), Kind: entry.does, Source: source}
	switch a.Target {
	case scenario.TargetEverybody:
		c.Target = world.Everybody
	case scenario.TargetHolder:
		c.Target = world.Holder
	default:
		c.TargetName = setup.Symbols.Intern(a.Target)
	}
	lasts := a.For > 0 && a.Every == 0 // an act with every repeats until the run ends
	end := c
	end.AtNs, end.Kind = int64(a.At+a.For), world.DoOver
	if entry.ends != world.DoStart {
		end.Kind, end.Auto = entry.ends, true
	}
	if lasts {
		c.UntilNs = end.AtNs
	}
	if entry.fill != nil {
		entry.fill(setup, a, &c)
	}
	if a.Probability != nil {
		setDraws(&c, a, scenario.StreamOf(&s, a.Target))
	}
	if a.Grace > 0 {
		end.AtNs, end.Kind, end.Auto = int64(a.At+a.Grace), entry.does, true
		return []world.Control{c, end}
	}
	if !lasts {
		return []world.Control{c}
	}
	return []world.Control{c, end}
}

func burst(_ *world.Setup, a *scenario.Action, c *world.Control) { c.Count = int64(a.Count) }

func cut(_ *world.Setup, a *scenario.Action, c *world.Control) {
	c.Cut = &network.Cut{
		Direction: directions[a.Direction], Refuse: a.Mode == scenario.ModeRefuse, Hold: holdModes[a.Mode],
		OldOnly: a.Mode == scenario.ModeConnection,
	}
}

func fail(_ *world.Setup, a *scenario.Action, c *world.Control) {
	c.Fault = &network.Fault{Verb: verbs[a.Verb], Resource: resources[a.Resource], Count: int32(a.Count),
		Kind: faults[a.Error], EveryNs: int64(a.Every), ForNs: int64(a.For)}
	if a.RetryAfter != nil {
		c.Fault.After = network.After(int64(*a.RetryAfter) / 1e9)
	}
}

// setDraws names the random stream of an act with a probability. The name depends on the act's contents and on the
// name that seeds its target's draws, so other acts do not change its draws. If two acts have the same contents, the
// network still gives each its own stream.
//
// The seed is 0 here on purpose: the world mixes in the run's seed, so that Seeds can share compiled acts.
func setDraws(c *world.Control, a *scenario.Action, target string) {
	stream := random.NamedStream(0, "probability",
		strings.Join([]string{a.Act, target, a.At.String(), a.Error, a.Verb, a.Resource, a.Direction, a.Mode}, " "))
	draws := network.Draws{Chance: network.ChanceOf(*a.Probability), Stream: stream.Uint64()}
	if c.Cut != nil {
		c.Cut.Draws = draws
	} else {
		c.Fault.Draws = draws
	}
}

func latency(_ *world.Setup, a *scenario.Action, c *world.Control) {
	c.Latency = &network.Latency{
		Verb: verbs[a.Verb], Resource: resources[a.Resource], RequestNs: -1, ResponseNs: -1, EveryNs: int64(a.Every),
		ForNs:       int64(a.For),
		RequestDraw: distribution(a.RequestDistribution), ResponseDraw: distribution(a.ResponseDistribution),
	}
	nanoseconds(&c.Latency.RequestNs, a.Request)
	nanoseconds(&c.Latency.ResponseNs, a.Response)
}

func clock(_ *world.Setup, a *scenario.Action, c *world.Control) {
	c.RatePpm, c.SetOffset = a.RatePpm, a.Offset != nil
	nanoseconds(&c.OffsetNs, a.Offset)
	nanoseconds(&c.JumpNs, a.Jump)
}

func upgrade(setup *world.Setup, a *scenario.Action, c *world.Control) {
	c.Binary, c.Emulation = setup.Symbols.Intern(a.BinaryVersion), setup.Symbols.Intern(a.EmulationVersion)
}

func set(_ *world.Setup, a *scenario.Action, c *world.Control) {
	c.Change = change{a.Elector, a.Network}
}

func server(_ *world.Setup, a *scenario.Action, c *world.Control) {
	to := capacity(a.Server)
	c.Target, c.Capacity = world.Everybody, &to
}

func rollback(_ *world.Setup, a *scenario.Action, c *world.Control) {
	c.Target, c.ToNs = world.Everybody, int64(*a.To)
}

func intercept(_ *world.Setup, a *scenario.Action, c *world.Control) {
	c.Effect, c.Sender, c.Nth = effects[a.Effect], senders[a.Message], int32(a.Nth)
}

func deliver(_ *world.Setup, a *scenario.Action, c *world.Control) {
	c.Sender, c.Nth = senders[a.Message], int32(a.Nth)
	if a.Message == "" && a.Nth == 0 {
		c.Sender = network.AnySender
	}
}

// joins adds a candidate for each replica of an add act. A startAt in the added candidate counts from the act.
func joins(setup *world.Setup, s scenario.Scenario, a *scenario.Action, source int32) []world.Control {
	var joins []world.Control
	for _, c := range scenario.ResolveCandidate(s, *a.Candidate) {
		candidate := candidate(setup, &c)
		joins = append(joins, world.Control{AtNs: int64(a.At) + candidate.StartNs, Kind: world.DoJoin,
			Candidate: &candidate, Source: source})
	}
	return joins
}

// rollout hands a rolling update to the world, because only the run shows which pod is ready. The plan lists the pods.
func rollout(setup *world.Setup, s scenario.Scenario, a *scenario.Action, source int32) world.Control {
	hook, grace := a.Shutdown()
	r := &world.Rollout{EveryNs: int64(max(a.Every, scenario.Duration(time.Second))), HookNs: int64(hook),
		GraceNs: int64(grace)}
	for _, part := range scenario.Parts(s, a) {
		if part.Candidate == nil {
			r.Old = append(r.Old, setup.Symbols.Intern(part.Target))
			continue
		}
		for _, c := range scenario.ResolveCandidate(s, *part.Candidate) {
			r.New = append(r.New, candidate(setup, &c))
		}
	}
	r.Strategy = a.Strategy(len(r.Old))
	return world.Control{AtNs: int64(a.At), Kind: world.DoRollout, Target: world.Everybody, Rollout: r, Source: source}
}

var directions = map[string]network.Direction{scenario.DirectionBoth: network.BothWays,
	scenario.DirectionUp: network.Up, scenario.DirectionDown: network.Down}

var resources = map[string]network.Resource{
	scenario.ResourceLeases: world.Leases, scenario.ResourceLeaseCandidates: world.LeaseCandidates,
	scenario.ResourceConfigMaps: world.ConfigMaps,
}

var verbs = map[string]network.Verb{
	"": network.AnyVerb, "get": network.Get, "create": network.Create, "update": network.Update,
	"reads": network.AnyRead, "writes": network.AnyWrite,
}

var holdModes = map[string]network.HoldMode{scenario.ModeHold: network.Hold, scenario.ModeLate: network.HoldForAll}

var effects = map[string]network.Effect{
	scenario.EffectDrop: network.LoseMessage, scenario.EffectDropResponse: network.LoseAnswer,
	scenario.EffectHold: network.HoldMessage, scenario.EffectLate: network.HoldMessageForAll,
}

var senders = map[string]network.Sender{
	scenario.MessageElector: network.Elector, scenario.MessageLeaseCandidate: network.LeaseCandidate,
	scenario.MessageController: network.Controller,
	scenario.MessageHeartbeat:  network.Kubelet, scenario.MessageResource: network.ResourceWriter,
}

var faults = map[string]network.FaultKind{
	"http429": network.Http429, "http500": network.Http500, "http503": network.Http503, "http504": network.Http504,
	"conflict": network.HttpConflict, "http504Applied": network.Http504Applied, "dropRequest": network.DropRequest,
	"dropResponse": network.DropResponse, "refused": network.RefuseConnection, "hang": network.Hang,
	scenario.ErrorStall: network.Stall,
	"reset":             network.ResetConnection, "eof": network.CloseConnection, "broken": network.BrokenBody,
	"empty":   network.EmptyBody,
	"http401": network.Http401, "http403": network.Http403, "http502": network.Http502,
}
