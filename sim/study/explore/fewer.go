package explore

import (
	"slices"

	"github.com/leaselab/leaselab/core/digest"
)

// mostTried limits the options to try in the search for a schedule with fewer choices.
const mostTried = 200_000

// `look` searches for a schedule that breaks a rule as early as the one that the search found, but with fewer choices
// other than the default. There may be one, because the search keeps the first path to each state, not the shortest.
type look struct {
	*Follower
	rule  int
	byNs  int64
	known map[digest.Name]lookVisit // known states of this look
	left  int                       // options left to try
}

// lookVisit says when a look visited a state, and how many choices it had left.
type lookVisit struct {
	atNs  int64
	spare int
}

// `fewer` returns a schedule with fewer non-default choices than the given number. It returns nil if the look finds
// none or takes too long. Values of fields do not count, because they have no default.
//
// The look first allows 0 such choices, then 1, then 2, so the first hit has the fewest. After a visit to a state
// with 2 choices left, another visit with 1 left cannot find anything new. So the map `known` stores how many choices
// each visit had left.
func (x *Explorer) fewer(than int) (options []int32, is bool) {
	f := &look{Follower: &Follower{bounds: &x.bounds, before: x.found.atNs + 1}, rule: x.found.rule, byNs: x.found.atNs,
		left: mostTried}
	for spare := range than {
		f.known = map[digest.Name]lookVisit{}
		for k := range x.roots {
			var begin *path
			if len(x.roots) > 1 {
				begin = begin.then(int32(k))
			}
			if end, is := f.from(f.begin(int32(k)), begin, spare); is {
				return end.options(), true
			}
		}
		if f.left <= 0 {
			break
		}
	}
	return nil, false
}

// `from` continues from a state and returns the path to a violation of the rule.
func (f *look) from(s *state, p *path, spare int) (*path, bool) {
	defer f.release(s)
	c, due, broken := f.run(s, int(p.len()))
	now := s.world.Now()
	if broken == f.rule && f.brokenNs <= f.byNs {
		return p, true
	}
	if c.count == 0 || broken != none {
		return nil, false
	}
	name := f.name(s, c)
	if before, is := f.known[name]; is && before.atNs <= now && before.spare >= spare {
		return nil, false
	}
	f.known[name] = lookVisit{now, spare}
	here := frame{choice: c, due: slices.Clone(due)}
	for option := range c.count {
		left := spare
		if option > 0 && c.kind != chooseVariant {
			left--
		}
		if left < 0 || f.left <= 0 {
			break
		}
		f.left--
		one := f.take()
		s.copyTo(one)
		switch f.apply(one, &here, option) {
		case none:
			if end, is := f.from(one, p.then(option), left); is {
				return end, true
			}
		case f.rule:
			return p.then(option), true
		default:
			f.release(one)
		}
	}
	return nil, false
}
