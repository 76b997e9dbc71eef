package numbers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/words"
)

// Base is the shipped scenario whose network and candidates all runs have.
const Base = "fault-free"

// Runs is the number of runs for an answer, with the seeds from 1 on.
const Runs = 10_000

// usualCandidates is the number of candidates in the scenario Base.
const usualCandidates = 3

// settled is the number of retryPeriods after which the phases of the candidates' polls no longer depend on their
// starts: the leader crashes after it. With a shorter retryPeriod than 1 s, the phases within a second still matter, so
// each run draws them.
const settled = 10

// MostCandidates limits the candidates of a setting.
const MostCandidates = 100

// Plan is the runs of a setting: study.New hands them out. The result of a run is the time without a leader.
type Plan struct {
	setting    Setting
	candidates int
	changes    []scenario.Change // of Base
	scenario   scenario.Scenario
	seeds      *compile.Seeds
}

var _ study.Plan[int64] = (*Plan)(nil)

// Changes returns the fields of a scenario that give its electors this setting.
func (s Setting) Changes() []scenario.Change {
	changes := []scenario.Change{
		{Path: "elector.leaseDuration", Value: s.LeaseDuration.String()},
		{Path: "elector.renewDeadline", Value: s.deadline().String()},
		{Path: "elector.retryPeriod", Value: s.RetryPeriod.String()},
	}
	if s.NoDeadline {
		changes = append(changes, scenario.Change{Path: "elector.dialect", Value: `["noDeadline"]`})
	}
	return changes
}

// NewPlan returns the plan of a setting. It refuses what client-go refuses.
func NewPlan(base scenario.Scenario, s Setting, candidates int) (*Plan, error) {
	if err := s.Refusal(); err != nil {
		return nil, err
	}
	if candidates < 2 || candidates > MostCandidates {
		return nil, fmt.Errorf("candidates %d: must be from 2 to %d", candidates, MostCandidates)
	}
	at := settled*s.RetryPeriod + time.Second
	within := max(s.RetryPeriod, time.Second)
	lasts := at + within + time.Duration(s.Closed(candidates).Takeover.Max) + time.Second
	changes := append(s.Changes(),
		scenario.Change{Path: "duration", Value: lasts.String()},
		scenario.Change{Path: "actions",
			Value: fmt.Sprintf(`[{"at":%q,"act":"crash","target":"holder","within":%q}]`, at, within)},
		scenario.Change{Path: "expect", Value: "[]"})
	if candidates != usualCandidates || s.RetryPeriod < time.Second {
		changes = append(changes, scenario.Change{Path: "candidates",
			Value: fmt.Sprintf(`[{"name":"n","replicas":%d,"startJitterMax":"1s"}]`, candidates)})
	}
	changed, err := scenario.SetAll(base, changes)
	if err != nil {
		return nil, err
	}
	changed.Name, changed.Title = "numbers", "A leader with "+s.String()+" crashes"
	return &Plan{s, candidates, changes, changed, compile.ForSeeds(changed)}, nil
}

// Runs implements study.Plan.
func (p *Plan) Runs() int { return Runs }

// Run implements study.Plan: it returns the time from the crash until another candidate leads.
func (p *Plan) Run(number int) int64 {
	return p.takeover(number, run.Watchers{}).Checks.Changes[1].LeaderlessNs
}

// takeover makes a run up to the takeover. The run is long enough for the slowest one.
func (p *Plan) takeover(number int, with run.Watchers) *run.Run {
	r := run.New(p.seeds.Setup(uint64(number)+1), with)
	for len(r.Checks.Changes) < 2 && r.Step(r.EndNs(), nil) {
	}
	return r
}

// Measured is what the runs of a setting showed.
type Measured struct {
	Runs        int             `json:"runs"`
	Slowest     summary.Seconds `json:"slowestSeconds"`
	MiddleSeed  uint64          `json:"middleSeed"` // a run that takes as long as the median
	SlowestSeed uint64          `json:"slowestSeed"`
	Middle      []Phase         `json:"middle"` // the takeover in the middle run
	Histogram   Histogram       `json:"histogram"`
	Command     string          `json:"command"` // makes the same runs
}

// Phase is one part of a takeover.
type Phase struct {
	Seconds  summary.Seconds `json:"seconds"`
	Shown    string          `json:"shown"` // in seconds, rounded so that the parts add up
	Text     string          `json:"text"`
	Counting bool            `json:"counting"` // the countdown of the new leader filled the time
}

// Histogram counts the runs in equal spans of time.
type Histogram struct {
	From summary.Seconds `json:"fromSeconds"`
	To   summary.Seconds `json:"toSeconds"`
	Runs []int           `json:"runs"`
}

const bars = 16

// Answer returns the answer of the setting with what the first runs showed.
func (p *Plan) Answer(gaps []int64) Answer {
	a := p.setting.Closed(p.candidates)
	if len(gaps) == 0 {
		return a
	}
	spread := study.SpreadOf(slices.Clone(gaps))
	a.Takeover.P50, a.Takeover.P99 = summary.Seconds(spread.P50), summary.Seconds(spread.P99)
	middle := slices.Index(gaps, spread.P50)
	a.Measured = &Measured{Runs: len(gaps), Slowest: summary.Seconds(spread.Max), MiddleSeed: uint64(middle) + 1,
		SlowestSeed: uint64(slices.Index(gaps, spread.Max)) + 1, Middle: p.parts(middle), Command: p.command()}
	h := &a.Measured.Histogram
	from, to := slices.Min(gaps), spread.Max+1
	h.From, h.To, h.Runs = summary.Seconds(from), summary.Seconds(to), make([]int, bars)
	for _, gap := range gaps {
		h.Runs[(gap-from)*bars/(to-from)]++
	}
	return a
}

// parts explains the takeover of a run.
func (p *Plan) parts(number int) (all []Phase) {
	parts := p.takeover(number, run.Watchers{Explanation: true}).Tracker.Explanations[1].Parts
	var lengths []int64
	for _, part := range parts {
		lengths = append(lengths, part.ToNs-part.FromNs)
	}
	for i, hundredths := range explain.LargestRemainder(lengths, 1e7) {
		all = append(all, Phase{summary.Seconds(lengths[i]), words.Hundredths(hundredths), parts[i].Text,
			parts[i].Counting})
	}
	return all
}

// command returns the command line that makes the same runs.
func (p *Plan) command() string {
	var b strings.Builder
	b.WriteString("leaselab sweep " + Base)
	for _, c := range p.changes {
		b.WriteString(" --set " + words.ShellArgument(c.Path+"="+c.Value))
	}
	fmt.Fprintf(&b, " --seeds 1..%d", Runs)
	return b.String()
}

// Open returns the run of a seed as a document, with the instant of the takeover and the end of the run.
func (p *Plan) Open(seed uint64) (document json.RawMessage, atNs, endNs int64) {
	s := p.scenario
	s.Seed = seed
	r := p.takeover(int(seed-1), run.Watchers{})
	return scenario.Encode(s), r.Checks.Changes[1].AtNs, int64(s.Duration)
}
