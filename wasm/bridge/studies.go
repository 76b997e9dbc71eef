//go:build !page

package bridge

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/wire/yaml"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/heat"
	"github.com/leaselab/leaselab/sim/study/numbers"
	"github.com/leaselab/leaselab/sim/study/sliced"
	"github.com/leaselab/leaselab/sim/view/export/gotest"
	"github.com/leaselab/leaselab/sim/words"
)

func init() {
	beyond = append(beyond, []Operation{
		answers("heatFields", starts, (*Bridge).heatFields),
		answers("goTest", starts, (*Bridge).goTest),
		answers("heatPlan", starts, (*Bridge).heatPlan),
		answers("heatCells", starts, (*Bridge).heatCells),
		answers("heatRuns", starts, (*Bridge).heatRuns),
		answers("heatOpen", starts, (*Bridge).heatOpen),
		answers("numbersGo", starts, (*Bridge).numbersGo),
		answers("numbersOpen", starts, (*Bridge).numbersOpen),
		answers("studyForm", starts, (*Bridge).studyForm),
		answers("studyGo", starts, (*Bridge).studyGo),
		answers("studyMake", starts, (*Bridge).studyMake),
	}...)
}

// studied returns the study of a specification. It begins the study, unless the last request was about the same one.
func studied[T any](b *Bridge, of any, begin func() (T, error)) (T, error) {
	spec := string(plain(of))
	if last, is := b.studied.(T); is && b.spec == spec {
		return last, nil
	}
	study, err := begin()
	if err == nil {
		b.studied, b.spec = study, spec
	}
	return study, err
}

// goTest writes a scenario as a test in Go.
func (b *Bridge) goTest(p *ScenarioParams) (*GoTest, error) {
	s, err := b.scenarioOf(p.Scenario)
	if err != nil {
		return nil, err
	}
	test, err := gotest.Export(s, gotest.Options{Encode: func(s scenario.Scenario) []byte {
		return yaml.Print(scenario.Encode(s))
	}})
	if err != nil {
		return nil, err
	}
	return &GoTest{File: test.File(), Text: test.Text}, nil
}

// heatFields suggests fields for the axes.
func (b *Bridge) heatFields(p *ScenarioParams) (*HeatFields, error) {
	s, err := b.scenarioOf(p.Scenario)
	if err != nil {
		return nil, err
	}
	return &HeatFields{Fields: heat.Fields(s)}, nil
}

// heat returns the map of a specification. It refuses cells without runs.
func (b *Bridge) heat(p *HeatStudy, cells ...int) (*heat.Map, error) {
	m, err := studied(b, p, func() (*heat.Map, error) {
		s, err := b.scenarioOf(p.Scenario)
		if err != nil {
			return nil, err
		}
		return heat.New(heat.Spec{Scenario: s, X: p.X, Y: p.Y, First: p.First, Seeds: p.Seeds, VaryPhase: p.VaryPhase,
			Duration: p.Duration})
	})
	for _, cell := range cells {
		if err == nil && (cell < 0 || cell >= m.Cells() || m.Refusal(cell) != "") {
			err = &scenario.FieldError{Path: "cells", Value: fmt.Sprint(cell), Rule: "a cell with runs",
				Message: fmt.Sprintf("the map has no runs in cell %d", cell)}
		}
	}
	return m, err
}

// heatPlan returns the cells of a map, before any run.
func (b *Bridge) heatPlan(p *HeatParams) (*HeatPlan, error) {
	m, err := b.heat(&p.Study)
	if err != nil {
		return nil, err
	}
	out := &HeatPlan{X: m.X, Y: m.Y, Refused: []HeatRefused{}, Measures: m.Measures(), Presets: m.Presets(),
		Command: b.sweepCommand(m)}
	for cell := range m.Cells() {
		if rule := m.Refusal(cell); rule != "" {
			out.Refused = append(out.Refused, HeatRefused{Cell: cell, Rule: short(rule)})
		}
	}
	return out, nil
}

// sweepCommand returns the command that makes the same runs as a map.
func (b *Bridge) sweepCommand(m *heat.Map) string {
	var c strings.Builder
	fmt.Fprintf(&c, "leaselab sweep %s", b.fileOf(m.Spec.Scenario))
	for _, set := range m.Sets() {
		c.WriteString(" --set " + words.ShellQuoted(set))
	}
	fmt.Fprintf(&c, " --seeds %d..%d", m.Spec.First, m.Spec.First+uint64(m.Spec.Seeds)-1)
	if m.Spec.VaryPhase && len(m.Spec.Scenario.Actions) > 0 {
		c.WriteString(" --vary-phase")
	}
	return c.String()
}

// fileOf returns the scenario's name on a command line: its own name if leaselab ships it, otherwise the name of the
// file in which the page saves it.
func (b *Bridge) fileOf(s scenario.Scenario) string {
	if one, there, err := b.shelf.find(s.Name); there && err == nil {
		one.Seed = s.Seed
		if bytes.Equal(scenario.Encode(one), scenario.Encode(s)) {
			return s.Name
		}
	}
	return "scenario.yaml"
}

// heatCells makes some runs of some cells.
func (b *Bridge) heatCells(p *HeatCellsParams) (*HeatCells, error) {
	m, err := b.heat(&p.Study, p.Cells...)
	if err != nil {
		return nil, err
	}
	out := &HeatCells{Cells: make([]HeatCell, len(p.Cells))}
	for i, cell := range p.Cells {
		row := m.Row(cell, p.Seeds)
		out.Cells[i] = HeatCell{Cell: cell, Runs: row.Runs, Values: m.Values(&row), AtLeast: m.AtLeast(&row),
			Row: plain(row)}
		b.reportProgress()
	}
	return out, nil
}

// reportProgress tells the page that a long request is still running.
func (b *Bridge) reportProgress() {
	if b.alive != nil {
		b.alive()
	}
}

// heatRuns lists the runs of a cell, the worst first.
func (b *Bridge) heatRuns(p *HeatRunsParams) (*heat.Detail, error) {
	m, err := b.heat(&p.Study, p.Cell)
	if err != nil {
		return nil, err
	}
	d := m.Detail(p.Cell, p.Seeds, p.Measure)
	return &d, nil
}

// heatOpen returns one run of a cell, and the instant of its worst event.
func (b *Bridge) heatOpen(p *HeatOpenParams) (*StudiedRun, error) {
	m, err := b.heat(&p.Study, p.Cell)
	if err != nil {
		return nil, err
	}
	s := m.Scenario(p.Cell, p.Seed)
	return &StudiedRun{Scenario: scenario.Encode(s), At: m.Worst(p.Cell, p.Seed, p.Measure), End: int64(s.Duration)},
		nil
}

// measuredNumbers is the runs of a setting so far.
type measuredNumbers struct {
	plan *numbers.Plan
	runs *study.Study[int64]
	gaps []int64
}

// numbers returns the runs of a setting. If the last request was about another setting, they begin.
func (b *Bridge) numbers(p *NumbersParams) (*measuredNumbers, error) {
	return studied(b, []any{p.Setting, p.Candidates}, func() (*measuredNumbers, error) {
		base, err := b.scenarioOf([]byte(`"` + numbers.Base + `"`))
		if err != nil {
			return nil, err
		}
		setting, err := numbers.Parse(p.Setting)
		if err != nil {
			return nil, err
		}
		plan, err := numbers.NewPlan(base, setting, p.Candidates)
		if err != nil {
			return nil, err
		}
		return &measuredNumbers{plan: plan, runs: study.New(plan, study.Shard{})}, nil
	})
}

// numbersGo makes runs of a setting for some milliseconds.
func (b *Bridge) numbersGo(p *NumbersParams) (*NumbersAnswer, error) {
	n, err := b.numbers(p)
	if err != nil {
		return nil, err
	}
	until := b.clock.Now().Add(min(time.Duration(p.Ms)*time.Millisecond, mostSlice))
	over := false
	for first := true; !over && (first || b.clock.Now().Before(until)); first = false {
		over = n.runs.Go(1)
		if _, gap, more := n.runs.Take(); more {
			n.gaps = append(n.gaps, gap)
		}
		b.reportProgress()
	}
	answer := n.plan.Answer(n.gaps)
	return &NumbersAnswer{over, answer, answer.Badge()}, nil
}

// numbersOpen returns one run of a setting, and the instant of its takeover.
func (b *Bridge) numbersOpen(p *NumbersParams) (*StudiedRun, error) {
	n, err := b.numbers(p)
	if err != nil {
		return nil, err
	}
	document, at, end := n.plan.Open(p.Seed)
	return &StudiedRun{Scenario: document, At: at, End: end}, nil
}

// studyForm returns the fields of the form for a kind of study.
func (b *Bridge) studyForm(p *StudyFormParams) (*sliced.Form, error) {
	s, err := b.scenarioOf(p.Scenario)
	if err != nil {
		return nil, err
	}
	form, err := sliced.FormOf(p.Kind, s)
	return &form, err
}

// underWay is a study that proceeds in slices.
type underWay struct {
	study sliced.Study
	over  bool
}

// mostSlice limits how long one request of a study may take.
const mostSlice = time.Second

// underWay returns the study of a specification. If the last request was about another study, it begins the study.
func (b *Bridge) underWay(spec *StudySpec) (*underWay, error) {
	return studied(b, spec, func() (*underWay, error) {
		s, err := b.scenarioOf(spec.Scenario)
		if err != nil {
			return nil, err
		}
		under, err := sliced.New(spec.Kind, s, b.fileOf(s), spec.Values)
		return &underWay{study: under}, err
	})
}

// studyGo continues a study, or begins it.
func (b *Bridge) studyGo(p *StudyGoParams) (*StudyAnswer, error) {
	if p.Begin {
		b.studied = nil
	}
	u, err := b.underWay(&p.Study)
	if err != nil {
		return nil, err
	}
	if timed, is := u.study.(sliced.Timed); is {
		timed.Spent(time.Duration(p.Took) * time.Millisecond)
	}
	if shared, is := u.study.(sliced.Shared); is && p.Parts > 0 {
		for _, r := range p.Results {
			if err := shared.Put(r.Part, r.Result); err != nil {
				return nil, err
			}
		}
		parts, over, err := shared.Parts(p.Parts)
		if err != nil {
			b.studied = nil
			return nil, err
		}
		u.over = over
		return u.answer(p, parts), nil
	}
	until := b.clock.Now().Add(min(time.Duration(p.Ms)*time.Millisecond, mostSlice))
	for first := true; !u.over && (first || b.clock.Now().Before(until)); first = false {
		var err error
		if u.over, err = u.study.Go(); err != nil {
			b.studied = nil
			return nil, err
		}
		b.reportProgress()
	}
	return u.answer(p, nil), nil
}

// answer returns the progress of a study, with the parts for other workers.
func (u *underWay) answer(p *StudyGoParams, parts []sliced.Part) *StudyAnswer {
	out := &StudyAnswer{Over: u.over, Parts: append([]sliced.Part{}, parts...)}
	if u.over || !p.Quiet {
		report := u.study.Report().Whole()
		out.Report = &report
	}
	return out
}

// studyMake computes a part of a study for another worker.
func (b *Bridge) studyMake(p *StudyMakeParams) (*PartResult, error) {
	u, err := b.underWay(&p.Study)
	if err != nil {
		return nil, err
	}
	shared, is := u.study.(sliced.Shared)
	if !is {
		return nil, &scenario.FieldError{Path: "study.kind", Value: p.Study.Kind, Rule: "a study in parts",
			Message: fmt.Sprintf("the study %s has no parts", p.Study.Kind)}
	}
	result, err := shared.Make(p.Part.Work)
	return &PartResult{Part: p.Part.Number, Result: result}, err
}
