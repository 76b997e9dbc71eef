package hunt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/trace"
)

// Plan describes a hunt. The JSON of a Plan has everything that the runs depend on.
type Plan struct {
	Scenario scenario.Scenario // every run has the acts of this scenario, but not its assertions
	Seed     uint64
	Runs     int      `json:"-"` // maximum number of runs, not counting runs for shrinking
	Faults   []string // kinds to draw; nil for all
	Blind    bool     // draw each run independently
	Whole    bool     // do not shrink failures; keep all their faults
	_        struct{}
}

// Limits of a plan.
const (
	MaxRuns = 10_000_000
	// A round has few runs, because its findings guide the following rounds. At first it has inRound runs, and later
	// a sixteenth of the number of all previous runs, but at most mostInRound.
	inRound     = 16
	mostInRound = 64
)

// The names of rules that stand for failures of the engine itself. They have no severity.
const (
	Crashed = "crash" // the engine panicked
	NoEnd   = "noEnd" // the run did not reach its end
)

// Failure is a distinct failure.
type Failure struct {
	Rule     string         `json:"rule"`
	Severity rules.Severity `json:"severity"`
	Run      int            `json:"run"` // number of the first run with this failure, from 1
	Causes   []string       `json:"causes"`
	// the scenario, after shrinking if the plan allows it, with assertions that the scenario meets
	Scenario scenario.Scenario `json:"scenario"`
	Found    int               `json:"found"` // number of acts before shrinking
	Crash    string            `json:"crash,omitempty"`
}

// Outcome contains the results of the hunt so far.
type Outcome struct {
	Runs     int
	Hash     string // hash of the trace hashes of all runs, in the order of their numbers
	Features int    // number of different pairs, states and near misses in all runs
	Kept     int    // number of runs that later runs vary
	Failures []Failure
}

// keptRun is a run that reached something new. keptRun stores when the leader was in trouble or nearly so, because
// another fault matters only then.
type keptRun struct {
	schedule schedule
	led      []span // when a fault may move the Lease from one candidate to another
	silent   []span // when the leader was in trouble
}

// mostKept limits the number of kept runs. The hunt drops the oldest runs first.
const mostKept = 400

// Hunt is a hunt in progress.
type Hunt struct {
	plan     Plan
	ground   ground
	runs     int
	hash     trace.Hash // over the runs' hashes
	known    map[place]Record
	features map[feature]struct{}
	corpus   []keptRun
	keys     map[string]struct{} // keys of failures before shrinking
	shrunk   map[string]struct{} // keys of failures after shrinking
	lone     []bool              // by kind: whether this kind of fault breaks safety on its own
	pending  []found             // to shrink in the next round
	failures []Failure
}

// found is a failure that no earlier run had.
type found struct {
	Run      int
	Failure  failure.Failure
	Happened []string // events of the failure's run
	Scenario scenario.Scenario
	Crash    string
}

// New prepares a hunt. The runs happen when you make the trials that Round returns. For an impossible plan, New
// returns an error.
func New(p Plan) (*Hunt, error) {
	if p.Runs < 1 || p.Runs > MaxRuns {
		return nil, fmt.Errorf("runs %d must be 1 to %d; for more, start several hunts with different seeds", p.Runs,
			MaxRuns)
	}
	allowed, err := kindsNamed(p.Faults)
	if err != nil {
		return nil, err
	}
	h := &Hunt{
		plan: p, ground: newGround(p.Scenario, allowed), lone: make([]bool, len(kinds)),
		known: map[place]Record{}, features: map[feature]struct{}{}, keys: map[string]struct{}{},
		shrunk: map[string]struct{}{},
	}
	if err := scenario.Validate(h.ground.base); err != nil {
		return nil, fmt.Errorf("the scenario, prolonged by the time to recover: %w", err)
	}
	return h, nil
}

func kindsNamed(names []string) ([]int, error) {
	var all []int
	for k := range kinds {
		if len(names) == 0 || slices.Contains(names, kinds[k].name) {
			all = append(all, k)
		}
	}
	known, _ := Kinds()
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		if near := scenario.Nearest(name, known); near != "" {
			return nil, fmt.Errorf("faults %q: unknown; did you mean %q?", name, near)
		}
		return nil, fmt.Errorf("faults %q: unknown; use %s", name, strings.Join(known, ", "))
	}
	return all, nil
}

// Round returns the trials of the next round, or none when the hunt is over. A round begins by shrinking the previous
// round's findings, because that takes the longest. The results guide the next round. A round never depends on its
// own results, because then the order in which workers finish would matter.
func (h *Hunt) Round() []*Trial {
	all := h.Last()
	end := min(roundEnd(h.runs), h.plan.Runs)
	for number := h.runs; number < end; number++ {
		all = append(all, h.fillKnown(&Trial{hunt: h, place: place{run: number + 1}}))
	}
	return all
}

// Last returns the trials that shrink what the runs have found so far. It is for a hunt that ends early.
func (h *Hunt) Last() []*Trial {
	var all []*Trial
	for i := range h.pending {
		all = append(all, h.fillKnown(&Trial{hunt: h, place: place{h.runs, i + 1}, shrinks: &h.pending[i]}))
	}
	return all
}

// roundEnd returns the number of runs at the end of a round that begins after the given number of runs. Early rounds
// are short, because their findings guide the next rounds. Later rounds are longer, to keep more cores busy.
func roundEnd(runs int) int {
	end := 2
	for end <= runs {
		end += min(end, max(inRound, end/16), mostInRound)
	}
	return end
}

// `draw` draws the faults of a run. Several goroutines call draw at once, so it only reads the data that Take writes.
func (h *Hunt) draw(number int) schedule {
	d := h.ground.drawing(h.plan.Seed, number)
	if h.plan.Blind {
		return h.ground.fresh(d)
	}
	weigh := func(kind int) bool { return !h.lone[kind] || d.one(8) }
	const first = 8 // runs before the first variation
	if number >= first && number%2 == 1 && len(h.corpus) > 0 {
		return h.ground.vary(d, h.pick(d), h.pick(d), weigh)
	}
	if number > first {
		number = first + (number-first)/2
	}
	return h.ground.spread(d, func(slot int) int { return h.deal(d, number*mostSlots+slot, weigh) })
}

// deal deals the kinds like cards from packs with one card of each kind, so that no kind is missing for long. If the
// method weigh refuses a kind, another one usually replaces it.
func (h *Hunt) deal(d *drawing, place int, weigh func(kind int) bool) int {
	n := len(h.ground.kinds)
	pack := h.ground.drawing(h.plan.Seed, -1-place/n).Perm(n)
	k := h.ground.kinds[pack[place%n]]
	for range n {
		if weigh(k) {
			break
		}
		k = h.ground.kinds[d.IntN(n)]
	}
	return k
}

// `pick` picks a kept run. It prefers newer runs, because they reached something rare.
func (h *Hunt) pick(d *drawing) *keptRun {
	n := len(h.corpus)
	return &h.corpus[n-1-d.IntN(1+d.IntN(n))]
}

// Take receives the results of all trials of a round, in the order in which Round returned the trials.
func (h *Hunt) Take(trials []*Trial) {
	h.pending = nil
	for _, t := range trials {
		if t.Shrinks() {
			h.takeShrunk(t)
			continue
		}
		h.runs++
		h.hash = mix(h.hash, t.hash)
		h.takeRun(t)
	}
}

// mix adds the hash of one run to the hash of all runs. The order of the runs matters. So two hunts with the same
// hash made the same runs in the same order, whatever machines they ran on.
func mix(all, one trace.Hash) trace.Hash {
	x := (uint64(all) ^ uint64(one)) * 0x9E3779B97F4A7C15
	return trace.Hash(x ^ x>>29)
}

// takeRun processes the result of a run. Failures with new keys go to the next round for shrinking. The run joins the
// corpus if it has a new feature. If two runs of one round have the same new feature, that feature counts as new only
// for the run with the lower number.
func (h *Hunt) takeRun(t *Trial) {
	for i := range t.failures {
		f := &t.failures[i]
		key := f.Key()
		if _, known := h.keys[key]; known {
			continue
		}
		h.keys[key] = struct{}{}
		h.pending = append(h.pending, found{Run: t.place.run, Failure: *f, Happened: t.happened, Scenario: t.scenario,
			Crash: t.crash})
	}
	fresh := false
	for _, f := range t.looker.features {
		if _, known := h.features[f]; !known {
			h.features[f], fresh = struct{}{}, true
		}
	}
	if !fresh || h.plan.Blind {
		return
	}
	if len(h.corpus) == mostKept {
		h.corpus = slices.Delete(h.corpus, 0, 1)
	}
	h.corpus = append(h.corpus, keptRun{t.schedule, upTo(t.looker.led, h.ground.untilNs),
		upTo(t.looker.silent, h.ground.untilNs)})
}

// takeShrunk processes a shrunk failure. Shrinking removes acts that do not matter, so two failures that looked
// different may now have the same key. Then the hunt keeps only the first of the two. If a safety failure needs only
// one kind of fault, later runs rarely have that kind.
func (h *Hunt) takeShrunk(t *Trial) {
	f := t.shrinks
	one := Failure{Rule: f.Failure.Rule, Severity: f.Failure.Severity, Run: f.Run, Causes: t.causes,
		Scenario: t.scenario, Found: len(f.Scenario.Actions), Crash: t.crash}
	key := failure.Failure{Rule: one.Rule, Causes: one.Causes}
	if _, known := h.shrunk[key.Key()]; known {
		return
	}
	h.shrunk[key.Key()] = struct{}{}
	h.failures = append(h.failures, one)
	if k := loneKind(one.Scenario.Actions); k >= 0 && one.Severity == rules.Safety && t.crash == "" {
		h.lone[k] = true
	}
}

// If all acts are faults of the same kind, loneKind returns that kind, and otherwise -1.
func loneKind(acts []scenario.Action) int {
	kind := -1
	for i := range acts {
		k := kindOf(&acts[i])
		if k < 0 || kind >= 0 && kind != k {
			return -1
		}
		kind = k
	}
	return kind
}

// kindOf returns the kind of fault that has such an act, or -1.
func kindOf(a *scenario.Action) int {
	name := a.Act
	switch a.Act {
	case scenario.ActIntercept:
		name = "message"
	case scenario.ActClock:
		if name = "jump"; a.RatePpm != 0 {
			name = "rate"
		}
	case scenario.ActSet:
		name = "settings"
	case scenario.ActRestart:
		if a.Target != scenario.TargetEverybody {
			name = "stop"
		}
	}
	return kindNamed(name)
}

// Outcome returns the results of the hunt so far.
func (h *Hunt) Outcome() Outcome {
	return Outcome{Runs: h.runs, Hash: h.hash.String(), Features: len(h.features), Kept: len(h.corpus),
		Failures: h.failures}
}
