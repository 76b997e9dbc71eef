package sliced

import (
	"fmt"
	"regexp"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/advise"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/words"
)

// adviseForm adds the help of each goal to the form.
func adviseForm(f *Form, _ scenario.Scenario) {
	for _, k := range advise.Kinds() {
		f.field(k.Name).Help = k.Help + "."
	}
}

// advising is an adviser in progress.
type advising struct {
	adviser *advise.Adviser
	base    scenario.Scenario
	goals   []advise.Goal
	file    string
	runs    *study.Study[grid.Run]
	stage   int
	made    int // number of runs in earlier stages
	advice  *advise.Advice
	shared  under[[]int] // run numbers of each part
}

func newAdvise(s scenario.Scenario, file string, given answers) (Study, error) {
	var texts []string
	for _, k := range advise.Kinds() {
		if bound := given[k.Name]; bound != "" {
			texts = append(texts, k.Name+"="+bound)
			if _, err := advise.ParseGoals(texts[len(texts)-1:]); err != nil {
				return nil, refuse(k.Name, bound, err.Error())
			}
		}
	}
	goals, err := advise.ParseGoals(texts)
	if err != nil {
		return nil, refuse(advise.Takeover, "", "Set a goal: "+err.Error())
	}
	adviser, err := advise.New(s, goals)
	if err != nil {
		return nil, refuse("candidates", "", err.Error())
	}
	return &advising{adviser: adviser, base: s, goals: goals, file: file}, nil
}

// Go implements Study.
func (a *advising) Go() (over bool, err error) {
	if over, err := a.begin(); over || err != nil {
		return over, err
	}
	over = a.runs.Go(4)
	a.take()
	if over {
		a.made, a.runs = a.made+a.runs.Of(), nil
	}
	return false, nil
}

// `begin` begins the next stage if none is in progress. It reports whether the advice is complete.
func (a *advising) begin() (over bool, err error) {
	if a.advice != nil || a.runs != nil {
		return a.advice != nil, nil
	}
	plan, err := a.adviser.Next()
	if err != nil {
		return true, err
	}
	if plan == nil {
		advice := a.adviser.Advice(a.file)
		a.advice = &advice
		return true, nil
	}
	a.stage++
	a.runs = study.New(plan, study.Shard{})
	return false, nil
}

// `take` passes the next results to the adviser.
func (a *advising) take() {
	for number, one, more := a.runs.Take(); more; number, one, more = a.runs.Take() {
		a.adviser.Take(number, one)
	}
}

// Report implements Study.
func (a *advising) Report() Report {
	r := Report{Done: int64(a.made), Of: int64(a.made), Unit: "runs", Command: a.command()}
	if a.runs != nil {
		r.Done, r.Of = r.Done+int64(a.runs.Done()), r.Of+int64(a.runs.Of())
		r.Progress = "measuring the settings"
		if a.stage > 1 {
			r.Progress = "proving the advised settings"
		}
	}
	if a.advice == nil {
		return r
	}
	r.Sentences = []string{advise.Wish(a.goals)}
	if a.advice.Latency != "" {
		r.Sentences = append(r.Sentences, "In all runs "+a.advice.Latency+".")
	}
	tried := fmt.Sprintf("%s settings, %d runs of each", words.Thousands(int64(a.advice.Tried)), a.advice.RunsOfEach)
	switch {
	case a.advice.Contradiction != nil:
		a.contradiction(&r, tried)
	case a.advice.Region == nil || len(a.advice.Settings) == 0:
		r.Title, r.Tone = "No tried setting is sure to meet all goals.", "bad"
		r.Sentences = append(r.Sentences, "Of "+tried+
			", some met all goals in a few runs, but none did in a thousand. Relax a goal.")
	default:
		a.region(&r, tried)
	}
	return r
}

func (a *advising) command() string {
	text := "leaselab advise"
	for i := range a.goals {
		text += " " + a.goals[i].String()
	}
	return text + " --scenario " + a.file
}

func (a *advising) contradiction(r *Report, tried string) {
	c := a.advice.Contradiction
	r.Title, r.Tone = c.Title(), "bad"
	r.Sentences = append(append(append(r.Sentences, c.Sentences()...), c.Why...), "Measured, of "+tried+":")
	for i := range c.Nearest {
		n := &c.Nearest[i]
		r.Items = append(r.Items, Item{Title: settingWords(&n.Values), Kind: n.Measure.Says,
			Note: c.NearestTo(n), Run: a.with(&n.Values)})
	}
}

func (a *advising) region(r *Report, tried string) {
	region := a.advice.Region
	r.Title, r.Tone = words.Count(region.Settings, "setting meets", "settings meet")+" all goals", "good"
	r.Sentences = append(r.Sentences,
		fmt.Sprintf("Of %s: leaseDuration %s to %s, renewDeadline %s to %s, retryPeriod %s to %s.", tried,
			region.LeaseDuration.From, region.LeaseDuration.To, region.RenewDeadline.From, region.RenewDeadline.To,
			region.RetryPeriod.From, region.RetryPeriod.To))
	if a.advice.NeverTwo {
		r.Sentences = append(r.Sentences, "The settings below never had two leaders when the leader was cut off.")
	}
	for i := range a.advice.Settings {
		one := &a.advice.Settings[i]
		item := Item{Title: settingWords(&one.Values), Kind: "the " + one.Role, Run: a.with(&one.Values)}
		for _, m := range one.Measured {
			wished := ""
			if m.Wished {
				wished = " (your goal)"
			}
			item.Lines = append(item.Lines,
				fmt.Sprintf("%s%s: %s, in %s runs: %s", m.Goal, wished, m.Says, words.Thousands(int64(m.Runs)), m.Of))
		}
		r.Items = append(r.Items, item)
	}
}

// units finds a number and its unit.
var units = regexp.MustCompile(`(\d)(m?s)\b`)

// settingWords returns a setting in words.
func settingWords(v *advise.Values) string {
	text := fmt.Sprintf("Lease %s, give up after %s, look every %s", v.LeaseDuration, v.RenewDeadline, v.RetryPeriod)
	return units.ReplaceAllString(text, "$1 $2")
}

// with returns the scenario, including its acts, with a setting. It returns nil if the setting does not fit the
// scenario.
func (a *advising) with(v *advise.Values) *Opens {
	s := a.base.Clone()
	s.Expect = nil
	s, err := scenario.SetAll(s, []scenario.Change{
		{Path: "elector.leaseDuration", Value: v.LeaseDuration},
		{Path: "elector.renewDeadline", Value: v.RenewDeadline},
		{Path: "elector.retryPeriod", Value: v.RetryPeriod}, {Path: "elector.requestTimeout", Value: v.RequestTimeout},
	})
	if err != nil {
		return nil
	}
	return opens(s, int64(s.Duration))
}
