package explore

import (
	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Follower follows schedules from choice to choice. It reuses its memory, because otherwise a search of a million
// states would spend its time in the garbage collector.
type Follower struct {
	*bounds
	visited  *visits // known states of the search, read-only during a round; nil means no look-ups
	ends     bool    // name the states at the end of schedules
	before   int64
	brokenNs int64 // when the schedule broke the rule that run returned
	events   int64
	cut      int64
	free     []*state
	room     world.Room // memory for the follower's world
	due      []world.Due
	watched  func([]trace.Record) // gets the records of every step, unless nil
}

// follower returns another Follower for the rounds of the search.
func (x *Explorer) follower() *Follower {
	f := &Follower{bounds: &x.bounds, ends: x.ends != nil, before: never}
	if x.plan.Depth == 0 && !x.plan.apart {
		// Look up known states. With a depth bound this is impossible, because the entry of a known state may change
		// during the round.
		f.visited = &x.visited
	}
	x.all = append(x.all, f)
	return f
}

// outcome is the result of an option: the next choice, the end of the schedule, or a broken rule.
type outcome struct {
	choice       // a choice without options means that the schedule has ended
	rule   int32 // number of the broken rule, or none
	atNs   int64 // instant of the choice or the violation
	name   digest.Name
	events int64
	cut    int64
	nowNs  int64
	known  bool   // the search already knew the state when the round began, so it need not continue from there
	state  *state // state at the choice
	due    []world.Due
	by     *Follower
}

// `try` applies an option of a frame and follows the schedule to its next choice or its end. The last option takes over
// the frame's state, and the others copy it. After Replay a frame has no state, so `try` first follows its path from
// the beginning.
func (x *Follower) try(f *frame, option int32, before int64, o *outcome) {
	var s *state
	if f.before == nil && f.kind != chooseRoot {
		if err := x.stateOf(f); err != nil {
			panic(err)
		}
	}
	switch {
	case f.kind == chooseRoot:
		s = x.begin(option)
	case option == f.count-1:
		s, f.before = f.before, nil
	default:
		s = x.take()
		f.before.copyTo(s)
	}
	s.world.Swap(&x.room)
	x.before, x.events, x.cut = before, 0, 0
	o.rule, o.by = none, x
	if rule := x.apply(s, f, option); rule != none {
		o.rule, o.atNs = int32(rule), s.world.Now()
	} else {
		x.follow(s, x.depthAfter(f), o)
	}
	s.world.Swap(&x.room)
	o.events, o.cut, o.nowNs = x.events, x.cut, s.world.Now()
	if o.state == nil {
		x.release(s)
	}
}

// depthAfter returns the number of choices in a schedule, including the choice of the given frame.
func (b *bounds) depthAfter(f *frame) int {
	if f.kind == chooseRoot && len(b.roots) == 1 {
		return 0
	}
	return int(f.path.len()) + 1
}

// `follow` follows a schedule to its next choice or its end.
func (x *Follower) follow(s *state, depth int, o *outcome) {
	c, due, rule := x.run(s, depth)
	switch {
	case rule != none:
		o.rule, o.atNs = int32(rule), x.brokenNs
	case c.count == 0:
		if x.ends {
			o.name = x.endName(s)
		}
	default:
		o.choice, o.atNs, o.name = c, s.world.Now(), x.name(s, c)
		if x.visited != nil { // a look-up misses the CPU cache; all workers do look-ups here in parallel
			before, known := x.visited.get(o.name)
			if o.known = known && before.atNs <= o.atNs; o.known {
				return
			}
		}
		o.state = s
		o.due = append(o.due[:0], due...)
	}
}

// `begin` returns the state of a root at instant 0.
func (x *Follower) begin(number int32) *state {
	s := x.take()
	r := &x.roots[number]
	r.fresh.CopyTo(&s.world)
	s.watch, s.open, s.root, s.group, s.inserted, s.drawn = watch{}, s.open[:0], number, 0, 0, false
	r.enter(&s.world, 0, x.with.Acts)
	return s
}

func (x *Follower) take() *state {
	if n := len(x.free); n > 0 {
		s := x.free[n-1]
		x.free = x.free[:n-1]
		return s
	}
	return &state{}
}

func (x *Follower) release(s *state) { x.free = append(x.free, s) }

// apply carries out an option of a choice, and returns the number of the rule that it breaks.
func (x *Follower) apply(s *state, f *frame, option int32) int {
	switch f.kind {
	case chooseVariant:
		r := &x.roots[s.root]
		g := &r.groups[s.group]
		s.group = g.parts[option]
		r.enter(&s.world, s.group, x.with.Acts)
	case chooseDraw:
		s.world.Redraw(f.node, x.drawsOf(s, f.node)[option])
	case chooseDelay:
		if option > 0 {
			x.delay(s, f.node, x.plan.DelaysNs[option-1])
		}
	case chooseOrder:
		s.world.StepDue(&f.due[option])
		return x.readRecords(s)
	}
	return none
}

// `delay` delays the newest message of a node for some time, starting one nanosecond later. It inserts the same act as
// an intercept in a scenario, so a counterexample can express the delay.
func (x *Follower) delay(s *state, node int32, ns int64) {
	seq, ok := s.world.UnderWay(node)
	if !ok {
		return
	}
	begins, source := s.world.Now()+1, x.with.Acts+s.inserted
	s.inserted++
	s.world.Insert(
		world.Control{AtNs: begins, Kind: world.DoIntercept, Target: node, Effect: network.HoldMessageForAll,
			Sender: network.Elector, Nth: seq, UntilNs: begins + ns, Source: source},
		world.Control{AtNs: begins + ns, Kind: world.DoOver, Target: node, Source: source},
	)
}

// `name` returns the name of a state at a choice. Two states may have the same name only if they have the same future.
// So the name covers everything that affects the future: the pending choices, the pending acts, what the rules
// remember, and the world. It does not cover the instant. If a follower has 3 s left to wait at 20 s in one schedule
// and at 50 s in another, and nothing else differs, the states are the same.
func (x *Follower) name(s *state, c choice) digest.Name {
	var d digest.Digest
	with := x.with
	with.Draws = !s.drawn
	if x.ends { // schedules that end later end in a different state
		d.AddInt(s.world.Now())
	}
	d.Add(uint64(c.kind) | uint64(uint32(c.node))<<8)
	for _, one := range s.open {
		d.Add(uint64(one.kind) | uint64(uint32(one.node))<<8)
	}
	g := &x.roots[s.root].groups[s.group]
	d.Add(g.class)
	if len(g.parts) > 0 { // the group's acts do not include the variants' later acts
		d.AddInt(int64(s.group))
	}
	s.watch.digest(&d, s.world.Now(), x.timed)
	s.world.Digest(&d, &with)
	return d.Name()
}

// endName returns the name of a state at the end of a schedule. That name covers everything in the state.
func (x *Follower) endName(s *state) digest.Name {
	var d digest.Digest
	d.AddInt(s.world.Now())
	s.watch.digest(&d, s.world.Now(), true)
	s.world.Digest(&d, &world.Fingerprint{Acts: x.with.Acts})
	return d.Name()
}

// `run` steps a schedule to its next choice. A choice without options means that the schedule has ended. `rule` is the
// number of a broken rule, or none.
//
// The order of the tests matters. Choices that the last step opened come first, since they belong to the current
// instant. Then a rule about a length of time may break before the next event. Then the schedule may end, and
// variants branch just before the first event that differs between them. If none of these applies, the world steps.
func (x *Follower) run(s *state, depth int) (c choice, due []world.Due, rule int) {
	p := &x.plan
	for {
		free := p.Depth == 0 || depth < p.Depth
		if n := len(s.open); n > 0 {
			c = s.open[0]
			s.open = append(s.open[:0], s.open[1:]...)
			if free {
				return c, nil, none
			}
			x.cut++
			continue
		}
		next := s.world.NextAt()
		if at, timed := s.watch.due(p.Rules); at < min(next, p.UntilNs) {
			x.brokenNs = at
			return c, nil, timed
		}
		if next > p.UntilNs || next >= x.before {
			s.world.PassTo(min(next, p.UntilNs))
			return choice{}, nil, none
		}
		if g := &x.roots[s.root].groups[s.group]; next >= g.partsNs {
			s.world.PassTo(next)
			return choice{kind: chooseVariant, node: -1, count: int32(len(g.parts))}, nil, none
		}
		if len(p.Draws) > 0 && !s.drawn && next >= p.FromNs {
			s.world.DrawBy(usualDraw)
			s.drawn = true
		}
		x.events++
		if p.Order && next >= p.FromNs && next <= p.ToNs {
			if x.due = s.world.Due(x.due[:0]); len(x.due) > 1 {
				if first := x.reduce(x.due); len(first) > 1 {
					if free {
						s.world.PassTo(next)
						return choice{kind: chooseOrder, node: -1, count: int32(len(first))}, first, none
					}
					x.cut++
				}
				s.world.StepDue(&x.due[0])
				if broken := x.readRecords(s); broken != none {
					x.brokenNs = s.world.Now()
					return c, nil, broken
				}
				continue
			}
		}
		s.world.Step(next)
		if broken := x.readRecords(s); broken != none {
			x.brokenNs = s.world.Now()
			return c, nil, broken
		}
	}
}

// usualDraw is a placeholder: in the same step, the default of the choice replaces the placeholder. From the start of
// the window, draws come from the plan instead of the seed. Otherwise the rest of the random stream would be part of
// every state, and hardly any two states would be identical.
func usualDraw(int32, int64) float64 { return Middle }

// readRecords processes the records of a step and lists the choices that the step opens: one for each wait that
// began, and one for each message that left. It returns the number of the broken rule, or none.
func (x *Follower) readRecords(s *state) int {
	p, records := &x.plan, s.world.Records()
	if x.watched != nil {
		x.watched(records)
	}
	if broken := s.watch.see(p.Rules, records); broken != none {
		return broken
	}
	now := s.world.Now()
	inWindow := now >= p.FromNs && now <= p.ToNs
	for i := range records {
		switch r := &records[i]; r.Kind {
		case trace.JitterDrawn:
			if s.drawn && s.world.Redraw(r.Candidate, x.drawsOf(s, r.Candidate)[0]) && len(p.Draws) > 1 && inWindow {
				s.open = append(s.open, choice{kind: chooseDraw, node: r.Candidate, count: int32(len(p.Draws))})
			}
		case trace.RequestSent, trace.RequestServed:
			if len(p.DelaysNs) == 0 || !inWindow {
				continue
			}
			if seq, ok := s.world.UnderWay(r.Candidate); ok && seq == r.Seq {
				s.open = append(s.open, choice{kind: chooseDelay, node: r.Candidate, count: int32(len(p.DelaysNs) + 1)})
			}
		}
	}
	return none
}
