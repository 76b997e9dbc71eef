package explore

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Counterexample is the earliest schedule that breaks a rule. It has few choices other than the default. The search
// looks for a schedule with fewer choices if that is quick, and drops every choice without which the rule still
// breaks.
type Counterexample struct {
	Rule     Rule
	AtNs     int64
	Sentence string            // describes the violation
	Choices  []Chosen          // the choices that are not the default, in order
	Scenario scenario.Scenario // the scenario's run breaks the rule, and its assertions name all broken rules
}

// Chosen describes a choice in words.
type Chosen struct {
	AtNs int64
	Kind string // set, jitter, delay or order
	Node string // node of the choice; "" for a field
	What string
}

// errNoReplay means that the search found a violation that the engine does not reproduce.
var errNoReplay = errors.New(
	"the run of the counterexample does not break the rule: this is a bug in explore, please report it with the " +
		"scenario")

// Counterexample returns the earliest schedule so far that breaks a rule, or nil. Before it returns, it runs the
// scenario to confirm the violation.
func (x *Explorer) Counterexample() (*Counterexample, error) {
	if x.found == nil {
		return nil, nil
	}
	c, err := x.minimize(x.found.path)
	if err != nil || c.countChosen() < 2 {
		return c, err
	}
	if path, is := x.fewer(c.countChosen()); is {
		if other, err := x.minimize(path); err == nil && other.countChosen() < c.countChosen() {
			return other, nil
		}
	}
	return c, nil
}

// countChosen counts the choices other than the default, without values of fields.
func (c *Counterexample) countChosen() (count int) {
	for i := range c.Choices {
		if c.Choices[i].Kind != kindNames[chooseVariant] {
			count++
		}
	}
	return count
}

// minimize turns a path into a counterexample without unnecessary choices. It resets one choice after another to the
// default, runs the scenario with the ordinary engine and checkers, and keeps the default if the rule breaks no later
// than before. So the search does not have to trust itself: package check confirms every violation that it reports.
func (x *Explorer) minimize(path []int32) (*Counterexample, error) {
	rule := x.plan.Rules[x.found.rule]
	p := &x.walk(path).pins
	at, sentence, broken := breaks(p.scenario(rule), rule, x.plan.UntilNs)
	if !broken || at > x.found.atNs+slackNs {
		return nil, errNoReplay
	}
	limit := at
	for k := len(p.choices) - 1; k >= 0; k-- { // later choices first, because then the earlier ones stay valid
		if p.choices[k].Kind == kindNames[chooseVariant] {
			continue
		}
		p.choices[k].usual = true
		if sooner, says, still := breaks(p.scenario(rule), rule, x.plan.UntilNs); still && sooner <= limit {
			at, sentence = sooner, says
		} else {
			p.choices[k].usual = false
		}
	}
	c := &Counterexample{Rule: rule, AtNs: at, Sentence: sentence, Scenario: p.scenario(rule)}
	c.Scenario.Expect = append(c.Scenario.Expect, others(c.Scenario)...)
	for i := range p.choices {
		if one := &p.choices[i]; !one.usual {
			c.Choices = append(c.Choices, one.Chosen)
		}
	}
	return c, nil
}

// `others` returns assertions for the other rules that a scenario's run breaks.
func others(s scenario.Scenario) []scenario.Expect {
	r := run.Plain(s)
	r.To(r.EndNs(), nil)
	var all []scenario.Expect
	for i := range r.Checks.Violations {
		v := &r.Checks.Violations[i]
		has := func(e scenario.Expect) bool { return e.Violation == v.Rule }
		if v.Severity != rules.Observation && !slices.ContainsFunc(s.Expect, has) && !slices.ContainsFunc(all, has) {
			all = append(all, scenario.Expect{Violation: v.Rule})
		}
	}
	return all
}

// slackNs is how much later the counterexample's run may break the rule than the schedule does. The run may break the
// rule later because the scenario needs delays of a few nanoseconds to express an order at one instant.
const slackNs = 1000

// `breaks` runs a scenario. It returns the instant at which the run breaks a rule, and a sentence about the violation.
func breaks(s scenario.Scenario, rule Rule, untilNs int64) (atNs int64, sentence string, broken bool) {
	r := run.Plain(s)
	r.To(untilNs, nil)
	atNs = -1
	for i := range r.Checks.Violations {
		v := &r.Checks.Violations[i]
		end := v.UntilNs
		if end < 0 {
			end = untilNs
		}
		at := v.FromNs
		if rule.Name == rules.MoreThanOneActive {
			if end-v.FromNs <= rule.LongerNs && rule.LongerNs > 0 {
				continue
			}
			at += rule.LongerNs
		}
		if v.Rule == rule.Name && (atNs < 0 || at < atNs) {
			atNs, sentence = at, sentenceOf(r, v, end)
		}
	}
	return atNs, sentence, atNs >= 0
}

func sentenceOf(r *run.Run, v *check.Violation, endNs int64) string {
	return v.Describe(func(i int32) string {
		if i < 0 {
			return ""
		}
		return r.World.Node(i).Name()
	}, endNs-v.FromNs)
}

// pins is a schedule in the form of draws and acts, which a scenario can contain. A wait becomes an entry of
// jitterDraws, a delay becomes an intercept act, and an order at one instant becomes a delay of a nanosecond.
type pins struct {
	base    scenario.Scenario
	jitter  [][]float64 // draws by candidate
	choices []pinChoice
}

// pinChoice is a choice and the way a scenario reproduces it.
type pinChoice struct {
	Chosen
	usual bool // the choice is back at the default

	candidate, draw int // for a draw: its indexes in jitter
	value, usually  float64
	act             *scenario.Action // the act that delays a message
	source          int32            // the act that comes laterNs later, or -1
	ends            bool             // the end of the act comes later
	laterNs         int64
}

// walker follows a schedule again and records what a scenario needs to reproduce the schedule.
type walker struct {
	*Follower
	pins
	s    *state
	rule int // the rule that broke at the end, or none
}

// walk follows a schedule again, until the end or until the schedule breaks a rule.
func (x *Explorer) walk(path []int32) *walker {
	again := &Follower{bounds: &x.bounds, before: never}
	w := &walker{Follower: again, rule: none}
	number := int32(0)
	if len(x.roots) > 1 {
		number = path[0]
	}
	w.s = again.begin(number)
	w.jitter = make([][]float64, len(x.roots[number].setup.Candidates))
	again.watched = w.note
	for depth := x.depthAfter(&frame{}); ; depth++ {
		c, due, broken := again.run(w.s, depth)
		if w.rule = broken; depth == len(path) || broken != none || path[depth] >= c.count {
			break
		}
		f := frame{choice: c, due: slices.Clone(due)}
		w.noteChoice(&f, path[depth])
		if w.rule, w.brokenNs = again.apply(w.s, &f, path[depth]), w.s.world.Now(); w.rule != none {
			break
		}
	}
	w.pins.base = w.variant()
	return w
}

// variant returns the scenario of the schedule. If several variants remain, the method takes any of them, because all
// behave the same until the schedule ends.
func (w *walker) variant() scenario.Scenario {
	r := &w.roots[w.s.root]
	v := &r.variants[r.groups[w.s.group].members[0]]
	set := elements.Of(v.changes, func(c scenario.Change) pinChoice {
		return pinChoice{Chosen: Chosen{Kind: kindNames[chooseVariant], What: c.Path + " is " + c.Value}, source: -1}
	})
	w.choices = append(set, w.choices...)
	return v.scenario
}

// `note` records the draws of a step.
func (w *walker) note(records []trace.Record) {
	for i := range records {
		if r := &records[i]; r.Kind == trace.JitterDrawn {
			w.jitter[r.Candidate] = append(w.jitter[r.Candidate], r.Jitter().Draw)
			if w.s.drawn {
				list := w.jitter[r.Candidate]
				list[len(list)-1] = w.drawsOf(w.s, r.Candidate)[0]
			}
		}
	}
}

// noteChoice records an option that is not the default.
func (w *walker) noteChoice(f *frame, option int32) {
	now := w.s.world.Now()
	one := pinChoice{Chosen: Chosen{AtNs: now, Kind: kindNames[f.kind]}, source: -1, candidate: -1}
	if f.node >= 0 {
		one.Node = w.s.world.Node(f.node).Name()
	}
	if option == 0 {
		return
	}
	switch f.kind {
	case chooseDraw:
		list, options := w.jitter[f.node], w.drawsOf(w.s, f.node)
		one.candidate, one.draw, one.value, one.usually = int(f.node), len(list)-1, options[option], options[0]
		list[one.draw] = one.value
		w.s.world.Redraw(f.node, one.value)
		waits := w.s.world.Node(f.node).WakesNs() - now
		one.What = fmt.Sprintf("%s waits %s before its next attempt (draw %.4g)", one.Node, words.Seconds(waits),
			one.value)
	case chooseDelay:
		ns := w.plan.DelaysNs[option-1]
		seq, _ := w.s.world.UnderWay(f.node)
		one.act = &scenario.Action{
			At: scenario.Duration(now + 1), Act: scenario.ActIntercept, Target: one.Node,
			Message: scenario.MessageElector, Effect: scenario.EffectLate,
			Nth: int(seq), For: scenario.Duration(ns),
		}
		one.What = fmt.Sprintf("%s's request %d or its answer takes %s longer", one.Node, seq, time.Duration(ns))
	case chooseOrder:
		w.noteOvertaken(f, option)
		return
	default:
		return
	}
	w.choices = append(w.choices, one)
}

// noteOvertaken records messages and acts that usually come earlier. In a chosen order, a message or an act may come
// after something that usually comes later at the same instant. The scenario delays such a message or act by a
// nanosecond.
func (w *walker) noteOvertaken(f *frame, option int32) {
	at := w.s.world.NextAt()
	name := func(d *world.Due) string {
		if d.IsAct() {
			return "the act"
		}
		return "the message of " + w.s.world.Node(d.Node).Name()
	}
	for k := range option {
		d := &f.due[k]
		if !d.IsAct() && d.Seq == 0 { // a write to the resource; no choice or rule depends on it
			continue
		}
		one := pinChoice{source: -1, candidate: -1, laterNs: 1}
		one.Chosen = Chosen{AtNs: at, Kind: kindNames[chooseOrder], What: name(&f.due[option]) + " comes before " +
			name(d)}
		if d.IsAct() {
			c := &w.s.world.Ahead()[0]
			one.source, one.ends = c.Source, c.Kind == world.DoOver || c.Auto
		} else {
			one.Node = w.s.world.Node(d.Node).Name()
			one.act = &scenario.Action{
				At: scenario.Duration(at), Act: scenario.ActIntercept, Target: one.Node,
				Message: scenario.MessageElector, Effect: scenario.EffectLate,
				Nth: int(d.Seq), For: 1,
			}
		}
		w.choices = append(w.choices, one)
	}
}

// scenario converts the schedule to a scenario that asserts the violation.
func (p *pins) scenario(rule Rule) scenario.Scenario {
	s := withoutReplicas(p.base)
	for i := range s.Candidates {
		s.Candidates[i].JitterDraws = slices.Clone(p.jitter[i])
	}
	slices.SortStableFunc(s.Actions, func(a, b scenario.Action) int { return int(min(max(a.At-b.At, -1), 1)) })
	var held []scenario.Action
	for i := range p.choices {
		one := &p.choices[i]
		switch {
		case one.usual && one.candidate >= 0 && one.Kind == kindNames[chooseDraw]:
			s.Candidates[one.candidate].JitterDraws[one.draw] = one.usually
		case one.usual:
		case one.act != nil:
			k := slices.IndexFunc(held, func(a scenario.Action) bool {
				return a.Target == one.act.Target && a.Nth == one.act.Nth && a.At == one.act.At
			})
			if k >= 0 { // this act also comes after something that is usually later
				held[k].For += one.act.For
				continue
			}
			held = append(held, *one.act)
		case one.source >= 0 && one.ends:
			s.Actions[one.source].For += scenario.Duration(one.laterNs)
		case one.source >= 0:
			s.Actions[one.source].At += scenario.Duration(one.laterNs)
		}
	}
	s.Actions = append(s.Actions, held...)
	if rule.Name == rules.LeaderlessTooLong {
		s.Bounds.Leaderless = scenario.Duration(rule.LongerNs)
	}
	s.Expect = []scenario.Expect{{Violation: rule.Name}}
	s.Museum, s.Summary = nil, ""
	if s.Name != "" {
		s.Name = s.Name[:min(len(s.Name), 63-len(suffix))] + suffix
	}
	s.Title = "The shortest schedule that breaks " + rule.Name
	return s
}

const suffix = "-explored"

// withoutReplicas returns the scenario with one entry for each candidate, because each has its own draws.
func withoutReplicas(s scenario.Scenario) scenario.Scenario {
	s = s.Clone()
	var all []scenario.Candidate
	for _, c := range s.Candidates {
		if c.Replicas == 0 {
			all = append(all, c)
			continue
		}
		for _, r := range scenario.ResolveCandidate(s, c) {
			one := c
			one.Name, one.Replicas, one.SpreadStart, one.StartAt = r.Name, 0, 0, scenario.Duration(r.StartAt)
			all = append(all, one)
		}
	}
	s.Candidates = all
	return s
}
