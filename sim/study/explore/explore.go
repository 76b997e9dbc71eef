package explore

import (
	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// state is a schedule at one instant, and what its rules know.
type state struct {
	world    world.World
	watch    watch
	open     []choice // choices that the last step has left open
	root     int32
	group    int32 // of variants
	inserted int32 // acts of the search so far
	drawn    bool  // jitter is drawn by the search
}

func (s *state) copyTo(to *state) {
	open := to.open[:0]
	s.world.CopyTo(&to.world)
	to.watch, to.root, to.group, to.inserted, to.drawn = s.watch, s.root, s.group, s.inserted, s.drawn
	to.open = append(open, s.open...)
}

// kind is what a choice is about.
type kind uint8

const (
	chooseRoot    kind = iota // values of fields that hold from the beginning
	chooseVariant             // values of fields of acts
	chooseDraw                // of the jitter of a wait that has begun
	chooseDelay               // of a message that has left
	chooseOrder               // what comes first at one instant
)

var kindNames = [...]string{"set", "set", "jitter", "delay", "order"}

// choice is where schedules part.
type choice struct {
	kind  kind
	node  int32
	count int32 // options; the first is the default
}

// frame is a choice of the schedule under way. Its state is the one before the choice, as long as options are left.
type frame struct {
	choice
	before *state
	chosen int32
	next   int32
	due    []world.Due
}

// visit is when a search has been in a state: it knows all that follows within the rest of the window and of the depth.
type visit struct {
	atNs  int64
	depth int32
}

// Counts are how far a search is.
type Counts struct {
	States      int64 // that differ
	Transitions int64 // from a choice to the next, or to the end of the schedule
	Merged      int64 // transitions to a state that was known
	Ends        int64 // schedules that came to their end
	Cut         int64 // schedules that the depth bound has taken choices from
	Events      int64
	Frontier    int // options that the schedule under way has left open
	Depth       int // choices of the longest schedule
	NowNs       int64
}

// Explorer is a plan under way.
type Explorer struct {
	plan    Plan
	roots   []root
	timed   bool // a rule is about a length of time
	visited map[digest.Name]visit
	ends    map[digest.Name]bool // states at the end of schedules; nil: not kept
	stack   []frame
	free    []*state
	at      *state // nil: the next option of the stack
	counts  Counts
	found   *found
	over    bool
	due     []world.Due
	reduces bool
	with    world.Fingerprint
	watched func([]trace.Record) // sees the records of every step; nil: nothing does
}

// found is the schedule that breaks a rule first of all so far.
type found struct {
	rule int
	atNs int64
	path []int32
}

// New begins a plan. Nothing is run before Go is called. An impossible plan is an error.
func New(p Plan) (*Explorer, error) {
	if err := p.prepared(); err != nil {
		return nil, err
	}
	x := &Explorer{plan: p, visited: map[digest.Name]visit{}}
	if p.keepEnds {
		x.ends = map[digest.Name]bool{}
	}
	var err error
	if x.roots, err = rootsOf(&x.plan); err != nil {
		return nil, err
	}
	for _, rule := range p.Rules {
		x.timed = x.timed || rule.LongerNs > 0
	}
	x.with = x.fingerprint()
	x.reduces = !p.everyOrder && x.mayReduce()
	x.restart()
	return x, nil
}

// restart puts the search before its first choice.
func (x *Explorer) restart() {
	if len(x.roots) > 1 {
		x.stack = append(x.stack, frame{choice: choice{kind: chooseRoot, count: int32(len(x.roots))}})
		return
	}
	x.at = x.begin(0)
}

// begin returns the state of a root at instant 0.
func (x *Explorer) begin(number int32) *state {
	s := x.take()
	r := &x.roots[number]
	fresh := world.New(r.setup)
	fresh.CopyTo(&s.world)
	s.watch, s.open, s.root, s.group, s.inserted, s.drawn = watch{}, s.open[:0], number, 0, 0, false
	r.enter(&s.world, 0, 0, x.with.Acts)
	return s
}

func (x *Explorer) take() *state {
	if n := len(x.free); n > 0 {
		s := x.free[n-1]
		x.free = x.free[:n-1]
		return s
	}
	return &state{}
}

func (x *Explorer) release(s *state) { x.free = append(x.free, s) }

// Go makes up to a number of transitions and reports whether the search is over: it has seen everything within its bounds, or as many
// states as it may.
func (x *Explorer) Go(transitions int) (over bool) {
	for ; transitions > 0 && !x.over; transitions-- {
		if x.at == nil && !x.choose() {
			x.over = true
			break
		}
		if len(x.visited) >= x.plan.States {
			break
		}
		if x.at != nil {
			x.counts.Transitions++
			x.follow()
		}
	}
	return x.over || len(x.visited) >= x.plan.States
}

// choose takes the next option that is open. It reports false if there is none.
func (x *Explorer) choose() bool {
	for len(x.stack) > 0 {
		f := &x.stack[len(x.stack)-1]
		if f.next == f.count || f.before != nil && x.tooLate(f.before) {
			if f.before != nil {
				x.release(f.before)
				f.before = nil
			}
			x.stack = x.stack[:len(x.stack)-1]
			continue
		}
		f.chosen = f.next
		f.next++
		switch {
		case f.kind == chooseRoot:
			x.at = x.begin(f.chosen)
		case f.next == f.count:
			x.at, f.before = f.before, nil
		default:
			x.at = x.take()
			f.before.copyTo(x.at)
		}
		if rule := x.apply(x.at, f, f.chosen); rule != none {
			x.counts.Transitions++
			x.broken(rule, x.at.world.Now())
			x.end()
			continue
		}
		return true
	}
	return false
}

// tooLate reports whether whatever follows a state breaks no rule earlier than the schedule that was found.
func (x *Explorer) tooLate(s *state) bool { return x.found != nil && s.world.Now() >= x.found.atNs }

// apply carries out an option of a choice, and returns the number of the rule that it breaks.
func (x *Explorer) apply(s *state, f *frame, option int32) int {
	switch f.kind {
	case chooseVariant:
		r := &x.roots[s.root]
		g := &r.groups[s.group]
		s.group = g.parts[option]
		r.enter(&s.world, s.group, g.partsNs, x.with.Acts)
	case chooseDraw:
		s.world.Redraw(f.node, x.draws(s, f.node)[option])
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
func (x *Explorer) delay(s *state, node int32, ns int64) {
	seq, ok := s.world.UnderWay(node)
	if !ok {
		return
	}
	begins, source := s.world.Now()+1, x.with.Acts+s.inserted
	s.inserted++
	s.world.Insert(
		world.Control{AtNs: begins, Kind: world.DoIntercept, Target: node, Effect: network.HoldMessageForAll, Sender: network.Elector, Nth: seq, UntilNs: begins + ns, Source: source},
		world.Control{AtNs: begins + ns, Kind: world.DoOver, Target: node, Source: source},
	)
}

// follow takes the schedule under way to its next choice or to its end.
func (x *Explorer) follow() {
	s := x.at
	c, due, rule := x.run(s)
	switch {
	case rule != none:
		x.end()
		return
	case c.count == 0:
		x.counts.Ends++
		if x.ends != nil {
			x.ends[x.endName(s)] = true
		}
		x.end()
		return
	}
	if !x.isNew(s, c, due) {
		x.counts.Merged++
		x.end()
		return
	}
	x.stack = append(x.stack, frame{choice: c, before: s, due: append([]world.Due(nil), due...)})
	x.counts.Depth = max(x.counts.Depth, len(x.stack))
	x.at = nil
}

func (x *Explorer) end() {
	x.release(x.at)
	x.at = nil
}

// isNew notes that the search is in a state, and reports whether it must go on from there.
func (x *Explorer) isNew(s *state, c choice, due []world.Due) bool {
	name := x.name(s, c)
	now := visit{atNs: s.world.Now(), depth: int32(len(x.stack))}
	if x.plan.Depth == 0 {
		now.depth = 0
	}
	before, known := x.visited[name]
	if known && !x.plan.apart && before.atNs <= now.atNs && before.depth <= now.depth {
		return false
	}
	if !known {
		x.counts.States++
	}
	x.visited[name] = now
	return true
}

// name is that of a state before a choice.
func (x *Explorer) name(s *state, c choice) digest.Name {
	var d digest.Digest
	with := x.with
	with.Draws = !s.drawn
	if x.ends != nil { // later schedules end in another state
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
func (x *Explorer) endName(s *state) digest.Name {
	var d digest.Digest
	d.AddInt(s.world.Now())
	s.watch.digest(&d, s.world.Now(), true)
	s.world.Digest(&d, &world.Fingerprint{Acts: x.with.Acts})
	return d.Name()
}

// run steps a schedule to its next choice. A choice without options is its end. rule is the number of the rule that it breaks.
func (x *Explorer) run(s *state) (c choice, due []world.Due, rule int) {
	p := &x.plan
	for {
		free := p.Depth == 0 || len(x.stack) < p.Depth
		if n := len(s.open); n > 0 {
			c = s.open[0]
			s.open = append(s.open[:0], s.open[1:]...)
			if free {
				return c, nil, none
			}
			x.counts.Cut++
			continue
		}
		next := s.world.NextAt()
		if at, timed := s.watch.due(p.Rules); at < min(next, p.UntilNs) {
			return c, nil, x.broken(timed, at)
		}
		if next > p.UntilNs || x.found != nil && next >= x.found.atNs {
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
		x.counts.Events++
		if p.Order && next >= p.FromNs && next <= p.ToNs {
			if x.due = s.world.Due(x.due[:0]); len(x.due) > 1 {
				if first := x.reduced(x.due); len(first) > 1 {
					if free {
						s.world.PassTo(next)
						return choice{kind: chooseOrder, node: -1, count: int32(len(first))}, first, none
					}
					x.counts.Cut++
				}
				s.world.StepDue(&x.due[0])
				if broken := x.seen(s); broken != none {
					return c, nil, x.broken(broken, s.world.Now())
				}
				continue
			}
		}
		s.world.Step(next)
		if broken := x.seen(s); broken != none {
			return c, nil, x.broken(broken, s.world.Now())
		}
	}
}

// usualDraw draws what a default replaces in the same step.
func usualDraw(int32, int64) float64 { return Middle }

// seen follows the records of a step, and notes the choices that it leaves open. It returns the number of the rule that is broken.
func (x *Explorer) seen(s *state) int {
	p, records := &x.plan, s.world.Records()
	if x.watched != nil {
		x.watched(records)
	}
	if broken := s.watch.see(p.Rules, records); broken != none {
		return broken
	}
	now := s.world.Now()
	x.counts.NowNs = now
	inWindow := now >= p.FromNs && now <= p.ToNs
	for i := range records {
		switch r := &records[i]; r.Kind {
		case trace.JitterDrawn:
			if s.drawn && s.world.Redraw(r.Candidate, x.draws(s, r.Candidate)[0]) && len(p.Draws) > 1 && inWindow {
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

// broken notes a schedule that breaks a rule, if it does so earlier than the one that was found.
func (x *Explorer) broken(rule int, atNs int64) int {
	if x.found != nil && atNs >= x.found.atNs {
		return rule
	}
	x.found = &found{rule: rule, atNs: atNs, path: x.path()}
	return rule
}

// path is the options that lead to where the search is.
func (x *Explorer) path() []int32 {
	path := make([]int32, len(x.stack))
	for i := range x.stack {
		path[i] = x.stack[i].chosen
	}
	return path
}

// Counts returns how far the search is.
func (x *Explorer) Counts() Counts {
	c := x.counts
	for i := range x.stack {
		c.Frontier += int(x.stack[i].count - x.stack[i].next)
	}
	return c
}
