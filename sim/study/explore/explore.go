package explore

import (
	"slices"

	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/sim/world"
)

// state is a schedule at one instant, including what the rules remember. A state contains a whole world, so frames
// share states and followers reuse them.
type state struct {
	world    world.World
	watch    watch
	open     []choice // choices that the last step opened
	root     int32
	group    int32 // group of variants
	inserted int32 // number of acts that the search has inserted
	drawn    bool  // whether the search draws the jitter
}

func (s *state) copyTo(to *state) {
	open := to.open[:0]
	s.world.CopyTo(&to.world)
	to.watch, to.root, to.group, to.inserted, to.drawn = s.watch, s.root, s.group, s.inserted, s.drawn
	to.open = append(open, s.open...)
}

// kind is the kind of a choice.
type kind uint8

const (
	chooseRoot    kind = iota // values of fields that apply from the beginning
	chooseVariant             // values of fields of acts
	chooseDraw                // the jitter of a wait that has begun
	chooseDelay               // the delay of a message that has left
	chooseOrder               // which of several things at one instant comes first
)

var kindNames = [...]string{"set", "set", "jitter", "delay", "order"}

// choice is a point where schedules branch. Option 0 is the default: the first of the plan's draws, no delay, the
// usual order. Values of fields have no default.
type choice struct {
	kind  kind
	node  int32
	count int32 // number of options; the first is the default
}

// bounds is a read-only view of a plan. Followers share it.
type bounds struct {
	plan    Plan
	roots   []root
	timed   bool // a rule is about a length of time
	reduces bool
	with    world.Fingerprint
}

// `path` lists the options that lead to a state, the last one first. Paths share their beginnings, because otherwise
// millions of frames would each have a copy of the same first choices.
type path struct {
	before *path
	option int32
	length int32
}

func (p *path) then(option int32) *path { return &path{p, option, p.len() + 1} }

// len returns the number of options.
func (p *path) len() int32 {
	if p == nil {
		return 0
	}
	return p.length
}

// `options` returns the options of the path, the first one first.
func (p *path) options() []int32 {
	all := make([]int32, p.len())
	for ; p != nil; p = p.before {
		all[p.length-1] = p.option
	}
	return all
}

// frame is a choice with untried options. The frontier is a stack of frames, so the search goes deep first and keeps
// few states in memory.
type frame struct {
	choice
	path   *path
	atNs   int64
	next   int32
	before *state // state at the choice; nil for a root's choice, and after Replay
	due    []world.Due
}

// pathTo returns the path after an option. If a choice has a single option, such as a single root, the path stays the
// same.
func (f *frame) pathTo(option int32, choices int) *path {
	if choices == 0 {
		return nil
	}
	return f.path.then(option)
}

// Counts contains the progress of a search.
type Counts struct {
	States      int64 // distinct states
	Transitions int64 // steps from one choice to the next, or to the end of the schedule
	Merged      int64 // transitions to a known state
	Ends        int64 // schedules that reached their end
	Cut         int64 // schedules that the depth bound cut short
	Events      int64
	Frontier    int // number of options left to try
	Depth       int // number of choices of the longest schedule
	NowNs       int64
}

// Explorer is a search in progress.
type Explorer struct {
	bounds
	visited  visits
	ends     map[digest.Name]bool // names of the states at the end of schedules, or nil to keep none
	frontier []*frame             // the last one continues first
	unused   []*frame
	counts   Counts
	found    *found
	all      []*Follower // one for each worker
	round    round
	log      []byte // log of the last round
}

// found is the earliest schedule so far that breaks a rule.
type found struct {
	rule int
	atNs int64
	path []int32
}

// New prepares a search. The search begins with the first call of Go or Step. New returns an error for an impossible
// plan.
func New(p Plan) (*Explorer, error) {
	if err := p.prepare(); err != nil {
		return nil, err
	}
	x := &Explorer{bounds: bounds{plan: p}, visited: newVisits(p.Depth > 0)}
	if p.keepEnds {
		x.ends = map[digest.Name]bool{}
	}
	var err error
	if x.roots, err = rootsOf(&x.plan); err != nil {
		return nil, err
	}
	for k := range x.roots {
		x.roots[k].setDraws(p.Draws)
	}
	for _, rule := range p.Rules {
		x.timed = x.timed || rule.LongerNs > 0
	}
	x.with = x.fingerprint()
	x.reduces = !p.everyOrder && x.mayReduce()
	x.follower()
	x.frontier = []*frame{{choice: choice{kind: chooseRoot, node: -1, count: int32(len(x.roots))}}}
	return x, nil
}

// Go makes about as many transitions as the argument says. It returns true if the search is over, because the search
// has seen everything within its bounds or has reached its limit of states.
func (x *Explorer) Go(transitions int) (over bool) {
	for until := x.counts.Transitions + int64(transitions); x.counts.Transitions < until; {
		if _, more := x.Step(); !more {
			break
		}
	}
	return x.Over() || x.Full()
}

// Early rounds are small, so that a search with a limit of states exceeds it only a little.
const (
	mostInRound = 1024
	slowly      = 16
)

// round is a set of options from the frontier, which workers try independently of each other. The outcome of a search
// depends on the rounds and their order. It does not depend on which worker handles which part.
type round struct {
	parts    []part
	outcomes []outcome // indexed by the options of the round
	before   int64     // ignore schedules that break a rule later than this
	after    []*frame
}

// part contains the options of one frame in a round.
type part struct {
	frame    *frame
	from, to int32
	first    int // index of the part's first option in the round
}

// Step performs a round. It returns false if the search is over or has reached its limit of states. The log is for
// Replay. It is valid until the next round.
func (x *Explorer) Step() (log []byte, more bool) {
	if x.Over() || x.Full() {
		return nil, false
	}
	x.begin()
	x.make()
	x.end()
	return x.log, true
}

// `begin` takes the next options from the frontier. The number of options depends only on the number of known states,
// not on the number of workers. So the rounds are the same on one core and on four.
func (x *Explorer) begin() {
	r := &x.round
	*r = round{before: never, parts: r.parts[:0], outcomes: r.outcomes, after: r.after[:0]}
	if x.found != nil {
		r.before = x.found.atNs
	}
	options := int32(min(mostInRound, 1+x.visited.count/slowly))
	total := int32(0)
	for total < options && len(x.frontier) > 0 {
		f := x.frontier[len(x.frontier)-1]
		to := min(f.count, f.next+options-total)
		r.parts = append(r.parts, part{frame: f, from: f.next, to: to, first: int(total)})
		total += to - f.next
		if f.next = to; to == f.count {
			x.frontier = x.frontier[:len(x.frontier)-1]
		}
	}
	if int(total) > len(r.outcomes) {
		r.outcomes = make([]outcome, total)
	}
	for i := range r.outcomes[:total] {
		r.outcomes[i] = outcome{due: r.outcomes[i].due[:0]}
	}
}

// `end` processes the outcomes of the round, in the order of the options. It pushes new choices onto the frontier in
// reverse order, so that the first option continues first.
func (x *Explorer) end() {
	r, before := &x.round, x.counts
	x.log = x.log[:0]
	for i := range r.parts {
		p := &r.parts[i]
		for option := p.from; option < p.to; option++ {
			o := &r.outcomes[p.first+int(option-p.from)]
			f := x.take(p.frame, option, o)
			if f != nil {
				r.after = append(r.after, f)
			}
			x.log = o.appendTo(x.log, f != nil)
		}
	}
	x.log = appendNumbers(x.log, x.counts.Events-before.Events, x.counts.Cut-before.Cut, x.counts.NowNs)
	for i := range r.parts {
		if p := &r.parts[i]; p.to == p.frame.count {
			x.unused = append(x.unused, p.frame)
		}
	}
	x.share()
	slices.Reverse(r.after)
	x.frontier = append(x.frontier, r.after...)
	if x.found != nil && x.found.atNs < r.before { // later choices cannot break a rule earlier
		x.frontier = slices.DeleteFunc(x.frontier, func(f *frame) bool { return f.atNs >= x.found.atNs })
	}
}

// share divides the memory for states evenly, because the follower that makes a state need not be the one that
// continues it. Otherwise one follower would pile up free states while another allocates new ones.
func (x *Explorer) share() {
	total := 0
	for _, f := range x.all {
		total += len(f.free)
	}
	each := total / len(x.all)
	from := x.all
	for _, to := range x.all {
		for len(to.free) < each {
			if len(from[0].free) <= each {
				from = from[1:]
				continue
			}
			to.release(from[0].take())
		}
	}
}

// `take` processes the outcome of an option. It returns the next choice, or nil at the end of the schedule or at a
// known state.
func (x *Explorer) take(f *frame, option int32, o *outcome) *frame {
	c := &x.counts
	c.Transitions++
	c.Events += o.events
	c.Cut += o.cut
	c.NowNs = o.nowNs
	depth := x.depthAfter(f)
	switch {
	case o.rule != none:
		if x.found == nil || o.atNs < x.found.atNs {
			x.found = &found{rule: int(o.rule), atNs: o.atNs, path: f.pathTo(option, depth).options()}
		}
		return nil
	case o.count == 0:
		c.Ends++
		if x.ends != nil {
			x.ends[o.name] = true
		}
		return nil
	case o.known || !x.isNew(o.name, o.atNs, int32(depth)):
		c.Merged++
		if o.state != nil {
			o.by.release(o.state)
		}
		return nil
	}
	c.Depth = max(c.Depth, depth+1)
	to := x.unusedFrame()
	*to = frame{choice: o.choice, path: f.pathTo(option, depth), atNs: o.atNs, before: o.state,
		due: append(to.due[:0], o.due...)}
	return to
}

// unusedFrame returns a new frame, or reuses one that has no options left.
func (x *Explorer) unusedFrame() *frame {
	n := len(x.unused)
	if n == 0 {
		return &frame{}
	}
	f := x.unused[n-1]
	x.unused = x.unused[:n-1]
	return f
}

// isNew records a state of the search and reports whether to continue from it. A known state is worth another visit
// if the search now reaches the state at an earlier instant, or after fewer choices, because then more of the window
// or of the depth remains. Example: in a search to 60 s, the search first reaches a state at 35 s, with 25 s left,
// and later reaches the same state at 20 s, with 40 s left.
func (x *Explorer) isNew(name digest.Name, atNs int64, depth int32) bool {
	now := visit{atNs: atNs, depth: depth}
	if x.plan.Depth == 0 {
		now.depth = 0
	}
	p := x.visited.placeOf(name)
	if p.known && !x.plan.apart {
		if before := p.get(p.k); before.atNs <= now.atNs && before.depth <= now.depth {
			return false
		}
	}
	if !p.known {
		x.counts.States++
	}
	x.visited.set(p, name, now)
	return true
}

// Counts returns the progress of the search. It counts the whole frontier, so do not call it for every transition.
func (x *Explorer) Counts() Counts {
	c := x.counts
	for _, f := range x.frontier {
		c.Frontier += int(f.count - f.next)
	}
	return c
}
