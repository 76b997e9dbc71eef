package explore

import (
	"slices"

	"github.com/leaselab/leaselab/core/digest"
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

// bounds are a plan as those see it who follow schedules: it changes no more.
type bounds struct {
	plan    Plan
	roots   []root
	timed   bool // a rule is about a length of time
	reduces bool
	with    world.Fingerprint
}

// path is the options that lead to a state, the last one first. It shares its beginning with others.
type path struct {
	before *path
	option int32
	length int32
}

func (p *path) then(option int32) *path { return &path{p, option, p.len() + 1} }

// len is how many options there are.
func (p *path) len() int32 {
	if p == nil {
		return 0
	}
	return p.length
}

// options are those of the path, the first one first.
func (p *path) options() []int32 {
	all := make([]int32, p.len())
	for ; p != nil; p = p.before {
		all[p.length-1] = p.option
	}
	return all
}

// frame is a choice with options that are left.
type frame struct {
	choice
	path   *path
	atNs   int64
	next   int32
	before *state // the choice; nil for that of a root, and after Replay
	due    []world.Due
}

// after is the path after an option, of so many choices: there is nothing to choose between a single root.
func (f *frame) after(option int32, choices int) *path {
	if choices == 0 {
		return nil
	}
	return f.path.then(option)
}

// Counts are how far a search is.
type Counts struct {
	States      int64 // that differ
	Transitions int64 // from a choice to the next, or to the end of the schedule
	Merged      int64 // transitions to a state that was known
	Ends        int64 // schedules that came to their end
	Cut         int64 // schedules that the depth bound has taken choices from
	Events      int64
	Frontier    int // options that are left open
	Depth       int // choices of the longest schedule
	NowNs       int64
}

// Explorer is a plan under way.
type Explorer struct {
	bounds
	visited  visits
	ends     map[digest.Name]bool // states at the end of schedules; nil: not kept
	frontier []*frame             // the last one goes on first
	unused   []*frame
	counts   Counts
	found    *found
	all      []*Follower // one for each worker
	round    round
	log      []byte // of the last round
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
	x := &Explorer{bounds: bounds{plan: p}, visited: newVisits(p.Depth > 0)}
	if p.keepEnds {
		x.ends = map[digest.Name]bool{}
	}
	var err error
	if x.roots, err = rootsOf(&x.plan); err != nil {
		return nil, err
	}
	for k := range x.roots {
		x.roots[k].drawn(p.Draws)
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

// Go makes about so many transitions and reports whether the search is over: it has seen everything within its bounds,
// or as many states as it may.
func (x *Explorer) Go(transitions int) (over bool) {
	for until := x.counts.Transitions + int64(transitions); x.counts.Transitions < until; {
		if _, more := x.Step(); !more {
			break
		}
	}
	return x.Over() || x.Full()
}

// Rounds have a few options while there are few states, so that a search that is stopped at a bound of states has few
// more.
const (
	mostInRound = 1024
	slowly      = 16
)

// round is options of the frontier that are tried independently of each other. The outcome of a search depends on the
// rounds and their order, and not on who makes their parts.
type round struct {
	parts    []part
	outcomes []outcome // by the places of the options in the round
	before   int64     // schedules that break a rule later are not followed
	after    []*frame
}

// part is options of one frame.
type part struct {
	frame    *frame
	from, to int32
	first    int // place of the first option in the round
}

// Step makes a round. It reports false if there is none: the search is over, or has as many states as it may. The log
// is what Replay takes, until the next round.
func (x *Explorer) Step() (log []byte, more bool) {
	if x.Over() || x.Full() {
		return nil, false
	}
	x.begin()
	x.make()
	x.end()
	return x.log, true
}

// begin takes the next options from the frontier.
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

// end takes the outcomes of the round.
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
	if x.found != nil && x.found.atNs < r.before { // whatever comes after that breaks no rule earlier
		x.frontier = slices.DeleteFunc(x.frontier, func(f *frame) bool { return f.atNs >= x.found.atNs })
	}
}

// share lets the followers have as much memory for states each: the one that makes a state need not be the one that
// goes on from it.
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

// take takes the outcome of an option, and returns the choice that follows, nil if there is none or if it is known.
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
			x.found = &found{rule: int(o.rule), atNs: o.atNs, path: f.after(option, depth).options()}
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
	*to = frame{choice: o.choice, path: f.after(option, depth), atNs: o.atNs, before: o.state,
		due: append(to.due[:0], o.due...)}
	return to
}

// unusedFrame is a new frame, or one without options.
func (x *Explorer) unusedFrame() *frame {
	n := len(x.unused)
	if n == 0 {
		return &frame{}
	}
	f := x.unused[n-1]
	x.unused = x.unused[:n-1]
	return f
}

// isNew notes that the search is in a state, and reports whether it must go on from there.
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

// Counts returns how far the search is.
func (x *Explorer) Counts() Counts {
	c := x.counts
	for _, f := range x.frontier {
		c.Frontier += int(f.count - f.next)
	}
	return c
}
