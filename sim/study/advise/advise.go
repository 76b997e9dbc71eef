package advise

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// How many runs each probe of a setting has, in the lattice and in a proof.
const (
	latticeRuns = 16
	proofRuns   = 1000
)

// maxCandidates limits the candidates of the scenario.
const maxCandidates = 100

// maxRounds limits how often the adviser replaces a setting that fails its proof.
const maxRounds = 30

// Adviser is a study in progress. Its runs come in stages, and the runs of a stage may happen in any order.
type Adviser struct {
	base   scenario.Scenario
	goals  []Goal
	all    []Goal  // the goals, followed by the other figures to measure for advised settings
	probes []probe // probes of the stage

	settings []Setting
	tried    [][]measurement // results of the lattice, by setting and goal; nil if refused
	misses   []miss          // goals missed in the proofs
	failed   []bool          // by setting: this setting, or one at least as good, missed a goal in a proof
	apart    bool            // advise only settings that never had two leaders; some of them meet all goals
	chosen   []choice
	almost   *choice  // the first setting that missed a goal in its proof
	proof    []string // sentences of a contradiction that is true for every setting
	set      []int    // goals that contradict each other, or nil
	joined   bool     // one goal is in the set only because it allows a proof
	refined  int      // how often the lattice became finer
	proving  bool     // the stage proves settings; otherwise the stage measures part of the lattice
	round    int      // number of proof rounds

	plan    *grid.Plan
	stage   []int // settings of the stage
	runs    []grid.Seeded
	outcome [][]measurement // results of the stage, by setting and goal
}

// choice is a setting and its role. The field proved is nil until the runs of its proof have ended.
type choice struct {
	role    string
	setting int
	proved  []measurement // measurements by goal
}

// New returns the adviser for a scenario, whose acts and assertions it ignores. Make the runs of each plan that Next
// returns, and pass them to Take in the order of their numbers. If the adviser cannot change the scenario's settings,
// New returns an error.
func New(base scenario.Scenario, goals []Goal) (*Adviser, error) {
	n := len(scenario.Resolve(base).Candidates)
	if n > maxCandidates {
		return nil,
			fmt.Errorf("the scenario has %d candidates; the limit is %d, as each setting needs thousands of runs", n,
				maxCandidates)
	}
	for i := range goals {
		if g := &goals[i]; n < 2 && (g.Name == Takeover || g.Name == Overlap) {
			return nil,
				fmt.Errorf(
					"cannot measure %s: the scenario has 1 candidate and needs 2: add one, or leave the goal "+
						"out", g.Label())
		}
	}
	for i := range base.Candidates {
		if e := base.Candidates[i].Elector; e != nil &&
			(e.LeaseDuration != nil || e.RenewDeadline != nil || e.RetryPeriod != nil || e.RequestTimeout != nil) {
			return nil,
				fmt.Errorf(
					"candidates[%d].elector: the candidate has its own durations; leave them out, so that the "+
						"adviser can set them", i)
		}
	}
	a := &Adviser{base: base, goals: goals, all: slices.Clone(goals)}
	a.settings = lattice(goals, a.ground())
	for i := range kinds {
		k := &kinds[i]
		if k.Name != Survive && k.Name != Latency &&
			!slices.ContainsFunc(goals, func(g Goal) bool { return g.Name == k.Name }) {
			a.all = append(a.all, Goal{Kind: k, Share: shares[0].share, Bound: never})
		}
	}
	a.tried, a.failed = make([][]measurement, len(a.settings)), make([]bool, len(a.settings))
	return a, nil
}

// Next implements study.Stages. It returns an error if no setting fits the scenario.
func (a *Adviser) Next() (study.Plan[grid.Run], error) {
	plan, err := a.next()
	if plan == nil {
		return nil, err
	}
	return plan, nil
}

// `next` returns the plan of the next stage, or nil when the advice is complete. It first reads the measurements of the
// last stage. Then it tries, in this order: refine a lattice without a solution, prove settings for empty roles,
// widen the lattice if a role is still empty, and accept settings that had two leaders.
func (a *Adviser) next() (*grid.Plan, error) {
	switch {
	case a.plan == nil:
		return a.begin(indexes(len(a.settings)), latticeRuns, a.measuredGoals())
	case a.proving:
		a.prove()
	default:
		for k, i := range a.stage {
			a.tried[i] = a.outcome[k]
		}
		if a.contradict(); a.set != nil && a.round == 0 {
			if fresh := a.refine(); len(fresh) > 0 {
				return a.begin(fresh, latticeRuns, a.measuredGoals())
			}
			return nil, nil
		}
		a.set = nil
		if a.round == 0 {
			a.apart = slices.ContainsFunc(a.feasible(a.wishes()), a.neverTwo)
		}
	}
	if a.round < maxRounds {
		a.round++
		if fresh := a.choose(); len(fresh) > 0 {
			a.proving = true
			return a.begin(fresh, proofRuns, a.all)
		}
	}
	if fresh := a.widen(); len(fresh) > 0 {
		a.proving = false
		return a.begin(fresh, latticeRuns, a.measuredGoals())
	}
	if a.apart && len(a.chosen) == 0 && a.round < maxRounds {
		a.allowTwo()
		return a.next()
	}
	return nil, nil
}

// allowTwo drops the requirement that advised settings never have two leaders. It does so if no goal contains that
// requirement and no setting without two leaders passed its proof. It then forgets the misses of only that
// requirement, and recomputes which settings the other misses rule out.
func (a *Adviser) allowTwo() {
	a.apart, a.proving, a.stage = false, false, nil
	a.misses = slices.DeleteFunc(a.misses, func(m miss) bool { return m.unwished })
	for i := range a.settings {
		a.failed[i] = slices.ContainsFunc(a.misses, func(m miss) bool {
			return i == m.setting || m.goal.noBetter(&a.settings[i], &a.settings[m.setting])
		})
	}
}

// measuredGoals returns the goals that the lattice measures.
func (a *Adviser) measuredGoals() []Goal { return append(slices.Clone(a.goals), a.all[a.overlap()]) }

// maxRefined limits how often the lattice becomes finer. The lattice becomes finer while no setting meets the goals
// and no proof shows that none can.
const maxRefined = 2

// `refine` adds settings around the ones that come closest to meeting the goals, and returns their numbers.
func (a *Adviser) refine() []int {
	if a.proof != nil || a.refined == maxRefined {
		return nil
	}
	a.refined++
	var from []int
	for _, g := range a.set {
		from = append(from, a.nearest(g, nearSettings)...)
	}
	a.set = nil
	return a.addAround(from)
}

// widen adds settings while a role is empty: first around settings that passed their proof, then around the last
// settings that missed a goal.
func (a *Adviser) widen() []int {
	if len(a.chosen) == len(roles) || a.refined == maxRefined {
		return nil
	}
	a.refined++
	from := elements.Of(a.chosen, func(c choice) int { return c.setting })
	for k := len(a.misses) - 1; k >= 0 && len(from) < nearSettings; k-- {
		if i := a.misses[k].setting; !slices.Contains(from, i) {
			from = append(from, i)
		}
	}
	return a.addAround(from)
}

// addAround adds the settings around the given ones and returns the numbers of the new settings.
func (a *Adviser) addAround(some []int) []int {
	before := len(a.settings)
	for _, i := range some {
		for _, s := range neighbors(a.settings[i], boundOf(a.goals, Latency)) {
			if !slices.Contains(a.settings, s) {
				failed := slices.ContainsFunc(a.misses,
					func(m miss) bool { return m.goal.noBetter(&s, &a.settings[m.setting]) })
				a.settings, a.tried, a.failed = append(a.settings, s), append(a.tried, nil), append(a.failed, failed)
			}
		}
	}
	return slices.DeleteFunc(indexes(len(a.settings))[before:], func(i int) bool { return a.failed[i] })
}

// nearSettings is the number of settings around which to refine, for each of the goals that contradict each other.
const nearSettings = 4

// `nearest` looks at the settings that meet all but one of the contradicting goals, and lists the settings that come
// closest to that one goal. For every kind of goal a smaller value is closer: a length, a rate, or the number of runs
// that lost their leader. If values are equal, the longer renewDeadline comes first, because it survives longer
// outages.
func (a *Adviser) nearest(goal, most int) []int {
	others := slices.DeleteFunc(slices.Clone(a.set), func(other int) bool { return other == goal })
	meet := a.feasible(others)
	slices.SortStableFunc(meet, func(x, y int) int {
		return cmp.Or(cmp.Compare(a.tried[x][goal].value, a.tried[y][goal].value),
			cmp.Compare(a.settings[y].Renew, a.settings[x].Renew))
	})
	return meet[:min(most, len(meet))]
}

// `begin` makes the plan of a stage: each setting with each probe that the goals need. It leaves out settings that the
// scenario format refuses.
func (a *Adviser) begin(settings []int, runs int, goals []Goal) (*grid.Plan, error) {
	a.probes = nil
	for p := range noProbe {
		if slices.ContainsFunc(goals, func(g Goal) bool { return g.probe == p }) {
			a.probes = append(a.probes, p)
		}
	}
	var all []grid.Combination
	a.stage = nil
	var refused error
	for _, i := range settings {
		combinations, err := a.combinations(i)
		if err != nil {
			refused = err
			continue
		}
		a.stage, all = append(a.stage, i), append(all, combinations...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no setting fits the scenario: %w", refused)
	}
	a.plan, a.runs, a.outcome = grid.NewPlan(all, 1, runs), nil, make([][]measurement, len(a.stage))
	return a.plan, nil
}

func (a *Adviser) combinations(setting int) ([]grid.Combination, error) {
	var all []grid.Combination
	for _, p := range a.probes {
		c, err := grid.With(a.base, p.changes(&a.settings[setting], a.goals))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// Take receives the next run of the plan. Runs arrive probe by probe and setting by setting. When a probe of a
// setting has all its runs, Take measures and drops them, so the adviser never keeps the runs of more than one probe.
func (a *Adviser) Take(number int, one grid.Run) {
	combination, seed := a.plan.Of(number)
	if a.runs = append(a.runs, grid.Seeded{Seed: seed, Run: one}); len(a.runs) < a.plan.Seeds {
		return
	}
	setting, p := combination/len(a.probes), a.probes[combination%len(a.probes)]
	if a.outcome[setting] == nil {
		a.outcome[setting] = make([]measurement, len(a.all))
	}
	for g := range a.all {
		if a.all[g].probe == p {
			a.outcome[setting][g] = a.all[g].measure(a.runs)
		}
	}
	a.runs = a.runs[:0]
}

// `meets` reports whether a setting of the lattice meets some goals.
func (a *Adviser) meets(setting int, goals []int) bool {
	if a.tried[setting] == nil {
		return false
	}
	return !slices.ContainsFunc(goals, func(g int) bool { return !a.goals[g].isMetBy(a.tried[setting][g]) })
}

// feasible lists the settings of the lattice that meet some goals, except settings that missed a goal in a proof.
func (a *Adviser) feasible(goals []int) []int {
	var all []int
	for i := range a.settings {
		if a.meets(i, goals) && !a.failed[i] {
			all = append(all, i)
		}
	}
	return all
}

func (a *Adviser) wishes() []int { return indexes(len(a.goals)) }

// overlap returns the number of the goal about two leaders, whether the user asked for it or not.
func (a *Adviser) overlap() int {
	return slices.IndexFunc(a.all, func(g Goal) bool { return g.Name == Overlap })
}

// neverTwo reports whether no run of a setting had two leaders.
func (a *Adviser) neverTwo(setting int) bool { return a.tried[setting][a.overlap()].value == 0 }

// `contradict` finds the smallest set of goals that no setting meets together, if one exists. All runs have the latency
// of the goals. If the proof that no setting meets the other goals needs that latency, the latency goal joins the set.
func (a *Adviser) contradict() {
	a.set, a.proof, a.joined = nil, nil, false
	if len(a.feasible(a.wishes())) > 0 {
		return
	}
	a.smallest()
	for _, name := range []string{Latency, Overlap} { // adding one of these may allow a proof for every setting
		k := slices.IndexFunc(a.goals, func(g Goal) bool { return g.Name == name })
		if a.proof != nil || k < 0 || slices.Contains(a.set, k) {
			continue
		}
		with := append(slices.Clone(a.set), k)
		slices.Sort(with)
		if proof := contradicts(a.pick(with), a.ground()); proof != nil {
			a.set, a.proof, a.joined = with, proof, true
		}
	}
}

// `subsets` lists the sets of goals, small ones first. There are not many, because users have only a few goals: six
// goals have 63 sets.
func (a *Adviser) subsets() [][]int {
	n := len(a.goals)
	var all [][]int
	for bits := 1; bits < 1<<n; bits++ {
		var set []int
		for g := range n {
			if bits>>g&1 == 1 {
				set = append(set, g)
			}
		}
		all = append(all, set)
	}
	slices.SortStableFunc(all, func(x, y []int) int { return cmp.Compare(len(x), len(y)) })
	return all
}

// `smallest` finds the smallest set of goals that no measured setting meets together, preferably one with a proof. The
// first set that it finds determines the size. It then tries the other sets of that size until one has a proof.
func (a *Adviser) smallest() {
	for _, set := range a.subsets() {
		if len(a.feasible(set)) > 0 {
			continue
		}
		proof := contradicts(a.pick(set), a.ground())
		if a.set == nil || (proof != nil && len(set) == len(a.set)) {
			a.set, a.proof = set, proof
		}
		if len(set) > len(a.set) || a.proof != nil {
			return
		}
	}
}

// otherProved lists the other smallest sets of goals with a proof that they contradict each other, small ones first.
// It leaves out a set that contains one of the found sets, because such a set contains no new information.
func (a *Adviser) otherProved() [][]int {
	found := [][]int{a.set}
	for _, set := range a.subsets() {
		covered := slices.ContainsFunc(found, func(one []int) bool {
			return !slices.ContainsFunc(one, func(g int) bool { return !slices.Contains(set, g) })
		})
		if !covered && len(set) > 1 && len(a.feasible(set)) == 0 && contradicts(a.pick(set), a.ground()) != nil {
			found = append(found, set)
		}
	}
	return found[1:]
}

func (a *Adviser) pick(set []int) []Goal {
	return elements.Of(set, func(g int) Goal { return a.goals[g] })
}

// `roles` lists the roles of the advised settings. Each role has an order of settings, and the first setting in that
// order gets the role. The quickest has the shortest leaseDuration plus two polls, which is how long a takeover
// takes. The quietest has the longest retryPeriod, and the steadiest the longest renewDeadline.
var roles = []struct {
	name string
	less func(a *Adviser, x, y *Setting) int
}{
	{"quickest", func(_ *Adviser, x, y *Setting) int {
		return cmp.Or(cmp.Compare(x.Lease+2*x.Retry, y.Lease+2*y.Retry), cmp.Compare(y.Renew, x.Renew))
	}},
	{"quietest", func(_ *Adviser, x, y *Setting) int {
		return cmp.Or(cmp.Compare(y.Retry, x.Retry), cmp.Compare(x.Lease, y.Lease), cmp.Compare(y.Renew, x.Renew))
	}},
	{"steadiest", func(_ *Adviser, x, y *Setting) int {
		return cmp.Or(cmp.Compare(y.Renew, x.Renew), cmp.Compare(x.Lease, y.Lease), cmp.Compare(y.Retry, x.Retry))
	}},
}

// `choose` fills the empty roles and returns the new settings. A setting has only one role: if the quickest setting is
// also the steadiest, the second steadiest setting gets that role.
func (a *Adviser) choose() []int {
	var fresh []int
	for _, role := range roles {
		if slices.ContainsFunc(a.chosen, func(c choice) bool { return c.role == role.name }) {
			continue
		}
		free := slices.DeleteFunc(a.feasible(a.wishes()), func(i int) bool {
			return a.apart && !a.neverTwo(i) ||
				slices.ContainsFunc(a.chosen, func(c choice) bool { return c.setting == i })
		})
		if len(free) == 0 {
			continue
		}
		best := slices.MinFunc(free, func(x, y int) int { return role.less(a, &a.settings[x], &a.settings[y]) })
		a.chosen = append(a.chosen, choice{role: role.name, setting: best})
		fresh = append(fresh, best)
	}
	return fresh
}

// `prove` reads the measurements of the last chosen settings, and drops each setting that missed a goal.
func (a *Adviser) prove() {
	for k, i := range a.stage {
		at := slices.IndexFunc(a.chosen, func(c choice) bool { return c.setting == i })
		a.chosen[at].proved = a.outcome[k]
		missed := false
		for g := range a.all {
			wish, unwished := a.all[g], g == a.overlap() && g >= len(a.goals) && a.apart
			if unwished {
				wish.Bound = 0
			}
			if !wish.isMetBy(a.outcome[k][g]) {
				missed = true
				a.fail(&wish, i, unwished)
			}
		}
		if missed && a.almost == nil {
			almost := a.chosen[at]
			a.almost = &almost
		}
		if missed {
			a.chosen = slices.Delete(a.chosen, at, at+1)
		}
	}
}

// miss is a goal that a setting missed in its proof.
type miss struct {
	goal     Goal
	setting  int
	unwished bool // the miss is about two leaders, and no goal mentions them
}

// `fail` records that a setting missed a goal. It rules out every setting that is not better for that goal in any
// field, because such a setting would miss the goal, too.
func (a *Adviser) fail(g *Goal, setting int, unwished bool) {
	a.misses = append(a.misses, miss{*g, setting, unwished})
	for i := range a.settings {
		a.failed[i] = a.failed[i] || g.noBetter(&a.settings[i], &a.settings[setting])
	}
	a.failed[setting] = true
}

// noBetter reports whether no field of a setting is better for the goal than the same field of another setting. Each
// line says in which direction a field gets worse. For a takeover, longer is worse in all three fields. For survive,
// a shorter renewDeadline is worse, and so is a longer retryPeriod, which leaves fewer attempts. If a setting is
// better in one field and worse in another, only runs can tell which setting is better.
func (g *Goal) noBetter(o, than *Setting) bool {
	switch g.Name {
	case Survive, Latency:
		return o.Renew <= than.Renew && o.Retry >= than.Retry && o.Timeout >= than.Timeout
	case Takeover:
		return o.Lease >= than.Lease && o.Retry >= than.Retry && o.Timeout >= than.Timeout
	case Overlap:
		return o.Lease <= than.Lease && o.Renew >= than.Renew && o.Retry >= than.Retry && o.Timeout >= than.Timeout
	}
	return o.Retry <= than.Retry
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
