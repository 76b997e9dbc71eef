package explore

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/world"
)

// root is a scenario with one value for each field that applies from the beginning. Its variants differ only in their
// acts.
type root struct {
	setup    *world.Setup
	fresh    *world.World // the world at instant 0, with a complete table of names
	variants []variant
	groups   []group     // the first group has all variants
	draws    [][]float64 // draws by candidate
}

// variant is a scenario with one value for each field that has values to choose from.
type variant struct {
	changes  []scenario.Change
	scenario scenario.Scenario
	acts     []world.Control // compiled for the setup of the root
	class    uint64          // equal for variants that differ only in the instants of acts
}

// group contains the variants of a root that have behaved the same so far. A group splits as late as possible, and
// until then its variants are one schedule. Example: with a pause at 20 s, 25 s or 30 s, all three variants share the
// first 20 s, and two share the next five.
type group struct {
	members []int32
	partsNs int64   // instant at which the group's variants first differ
	parts   []int32 // groups into which this group splits
	class   uint64
	acts    []world.Control // acts since the group split from other groups
	untils  []until         // ends of the earlier acts
}

// `until` contains the instant at which an act's effect ends. The instant is 0 if the variants of a group end the act
// at different instants.
type until struct {
	source  int32
	untilNs int64
}

// rootsOf returns the roots of a plan.
func rootsOf(p *Plan) ([]root, error) {
	all := []grid.Combination{{Scenario: p.Scenario}}
	if len(p.Sets) > 0 {
		var err error
		if all, err = grid.Combinations(p.Scenario, p.Sets); err != nil {
			return nil, refuse("set", " %w", err)
		}
		for _, c := range all[0].Changes {
			if c.Path == "seed" || c.Path == "duration" {
				return nil, refuse("set", " %s: explore chooses no %s; set it in the scenario", c.Path, c.Path)
			}
		}
	}
	var roots []root
	index := map[string]int{}
	for i := range all {
		one := &all[i]
		varied := Plan{Scenario: one.Scenario, DelaysNs: p.DelaysNs}
		if err := varied.covers(); err != nil {
			return nil, err
		}
		key := keyOf(one.Changes, func(path string) bool { return !strings.HasPrefix(path, "actions[") })
		k, known := index[key]
		if !known {
			k = len(roots)
			index[key] = k
			roots = append(roots, root{setup: compile.Scenario(one.Scenario)})
		}
		r := &roots[k]
		r.variants = append(r.variants, variant{changes: one.Changes, scenario: one.Scenario,
			acts: actsOf(r.setup, one.Scenario), class: classOf(one, k)})
	}
	for k := range roots {
		r := &roots[k]
		r.fresh = world.New(r.setup)
		everything := make([]int32, len(r.variants))
		for i := range everything {
			everything[i] = int32(i)
		}
		r.grow(everything, fromTheBeginning)
	}
	return roots, nil
}

// keyOf returns the changes at some paths, as text.
func keyOf(changes []scenario.Change, has func(path string) bool) string {
	var key strings.Builder
	for _, c := range changes {
		if has(c.Path) {
			fmt.Fprintf(&key, "%s=%s ", c.Path, c.Value)
		}
	}
	return key.String()
}

// classOf returns a number. The number is the same for combinations whose acts come in the same order and differ only
// in their instants. If acts change settings, every combination gets a different number.
func classOf(c *grid.Combination, root int) uint64 {
	instants := fixedSettings(&c.Scenario)
	key := keyOf(c.Changes, func(path string) bool {
		return !instants || !strings.HasSuffix(path, "].at") && !strings.HasSuffix(path, "].for")
	})
	order := make([]int, len(c.Scenario.Actions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(c.Scenario.Actions[a].At, c.Scenario.Actions[b].At)
	})
	return coordination.Hash64(fmt.Sprint(root, key, order))
}

// actsOf compiles the acts of a scenario for a setup, including the starts of its candidates.
func actsOf(setup *world.Setup, s scenario.Scenario) []world.Control {
	var acts []world.Control
	for i := range setup.Candidates {
		acts = append(acts, world.Control{AtNs: setup.Candidates[i].StartNs, Kind: world.DoStart, Target: int32(i),
			Source: -1})
	}
	r := scenario.Resolve(s)
	for i := range r.Actions {
		acts = append(acts, compile.Action(setup, s, &r.Actions[i], int32(i))...)
	}
	slices.SortStableFunc(acts, byInstant)
	return acts
}

func byInstant(a, b world.Control) int { return cmp.Compare(a.AtNs, b.AtNs) }

// fromTheBeginning is the instant with which the method plan includes all acts, for a root's first group.
const fromTheBeginning = -1

// grow adds a group of variants. At a given instant these variants split from others, and all act the same way. grow
// also adds the groups into which the new group splits, and returns the new group's number.
func (r *root) grow(members []int32, fromNs int64) int32 {
	number := int32(len(r.groups))
	first := &r.variants[members[0]]
	g := group{members: members, partsNs: math.MaxInt64, class: first.class}
	for _, k := range members[1:] {
		if at := firstDifference(first, &r.variants[k], fromNs+1); at < g.partsNs {
			g.partsNs = at
		}
		if r.variants[k].class != first.class {
			g.class = coordination.Hash64(fmt.Sprint(members))
		}
	}
	r.plan(&g, fromNs)
	r.groups = append(r.groups, g)
	var keys []string
	sorted := map[string][]int32{}
	for _, k := range members {
		if len(members) == 1 {
			break
		}
		key := r.variants[k].doesAt(g.partsNs)
		if sorted[key] == nil {
			keys = append(keys, key)
		}
		sorted[key] = append(sorted[key], k)
	}
	for _, key := range keys {
		part := r.grow(sorted[key], g.partsNs)
		r.groups[number].parts = append(r.groups[number].parts, part)
	}
	return number
}

// firstDifference returns the first instant at which two variants act differently. The end of an act does not count
// before that end comes.
func firstDifference(a, b *variant, fromNs int64) int64 {
	from := func(v *variant) []world.Control {
		k, _ := slices.BinarySearchFunc(v.acts, fromNs,
			func(c world.Control, at int64) int { return cmp.Compare(c.AtNs, at) })
		return v.acts[k:]
	}
	x, y := from(a), from(b)
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return y[i].AtNs
		case i >= len(y):
			return x[i].AtNs
		case x[i].AtNs != y[i].AtNs || x[i].Kind != y[i].Kind || x[i].Source != y[i].Source || a.class != b.class &&
			x[i].Source >= 0:
			return min(x[i].AtNs, y[i].AtNs)
		}
	}
	return math.MaxInt64
}

// doesAt returns what a variant does at an instant, as text.
func (v *variant) doesAt(ns int64) string {
	var does strings.Builder
	for i := range v.acts {
		if c := &v.acts[i]; c.AtNs == ns {
			fmt.Fprint(&does, c.Kind, " ", c.Source, " ")
			if c.Source >= 0 {
				fmt.Fprint(&does, v.class, " ")
			}
		}
	}
	return does.String()
}

// `plan` records what a group does from an instant on. If the variants end an act at different instants, `plan` leaves
// the end of that act open.
func (r *root) plan(g *group, fromNs int64) {
	for _, c := range r.variants[g.members[0]].acts {
		for _, k := range g.members[1:] {
			if c.UntilNs != 0 && r.variants[k].endOf(&c) != c.UntilNs {
				c.UntilNs = 0
			}
		}
		switch {
		case c.AtNs >= fromNs:
			g.acts = append(g.acts, c)
		case c.Source >= 0 && c.Kind != world.DoOver && !c.Auto:
			g.untils = append(g.untils, until{c.Source, c.UntilNs})
		}
	}
	slices.SortStableFunc(g.acts, byInstant)
}

// `enter` makes a world continue as a group of variants. From then on the pending acts are the group's acts and the
// acts that the search has inserted.
func (r *root) enter(w *world.World, number, inserted int32) {
	g := &r.groups[number]
	for _, one := range g.untils {
		w.SetUntil(one.source, one.untilNs)
	}
	acts := g.acts
	for _, c := range w.Ahead() {
		if c.Source >= inserted {
			acts = append(slices.Clip(acts), c)
		}
	}
	if len(acts) > len(g.acts) {
		slices.SortStableFunc(acts, byInstant)
	}
	w.Replan(acts)
}

// endOf returns when the variant ends the act that corresponds to another variant's act, or 0 if it has no such act.
func (v *variant) endOf(of *world.Control) int64 {
	for i := range v.acts {
		if c := &v.acts[i]; c.Source == of.Source && c.Kind == of.Kind && c.Auto == of.Auto && c.UntilNs != 0 {
			return c.UntilNs
		}
	}
	return 0
}

// fingerprint selects what the states of this plan include in addition to what all states include.
func (x *bounds) fingerprint() world.Fingerprint {
	with := world.Fingerprint{Exact: x.plan.exact}
	for k := range x.roots {
		for i := range x.roots[k].variants {
			s := &x.roots[k].variants[i].scenario
			with.Acts = max(with.Acts, int32(len(s.Actions)))
			for j := range s.Actions {
				a := &s.Actions[j]
				with.Numbers = with.Numbers || a.Nth > 0 || a.Act == scenario.ActIntercept ||
					a.Act == scenario.ActDeliver
				with.Connections = with.Connections || a.Mode == scenario.ModeConnection || a.Network != nil &&
					a.Network.DeadPeerTime != nil
			}
		}
		for i := range x.roots[k].setup.Candidates {
			with.Connections = with.Connections || x.roots[k].setup.Candidates[i].DeadPeerNs > 0
		}
	}
	return with
}

// `shares` reports whether several followers may work on parts of a round at once. They share the table of names, so no
// schedule may create a new name. That excludes processes with a new identity at each start, acts that change
// settings, and errors about settings that client-go refuses.
func (x *Explorer) shares() bool {
	for k := range x.roots {
		r := &x.roots[k]
		for i := range r.setup.Candidates {
			c := &r.setup.Candidates[i]
			config := c.Config
			config.Identity = r.setup.Symbols.Intern(c.Identity)
			if c.Process.FreshIdentity || config.Validate() != nil {
				return false
			}
		}
		for i := range r.variants {
			if !fixedSettings(&r.variants[i].scenario) {
				return false
			}
		}
	}
	return true
}

// mayReduce reports whether steps of different candidates at one instant are independent. For independence, messages
// must not arrive at the instant at which they leave, and no fault may count all candidates' requests.
func (x *bounds) mayReduce() bool {
	for k := range x.roots {
		for i := range x.roots[k].setup.Candidates {
			if c := &x.roots[k].setup.Candidates[i]; c.RequestNs == 0 || c.ResponseNs == 0 {
				return false
			}
		}
		for i := range x.roots[k].variants {
			for _, a := range x.roots[k].variants[i].scenario.Actions {
				if a.Act == scenario.ActLatency || a.Act == scenario.ActFail && a.Count > 0 {
					return false
				}
				if n := a.Network; n != nil && (isZero(n.RequestLatency) || isZero(n.ResponseLatency)) {
					return false
				}
			}
		}
	}
	return true
}

// reduce keeps only the due things that the search must try first. If one thing and all others do not affect each
// other, and no rule depends on the order, that one thing is enough. Example: at one instant b and c each get an
// answer that node a holds the Lease. Both then wait, and the state after both answers is the same in either order.
func (x *bounds) reduce(due []world.Due) []world.Due {
	alone := x.reduces
	for i := 1; i < len(due) && alone; i++ {
		alone = !depends(&due[0], &due[i])
	}
	if alone {
		return due[:1]
	}
	return slices.DeleteFunc(due, func(d world.Due) bool { return d.Later })
}

// `depends` reports whether the order of two things at one instant matters. If one of the two is an act, the order
// matters. For two requests to the API server it matters unless both are reads. For two answers it matters if each
// may change who is active.
func depends(a, b *world.Due) bool {
	switch {
	case a.IsAct() || b.IsAct():
		return true
	case (a.Reads || a.Writes) && (b.Reads || b.Writes):
		return a.Writes || b.Writes
	}
	return a.Leads && b.Leads
}
