// Package hunt looks for failures: it runs a scenario with faults of its own, many times. Each run has other faults;
// under them it is watched for safety, and afterwards a leader is demanded.
//
// A hunt is guided. A run that comes to something new, to a pair of events that no run before had or to a state of all
// candidates, is kept, and later runs vary it. What has been found is looked for less. A blind hunt draws each run by
// itself.
//
// A hunt proceeds in rounds: Round gives the trials of the next one, which may run anywhere and in any order, and Take
// takes their results. A trial leaves as a Task, and its result comes back as a Record: to other workers, or to a file.
//
// Guarantee: the failures are a function of the plan and of how many runs were taken, wherever they were made and
// however often the hunt was stopped. Each is one scenario that breaks its rule, and no two have the same rule and
// causes. Non-guarantee: a hunt that finds nothing proves nothing.
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

// Plan says where to hunt. Its JSON is all that the runs depend on.
type Plan struct {
	Scenario scenario.Scenario // its acts stay in every run; what it expects is left out
	Seed     uint64
	Runs     int      `json:"-"` // at most; shrinking does not count
	Faults   []string // kinds that may be drawn; nil: all
	Blind    bool     // draw each run by itself
	Whole    bool     // leave failures as they were found, with all their faults
	_        struct{}
}

// Limits of a plan.
const (
	MaxRuns = 10_000_000
	// A round has few runs, for what they come to guides the rounds after it: inRound of them, later a sixteenth of the
	// runs so far, but at most mostInRound.
	inRound     = 16
	mostInRound = 64
)

// Rules of failures of the engine itself. They have no severity.
const (
	Crashed = "crash" // the engine panicked
	NoEnd   = "noEnd" // the run did not come to its end
)

// Failure is a distinct one.
type Failure struct {
	Rule     string         `json:"rule"`
	Severity rules.Severity `json:"severity"`
	Run      int            `json:"run"` // the first that had it, from 1
	Causes   []string       `json:"causes"`
	// shrunk, unless the plan says otherwise, with the assertions that it meets
	Scenario scenario.Scenario `json:"scenario"`
	Found    int               `json:"found"` // acts before it was shrunk
	Crash    string            `json:"crash,omitempty"`
}

// Outcome is what is known so far.
type Outcome struct {
	Runs     int
	Hash     string // over the trace hashes of all runs, in the order of their numbers
	Features int    // kinds of pairs, states and near misses that runs came to
	Kept     int    // runs that are varied
	Failures []Failure
}

// kept is a run that came to something new.
type kept struct {
	schedule schedule
	led      []span // when a fault may take the Lease from one candidate to another
	silent   []span // when the leader was in trouble
}

// mostKept is how many runs are kept; then the oldest go.
const mostKept = 400

// Hunt is a plan under way.
type Hunt struct {
	plan     Plan
	ground   ground
	runs     int
	hash     trace.Hash // over those of the runs
	known    map[place]Record
	features map[feature]struct{}
	corpus   []kept
	keys     map[string]struct{} // of failures as they were found
	shrunk   map[string]struct{} // and as they were shrunk
	lone     []bool              // by kind: it breaks safety by itself
	pending  []found             // to be shrunk in the next round
	failures []Failure
}

// found is a failure that no run had before.
type found struct {
	Run      int
	Failure  failure.Failure
	Happened []string // in its run
	Scenario scenario.Scenario
	Crash    string
}

// New begins a hunt. Nothing is run before the trials of Round. An impossible plan is an error that begins with what is
// wrong.
func New(p Plan) (*Hunt, error) {
	if p.Runs < 1 || p.Runs > MaxRuns {
		return nil, fmt.Errorf("runs %d must be 1 to %d; more go into several hunts, each with another seed", p.Runs,
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
		return nil, fmt.Errorf("the scenario and the time to recover: %w", err)
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
		return nil, fmt.Errorf("faults %q: unknown; there are %s", name, strings.Join(known, ", "))
	}
	return all, nil
}

// Round gives the trials of the next round, none when the hunt is over. What a round found is shrunk beside the runs of
// the next one, first of all because it takes longest: it guides the runs after that.
func (h *Hunt) Round() []*Trial {
	all := h.Last()
	end := min(roundEnd(h.runs), h.plan.Runs)
	for number := h.runs; number < end; number++ {
		all = append(all, h.recorded(&Trial{hunt: h, place: place{run: number + 1}}))
	}
	return all
}

// Last gives the trials that shrink what the runs so far have found: those of a round without runs, for a hunt that
// ends before its plan does.
func (h *Hunt) Last() []*Trial {
	var all []*Trial
	for i := range h.pending {
		all = append(all, h.recorded(&Trial{hunt: h, place: place{h.runs, i + 1}, shrinks: &h.pending[i]}))
	}
	return all
}

// roundEnd is how many runs there are after the round that begins with so many: the first rounds are short, because
// what they come to guides the next ones, and a long round keeps more cores busy.
func roundEnd(runs int) int {
	end := 2
	for end <= runs {
		end += min(end, max(inRound, end/16), mostInRound)
	}
	return end
}

// draw draws the faults of a run. Trials call it on several goroutines at once: it only reads what Take writes.
func (h *Hunt) draw(number int) schedule {
	d := h.ground.drawing(h.plan.Seed, number)
	if h.plan.Blind {
		return h.ground.fresh(d)
	}
	weigh := func(kind int) bool { return !h.lone[kind] || d.one(8) }
	const first = 8 // runs before the first one is varied
	if number >= first && number%2 == 1 && len(h.corpus) > 0 {
		return h.ground.vary(d, h.pick(d), h.pick(d), weigh)
	}
	if number > first {
		number = first + (number-first)/2
	}
	return h.ground.spread(d, func(slot int) int { return h.deal(d, number*mostSlots+slot, weigh) })
}

// deal gives the kinds from packs that have each of them once, so that none is left out for long. Another kind mostly
// replaces one that weigh refuses.
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

// pick picks a kept run, the newer ones more often: they came to what is rare.
func (h *Hunt) pick(d *drawing) *kept {
	n := len(h.corpus)
	return &h.corpus[n-1-d.IntN(1+d.IntN(n))]
}

// Take takes the results of all trials of a round, in the order in which Round gave them.
func (h *Hunt) Take(trials []*Trial) {
	h.pending = nil
	for _, t := range trials {
		if t.Shrinks() {
			h.takeShrunk(t)
			continue
		}
		h.runs++
		h.hash = mixed(h.hash, t.hash)
		h.takeRun(t)
	}
}

// mixed is the hash over runs with another one.
func mixed(all, one trace.Hash) trace.Hash {
	x := (uint64(all) ^ uint64(one)) * 0x9E3779B97F4A7C15
	return trace.Hash(x ^ x>>29)
}

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
	h.corpus = append(h.corpus, kept{t.schedule, before(t.looker.led, h.ground.untilNs),
		before(t.looker.silent, h.ground.untilNs)})
}

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

// loneKind is the kind of fault of acts that are all of one kind, -1 if they are not.
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

// kindOf is the kind of fault that draws such an act, -1 if none does.
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

// Outcome is what is known so far.
func (h *Hunt) Outcome() Outcome {
	return Outcome{Runs: h.runs, Hash: h.hash.String(), Features: len(h.features), Kept: len(h.corpus),
		Failures: h.failures}
}
