package explore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/sim/world"
)

// lane is a worker elsewhere that makes parts of rounds, as the search sees it. It keeps the states of the frames that
// it has made.
type lane struct {
	drops []uint64 // keys of frames that it has and that do not go on
	parts []int    // of the round under way
	load  int32    // options of those
	waits bool     // for its result
}

// Work is what a lane has to do in a round.
type Work struct {
	Lane int    // from 1 on
	Data []byte // for Lane.Make
}

// mostMoved is how many frames go to an idle lane in a round: it has to follow their schedules from the beginning.
const mostMoved = 8

// keyShift leaves room for the options of a round in the keys of frames.
const keyShift = 20

// Hand begins a round and shares it among up to so many lanes. It returns none if a round waits for results, or if the
// search is over.
func (x *Explorer) Hand(lanes int) []Work {
	if x.underWay() {
		return nil
	}
	r := x.Round()
	if r == nil {
		return nil
	}
	x.rounds++
	for len(x.lanes) < lanes {
		x.lanes = append(x.lanes, lane{})
	}
	r.assign(x.lanes)
	var all []Work
	for i := range x.lanes {
		l := &x.lanes[i]
		if l.waits = len(l.parts) > 0; l.waits {
			all = append(all, Work{i + 1, r.encode(l, i+1)})
		}
	}
	return all
}

// underWay reports whether a round waits for lanes.
func (x *Explorer) underWay() bool {
	return slices.ContainsFunc(x.lanes, func(l lane) bool { return l.waits })
}

// open is the frontier without the round that waits for lanes.
func (x *Explorer) open() []*frame {
	if !x.underWay() {
		return x.frontier
	}
	all := slices.Clone(x.frontier)
	for i, p := range slices.Backward(x.round.parts) {
		if i == len(x.round.parts)-1 && p.to < p.frame.count { // some of its options are left
			all = all[:len(all)-1]
		}
		one := *p.frame
		one.next = p.from
		all = append(all, &one)
	}
	return all
}

// assign gives each part to the lane that has its state, and some to lanes with little to do.
func (r *Round) assign(lanes []lane) {
	total := int32(0)
	least := func() (k int) {
		for i := range lanes {
			if lanes[i].load < lanes[k].load {
				k = i
			}
		}
		return k
	}
	for i := range lanes {
		lanes[i].parts, lanes[i].load = lanes[i].parts[:0], 0
	}
	give := func(k, number int) {
		p := &r.parts[number]
		lanes[k].parts, lanes[k].load = append(lanes[k].parts, number), lanes[k].load+p.to-p.from
	}
	for number := range r.parts {
		p := &r.parts[number]
		k := p.frame.lane - 1
		if k < 0 {
			k = least()
		}
		give(k, number)
		total += p.to - p.from
	}
	each := total / int32(len(lanes))
	for to := range lanes {
		for moved := 0; moved < mostMoved && lanes[to].load < each/2; moved++ {
			from := 0
			for i := range lanes {
				if lanes[i].load > lanes[from].load {
					from = i
				}
			}
			l := &lanes[from]
			if from == to || len(l.parts) < 2 {
				break
			}
			number := l.parts[len(l.parts)-1]
			l.parts, l.load = l.parts[:len(l.parts)-1], l.load-(r.parts[number].to-r.parts[number].from)
			give(to, number)
		}
	}
}

// encode writes the work of a lane.
func (r *Round) encode(l *lane, number int) []byte {
	x := r.search
	var data []byte
	add := func(all ...uint64) {
		for _, v := range all {
			data = binary.AppendUvarint(data, v)
		}
	}
	for i := range l.parts { // a frame that it takes from another lane
		f := r.parts[l.parts[i]].frame
		if f.lane != 0 && f.lane != number {
			x.lanes[f.lane-1].drops = append(x.lanes[f.lane-1].drops, f.key)
			f.lane = 0
		}
	}
	add(uint64(r.before), x.rounds<<keyShift, uint64(len(l.drops)))
	add(l.drops...)
	l.drops = l.drops[:0]
	add(uint64(len(l.parts)))
	for _, k := range l.parts {
		p := &r.parts[k]
		f := p.frame
		has := uint64(0)
		if f.lane == number {
			has = 1
		}
		if has == 0 && f.key == 0 {
			x.given++
			f.key = x.given
		}
		add(f.key, uint64(p.from), uint64(p.to), uint64(f.count), uint64(p.first), has)
		if has == 0 {
			if f.before != nil {
				x.all[0].release(f.before)
				f.before = nil
			}
			f.lane = number
			options := f.path.options()
			root := uint64(0)
			if f.kind == chooseRoot {
				root = 1
			}
			add(root, uint64(len(options)))
			for _, o := range options {
				add(uint64(o))
			}
		}
	}
	return data
}

var errWork = errors.New("this is no work of this search")

// reader reads numbers.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) below(limit int) int32 {
	v := r.number()
	if v >= uint64(max(limit, 0)) {
		r.bad, v = true, 0
	}
	return int32(v)
}

// Lane makes parts of the rounds of a search that another worker has. It has the same plan.
type Lane struct {
	*Follower
	frames map[uint64]*frame
}

// Lane returns one.
func (x *Explorer) Lane() *Lane { return &Lane{x.Follower(), map[uint64]*frame{}} }

// Make makes the work that Hand has given to this lane, and returns what Put takes.
func (l *Lane) Make(work []byte) ([]byte, error) {
	in := &reader{data: work}
	before, keys := int64(in.number()), in.number()
	if keys == 1<<keyShift { // the first round of a search
		clear(l.frames)
	}
	for range in.below(maxOptions) {
		key := in.number()
		if f := l.frames[key]; f != nil && f.before != nil {
			l.release(f.before)
		}
		delete(l.frames, key)
	}
	var out []byte
	var o outcome
	for range in.below(maxOptions) {
		key := in.number()
		from, to, count, first := in.below(maxOptions), in.below(maxOptions), in.below(maxOptions), in.number()
		if in.number() == 0 {
			f, err := l.given(in)
			if err != nil {
				return nil, err
			}
			f.next, l.frames[key] = from, f
		}
		f := l.frames[key]
		if in.bad || f == nil || f.count != count || from < f.next || from >= to || to > count {
			return nil, errWork
		}
		if f.next = to; to == count {
			delete(l.frames, key)
		}
		for option := from; option < to; option++ {
			o = outcome{due: o.due[:0]}
			l.try(f, option, before, &o)
			if o.state != nil {
				depth := l.depthAfter(f)
				l.frames[keys|(first+uint64(option-from))] = &frame{choice: o.choice, path: f.after(option, depth),
					atNs: o.atNs, before: o.state, due: slices.Clone(o.due)}
			}
			out = o.encode(out)
		}
	}
	if in.bad {
		return nil, errWork
	}
	return out, nil
}

// given reads a frame by its path, and follows its schedule.
func (l *Lane) given(in *reader) (*frame, error) {
	root, length := in.number() == 1, in.below(len(in.data)+1)
	f := &frame{}
	for range length {
		f.path = f.path.then(in.below(maxOptions))
	}
	if in.bad {
		return nil, errWork
	}
	if root {
		f.choice = choice{kind: chooseRoot, node: -1, count: int32(len(l.roots))}
		return f, nil
	}
	return f, l.stateOf(f)
}

// stateOf follows the schedule of a frame from the beginning to its choice.
func (x *Follower) stateOf(f *frame) error {
	x.before = never
	options := f.path.options()
	number, depth := int32(0), 0
	if len(x.roots) > 1 {
		if len(options) == 0 || int(options[0]) >= len(x.roots) {
			return errStale
		}
		number, depth = options[0], 1
	}
	s := x.begin(number)
	for ; ; depth++ {
		c, due, broken := x.run(s, depth)
		if broken != none || c.count == 0 {
			return errStale
		}
		f.choice, f.due = c, append([]world.Due(nil), due...)
		if depth >= len(options) {
			break
		}
		if options[depth] >= c.count || x.apply(s, f, options[depth]) != none {
			return errStale
		}
	}
	f.atNs, f.before = s.world.Now(), s
	return nil
}

// encode writes the outcome of an option.
func (o *outcome) encode(out []byte) []byte {
	for _, v := range []uint64{uint64(o.rule + 1), uint64(o.count), uint64(o.kind), uint64(o.node + 1), uint64(o.atNs),
		uint64(o.events), uint64(o.cut), uint64(o.nowNs)} {
		out = binary.AppendUvarint(out, v)
	}
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, o.name[0]), o.name[1])
}

func (o *outcome) decode(in *reader, rules int) {
	o.rule = in.below(rules+1) - 1
	o.count, o.kind, o.node = in.below(maxOptions), kind(in.below(len(kindNames))), in.below(maxOptions)-1
	o.atNs, o.events, o.cut, o.nowNs = int64(in.number()), int64(in.number()), int64(in.number()), int64(in.number())
	if len(in.data) < 16 {
		in.bad, in.data = true, nil
		return
	}
	o.name = digest.Name{binary.LittleEndian.Uint64(in.data), binary.LittleEndian.Uint64(in.data[8:])}
	in.data = in.data[16:]
}

// Put takes what a lane has made. The last one ends the round.
func (x *Explorer) Put(number int, result []byte) error {
	if number < 1 || number > len(x.lanes) || !x.lanes[number-1].waits {
		return fmt.Errorf("lane %d has no work", number)
	}
	l, r, in := &x.lanes[number-1], &x.round, &reader{data: result}
	for _, k := range l.parts {
		p := &r.parts[k]
		for i := range p.to - p.from {
			r.outcomes[p.first+int(i)].decode(in, len(x.plan.Rules))
		}
	}
	if in.bad || len(in.data) > 0 {
		return fmt.Errorf("the result of lane %d does not fit its work", number)
	}
	if l.waits = false; !x.underWay() {
		r.Take()
	}
	return nil
}

// kept notes which lane has the state of a frame that came of an option, or that it has no use for it.
func (x *Explorer) kept(of *frame, place int, after *frame) {
	if of.lane == 0 {
		return
	}
	key := x.rounds<<keyShift | uint64(place)
	if after != nil {
		after.lane, after.key = of.lane, key
		return
	}
	l := &x.lanes[of.lane-1]
	l.drops = append(l.drops, key)
}
