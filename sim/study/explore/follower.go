package explore

import (
	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Follower follows schedules from choice to choice. It keeps what that needs from one to the next.
type Follower struct {
	*bounds
	visited  *visits // of the search, for looks while nothing changes them; nil: it does not look
	ends     bool    // the states at the end of schedules have names
	before   int64
	brokenNs int64 // when the rule is broken that run has returned
	events   int64
	cut      int64
	free     []*state
	room     world.Room // of the world that it steps
	due      []world.Due
	watched  func([]trace.Record) // sees the records of every step; nil: nothing does
}

// follower returns one more worker for the rounds of the search.
func (x *Explorer) follower() *Follower {
	f := &Follower{bounds: &x.bounds, ends: x.ends != nil, before: never}
	if x.plan.Depth == 0 && !x.plan.apart {
		// a state with a depth may be known less well at the end of the round than at its beginning
		f.visited = &x.visited
	}
	x.all = append(x.all, f)
	return f
}

// outcome is the result of an option: the choice that follows, or the end of the schedule, or a rule that is broken.
type outcome struct {
	choice       // no options: the schedule has ended
	rule   int32 // that is broken, or none
	atNs   int64 // of the choice, or of the breach
	name   digest.Name
	events int64
	cut    int64
	nowNs  int64
	known  bool   // the search knew the state when the round began: it need not go on from there
	state  *state // before the choice
	due    []world.Due
	by     *Follower
}

// try takes an option of a frame and follows the schedule to its next choice or to its end. The last option takes the
// frame's state.
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

// depthAfter is how many choices a schedule has made after that of a frame.
func (b *bounds) depthAfter(f *frame) int {
	if f.kind == chooseRoot && len(b.roots) == 1 {
		return 0
	}
	return int(f.path.len()) + 1
}

// follow takes a schedule to its next choice or to its end.
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
		if x.visited != nil { // a look takes long, for nothing of it is in a cache: here every worker looks at once
			before, known := x.visited.get(o.name)
			if o.known = known && before.atNs <= o.atNs; o.known {
				return
			}
		}
		o.state = s
		o.due = append(o.due[:0], due...)
	}
}

// begin returns the state of a root at instant 0.
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
		return x.seen(s)
	}
	return none
}

// delay holds the newest message of a node for a length of time, from the next nanosecond on.
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

// name is that of a state before a choice.
func (x *Follower) name(s *state, c choice) digest.Name {
	var d digest.Digest
	with := x.with
	with.Draws = !s.drawn
	if x.ends { // later schedules end in another state
		d.AddInt(s.world.Now())
	}
	d.Add(uint64(c.kind) | uint64(uint32(c.node))<<8)
	for _, one := range s.open {
		d.Add(uint64(one.kind) | uint64(uint32(one.node))<<8)
	}
	g := &x.roots[s.root].groups[s.group]
	d.Add(g.class)
	if len(g.parts) > 0 { // what is ahead of the group is not only what its acts say
		d.AddInt(int64(s.group))
	}
	s.watch.digest(&d, s.world.Now(), x.timed)
	s.world.Digest(&d, &with)
	return d.Name()
}

// endName is the name of a state at the end of the schedules, with everything that is kept of it.
func (x *Follower) endName(s *state) digest.Name {
	var d digest.Digest
	d.AddInt(s.world.Now())
	s.watch.digest(&d, s.world.Now(), true)
	s.world.Digest(&d, &world.Fingerprint{Acts: x.with.Acts})
	return d.Name()
}

// run steps a schedule to its next choice. A choice without options is its end. rule is the number of the rule that it
// breaks.
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
				if first := x.reduced(x.due); len(first) > 1 {
					if free {
						s.world.PassTo(next)
						return choice{kind: chooseOrder, node: -1, count: int32(len(first))}, first, none
					}
					x.cut++
				}
				s.world.StepDue(&x.due[0])
				if broken := x.seen(s); broken != none {
					x.brokenNs = s.world.Now()
					return c, nil, broken
				}
				continue
			}
		}
		s.world.Step(next)
		if broken := x.seen(s); broken != none {
			x.brokenNs = s.world.Now()
			return c, nil, broken
		}
	}
}

// usualDraw draws what a default replaces in the same step.
func usualDraw(int32, int64) float64 { return Middle }

// seen follows the records of a step, and notes the choices that it leaves open. It returns the number of the rule that
// is broken.
func (x *Follower) seen(s *state) int {
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
