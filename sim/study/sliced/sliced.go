// Package sliced runs a study in slices for the page, and describes it in words: the form's fields, the progress, and
// the findings, each with a run to open. FormOf returns the form, New begins a Study from the filled fields, and
// Report returns the study's progress. Through Shared, other workers can help.
//
// Guarantee: the outcome is the same as from the study's own package, whatever the slices. Non-guarantee: a Study is
// not safe for concurrent use, and one slice may take longer than another.
package sliced

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// The kinds of studies.
const (
	Advise  = "advise"
	Hunt    = "hunt"
	Shrink  = "shrink"
	Explore = "explore"
)

// FormField is a field for a visitor to fill in. Its value is text.
type FormField struct {
	Name    string   `json:"name"`
	Label   string   `json:"label"`
	Help    string   `json:"help"`
	Value   string   `json:"value"`             // initial value
	Options []Option `json:"options,omitempty"` // values to choose from
	Fixed   bool     `json:"fixed,omitempty"`   // no other value is possible
}

// Option is a value of a field, in words.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// Form contains the fields that a kind of study asks for.
type Form struct {
	Says   string      `json:"says"` // what the study does
	Fields []FormField `json:"fields"`
	Start  string      `json:"start"` // label of the button
}

// Filled is what a visitor has entered into a field.
type Filled struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Study is a study in progress. A worker of the page calls Go until Go returns true. In between, the worker answers
// other messages, and shows a Report from time to time.
type Study interface {
	// Go works for one slice of some milliseconds and returns true if the study is over.
	Go() (over bool, err error)
	// Report returns the results of the study so far.
	Report() Report
}

// Report describes the state of a study in words.
type Report struct {
	Done      int64    `json:"done"`
	Of        int64    `json:"of"`       // 0 if the amount of work is unknown
	Progress  string   `json:"progress"` // "1,234 runs, 3 failures"
	Unit      string   `json:"unit"`     // unit of Done: "runs"
	Title     string   `json:"title"`    // the answer, or "" if there is none yet
	Tone      string   `json:"tone"`     // good, bad or ""
	Sentences []string `json:"sentences"`
	Items     []Item   `json:"items"`
	Command   string   `json:"command"` // command that gives the same result
}

// Whole returns the report with empty lists instead of nil, for the page.
func (r Report) Whole() Report {
	r.Sentences = append([]string{}, r.Sentences...)
	r.Items = append([]Item{}, r.Items...)
	for i := range r.Items {
		r.Items[i].Lines = append([]string{}, r.Items[i].Lines...)
	}
	return r
}

// Item is a part of the answer.
type Item struct {
	Title string   `json:"title"`
	Kind  string   `json:"kind,omitempty"` // what is wrong, in few words
	Note  string   `json:"note,omitempty"` // how the study found it
	Lines []string `json:"lines"`
	Run   *Opens   `json:"run,omitempty"` // run to open
}

// Opens contains a run to open, the end of that run, and the most interesting instant.
type Opens struct {
	Scenario json.RawMessage `json:"scenario"`
	AtNs     int64           `json:"at"`
	EndNs    int64           `json:"end"`
}

// opens returns the run of a scenario to open at an instant.
func opens(s scenario.Scenario, atNs int64) *Opens {
	return &Opens{scenario.Encode(s), atNs, int64(s.Duration)}
}

// kindWords names what breaking a rule means.
func kindWords(rule string) string {
	known, is := rules.ByName(rule)
	switch {
	case rule == rules.MoreThanOneActive:
		return "two leaders"
	case rule == rules.WriteByNonHolder:
		return "a write without the Lease"
	case is:
		return known.Title
	}
	return rule
}

// actSays describes an act in a clause: "a hangs for 17 s".
func actSays(a *scenario.Action) string {
	act := scenario.ActNamed(a.Act)
	if act == nil {
		return a.Act
	}
	text := act.Say(a.Target)
	if how := cmp.Or(a.Op, a.Error, a.Direction, a.Mode, a.Effect); how != "" {
		text += " (" + how + ")"
	}
	if a.For > 0 {
		text += " for " + words.WholeSeconds(int64(a.For))
	}
	return text
}

// actsSay returns a title for a scenario with acts, and a line for each act.
func actsSay(s *scenario.Scenario) (title string, lines []string) {
	const named = 3
	var all []string
	for i := range s.Actions {
		says := actSays(&s.Actions[i])
		lines = append(lines, words.Instant(int64(s.Actions[i].At))+"  "+says)
		if i < named {
			all = append(all, says)
		}
	}
	if more := len(s.Actions) - named; more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	title = cmp.Or(strings.Join(all, "; "), "no act at all")
	if len(all) == 0 || s.Actions[0].Target == "" || !strings.HasPrefix(title, s.Actions[0].Target) {
		title = strings.ToUpper(title[:1]) + title[1:] // but a node keeps its name
	}
	return title, lines
}

// FormOf returns the form of a kind for a scenario.
func FormOf(kind string, s scenario.Scenario) (Form, error) {
	k, err := kindNamed(kind)
	if err != nil {
		return Form{}, err
	}
	return *k.formOf(s), nil
}

//go:embed forms.json
var formTexts []byte

// formOf returns the form of a kind for a scenario: its texts, and what depends on the scenario.
func (k *kindOf) formOf(s scenario.Scenario) *Form {
	all := map[string]*Form{}
	if err := json.Unmarshal(formTexts, &all); err != nil {
		panic("sliced: " + err.Error())
	}
	k.fill(all[k.name], s)
	return all[k.name]
}

// field returns the field with a name.
func (f *Form) field(name string) *FormField {
	return &f.Fields[slices.IndexFunc(f.Fields, func(one FormField) bool { return one.Name == name })]
}

// New begins a study of a scenario. The argument file is the scenario's name on a command line. The Path of an error
// is the path of the wrong field.
func New(kind string, s scenario.Scenario, file string, values []Filled) (Study, error) {
	k, err := kindNamed(kind)
	if err != nil {
		return nil, err
	}
	form := k.formOf(s)
	given := answers{}
	for _, f := range form.Fields {
		given[f.Name] = ""
	}
	for _, v := range values {
		if _, known := given[v.Name]; !known {
			return nil, refuse(v.Name, v.Value, fmt.Sprintf("the study %s has no field %q", kind, v.Name))
		}
		given[v.Name] = strings.TrimSpace(v.Value)
	}
	return k.begin(s, file, given)
}

// kindOf is a kind of study.
type kindOf struct {
	name  string
	fill  func(*Form, scenario.Scenario) // adds what depends on the scenario to the form
	begin func(s scenario.Scenario, file string, given answers) (Study, error)
}

var kinds = []kindOf{
	{Advise, adviseForm, newAdvise},
	{Hunt, huntForm, newHunt},
	{Shrink, shrinkForm, newShrink},
	{Explore, exploreForm, newExplore},
}

func kindNamed(kind string) (kindOf, error) {
	k := slices.IndexFunc(kinds, func(k kindOf) bool { return k.name == kind })
	if k < 0 {
		return kindOf{}, refuse("kind", kind, fmt.Sprintf("unknown study %q", kind))
	}
	return kinds[k], nil
}

// answers holds the value of each field, by the field's name.
type answers map[string]string

// `list` splits the value of a field at a separator.
func (a answers) list(name, separator string) []string {
	var all []string
	for part := range strings.SplitSeq(a[name], separator) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

func refuse(path, value, message string) error {
	return &scenario.FieldError{Path: path, Value: value, Rule: message, Message: message}
}

// brokenAt returns the first instant at which a scenario's run breaks a rule. If the run breaks none, brokenAt
// returns the end of the run.
func brokenAt(s scenario.Scenario, rule string) int64 {
	r := run.WithClauses(s)
	for r.Step(r.EndNs(), nil) {
	}
	r.Settle(r.EndNs())
	k := slices.IndexFunc(r.Checks.Violations, func(v check.Violation) bool { return v.Rule == rule })
	if k < 0 {
		return r.EndNs()
	}
	return r.Checks.Violations[k].FromNs
}
