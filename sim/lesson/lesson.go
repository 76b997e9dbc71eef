// Package lesson is the format of a lesson: the steps through one run of a scenario, the prediction that the visitor
// makes, the thought behind each wrong answer, a question that other runs answer, and a goal. The lessons of the course
// have no sentences. They stand in a file for each language beside it, and name the figures of the run in braces:
// {gap}. A teacher's own lesson is one file: its steps have their sentences, and it need not predict, ask or have a
// goal.
//
// Guarantee: Decode and DecodeText accept a document or list everything that is wrong with it, each with its way out.
// Check also runs the scenario: the prediction has an answer, each thought can be met, the question's right choice is
// the right one, and the goal can be reached. Non-guarantee: no check knows whether the sentences are true, apart from
// their figures.
package lesson

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

const (
	APIVersion = scenario.APIVersion
	Kind       = "Lesson"
	KindText   = "LessonText"
)

// Lesson is the whole file of a lesson.
type Lesson struct {
	APIVersion string `json:"apiVersion" words:"leaselab.dev/v1alpha1"`
	Kind       string `json:"kind" words:"Lesson"`
	// Its place in the course, 1 to 16. A lesson of your own has none.
	Number int `json:"number,omitempty"`
	// Lower-case words with hyphens; the file has this name.
	Name string `json:"name"`
	// Of a lesson that has its English sentences in this file.
	Title string `json:"title,omitempty"`
	// What lists of lessons say about it.
	Teaser string `json:"teaser,omitempty"`
	// One sentence to keep.
	Takeaway string `json:"takeaway,omitempty"`
	// The scenario that the lesson runs: the name of a shipped one, or a whole one.
	Scenario Scenario `json:"scenario"`
	// The seed of its run; left out: the scenario's.
	Seed int `json:"seed,omitempty"`
	// The lesson opens its run at this instant.
	Opens Length `json:"opens"`
	// What the timeline shows, unless a step says otherwise.
	Shows Span `json:"shows"`
	// The leader change whose sum the lesson explains, counted from 0. It gives the texts {winner}, {tookAt}, {gap}
	// and the like.
	Explain int `json:"explain,omitempty"`
	// What the visitor does to the run in the step of kind act that names no act of its own.
	Act *Act `json:"act,omitempty"`
	// Figures of a run, measured by the engine, that the texts name in braces.
	Numbers []Number `json:"numbers,omitempty"`
	Steps   []Step   `json:"steps"`
	// The course needs one.
	Goal Goal `json:"goal,omitempty"`

	lines   map[string]int // of the file, by path
	library Library
}

// Scenario is the name of a shipped scenario, or a scenario of the lesson's own.
type Scenario struct {
	Name  string
	Whole json.RawMessage // nil: a shipped one
}

// MarshalJSON writes the name, or the whole scenario.
func (s Scenario) MarshalJSON() ([]byte, error) {
	if s.Whole != nil {
		return s.Whole, nil
	}
	return json.Marshal(s.Name)
}

// Library has the shipped scenarios. The page gets them after its engine, so a lesson is given its library.
type Library struct {
	Find  func(name string) (scenario.Scenario, bool)
	Names func() []string
}

// Own reports whether it is a teacher's lesson. Less is asked of it than of the lessons of the course.
func (l *Lesson) Own() bool { return l.Number == 0 }

// Act is what the visitor is asked to do.
type Act struct {
	// crash, pause, stop and so on, as a scenario names it.
	Act  string `json:"act"`
	Node string `json:"node"`
	At   Length `json:"at"`
}

// Number is a figure of a run.
type Number struct {
	// Texts name it in braces.
	Name string `json:"name"`
	// Another shipped scenario to measure in; left out: the lesson's.
	Scenario string `json:"scenario,omitempty"`
	// Settings changed before the run.
	Set []Change `json:"set,omitempty"`
	// Run this many seeds, 1 to this number, and count those that meet the clause.
	Seeds int `json:"seeds,omitempty"`
	// An assertion as scenarios have it. Its measured value is the figure.
	Expect *scenario.Expect `json:"expect"`
}

// Change is a setting with its new value.
type Change struct {
	// elector.leaseDuration, candidates[0].clock.offset and so on.
	Path  string `json:"path"`
	Value string `json:"value"`
}

// The kinds of steps.
const (
	Look     = "look"
	DoIt     = "act"
	Predict  = "bet"
	See      = "see"
	Why      = "why"
	Transfer = "transfer"
)

// Step is one page of the lesson. Its kind says what it asks of the visitor.
type Step struct {
	// The text file has the sentences under this name.
	Name string `json:"name"`
	// look: read and watch. act: do it. bet: predict. see: what happened. why: the gap as a sum. transfer: a
	// question.
	Kind string `json:"kind" words:"look act bet see why transfer"`
	// The run is shown up to here; before the bet no further.
	Until Length `json:"until"`
	// The one thing to look at.
	Look *Place `json:"look,omitempty"`
	// Show the Lease beside the words.
	Lease bool `json:"lease,omitempty"`
	// Another run that this step shows; only after the outcome.
	Visits *Visit `json:"visits,omitempty"`
	// The English sentences, in place of a file of sentences.
	Says *StepText `json:"says,omitempty"`
	// Of a step of kind act: what the visitor does. Left out: the lesson's act.
	Act *Act `json:"act,omitempty"`

	// Show the LeaseCandidates beside the words.
	Candidates bool `json:"candidates,omitempty"`

	// What the timeline shows.
	Shows *Span `json:"shows,omitempty"`
	// Virtual seconds for each second on the way there; left out: story speed.
	Speed int `json:"speed,omitempty"`
	// Of a step of kind bet.
	Bet *Bet `json:"bet,omitempty"`
	// Of a step of kind see: the first rule that the prediction meets says which thought it was. The last has no
	// rule.
	Thoughts []Thought `json:"thoughts,omitempty"`
	// Of a step of kind transfer.
	Question *Question `json:"question,omitempty"`
}

// Place is a part of the page.
type Place struct {
	// ticks and slope are in the lane of a node; resource is the row of its writes.
	Region string `json:"region" words:"stage ticks slope crash resource"`
	Node   string `json:"node,omitempty"`
}

// Visit is another run, which a step shows at an instant.
type Visit struct {
	// A shipped scenario.
	Scenario string `json:"scenario"`
	At       Length `json:"at"`
}

// Span is a part of the run.
type Span struct {
	From Length `json:"from"`
	To   Length `json:"to"`
}

// The kinds of predictions.
const (
	Marker  = "marker"
	Seconds = "seconds"
	Count   = "count"
	Choice  = "choice"
)

// Bet is the prediction.
type Bet struct {
	// marker: an instant on the timeline. seconds: a length. count: how often, or how many of so many seeds. choice:
	// one of several answers.
	Kind string `json:"kind" words:"marker seconds count choice"`
	// The number that is the answer; for a marker tookAt, the leader change that the lesson explains; for a choice
	// one number or several, with spaces between.
	Answer string `json:"answer"`
	// seconds and count: the largest answer that makes sense.
	Most int `json:"most,omitempty"`
	// choice: the answers.
	Options []Option `json:"options,omitempty"`
	// choice: the option that is right. The text says so, and Check compares it with the runs.
	Right string `json:"right,omitempty"`
}

// Option is one answer of a choice.
type Option struct {
	// The text file has its words under this name, and the thought behind it.
	Name string `json:"name"`
	// The measured answer of which it is the right option.
	Is string `json:"is"`
}

// Thought is a rule that tells what a visitor thought from what was predicted. A point is a list of addends: names of
// numbers, act, tookAt, freeAt, leaseDuration, renewDeadline, retryPeriod, lengths and counts.
type Thought struct {
	// The text file has the sentence under this name.
	Name string `json:"name"`
	// The prediction lies within so much of this point.
	Near   []Point `json:"near,omitempty"`
	Within *Point  `json:"within,omitempty"`
	// The prediction lies before this point.
	Before []Point `json:"before,omitempty"`
}

// What makes a choice right.
const (
	Least = "least"
	Most  = "most"
	Same  = "same"
)

// Question is asked at the end, and answered by runs.
type Question struct {
	// The number that is measured again for each choice; gap: the median gap over seeds.
	Number string `json:"number"`
	// gap: how many seeds.
	Seeds int `json:"seeds,omitempty"`
	// The name of the right choice.
	Right string `json:"right"`
	// What makes it right: it has the least of the number, the most, or as much as the lesson's own run.
	By      string        `json:"by" words:"least most same"`
	Choices []Alternative `json:"choices"`
}

// Alternative is a choice with the run that judges it.
type Alternative struct {
	// The text file has its words under this name, and what its run shows.
	Name string `json:"name"`
	// Another shipped scenario; left out: the lesson's.
	Scenario string   `json:"scenario,omitempty"`
	Set      []Change `json:"set,omitempty"`
}

// Goal is what the visitor may try with the settings. Check runs the way that reaches it, which the page does not show.
type Goal struct {
	// Assertions as scenarios have them: the goal is reached when all are met.
	Expect []scenario.Expect `json:"expect"`
	// One way to reach it; the page does not show it.
	ReachedBy []Change `json:"reachedBy"`
	// The goal in English, in place of a file of sentences.
	Says string `json:"says,omitempty"`
}

// Length is an instant or a length, written as Go writes it: "18.2s". The page gets nanoseconds.
type Length int64

// String writes the length as Go does: "18.2s".
func (l Length) String() string { return time.Duration(l).String() }

// Point is an addend: a name, or a value in nanoseconds or as a count.
type Point struct {
	Name  string
	Value int64
}

// MarshalJSON writes the name or the value.
func (p Point) MarshalJSON() ([]byte, error) {
	if p.Name != "" {
		return []byte(strconv.Quote(p.Name)), nil
	}
	return []byte(strconv.FormatInt(p.Value, 10)), nil
}

// step returns the first step of a kind, and its index; nil and -1 without one.
func (l *Lesson) step(kind string) (*Step, int) {
	for i := range l.Steps {
		if l.Steps[i].Kind == kind {
			return &l.Steps[i], i
		}
	}
	return nil, -1
}

// acts are what the visitor does to the run, in the order of the steps.
func (l *Lesson) acts() []Act {
	var all []Act
	for i := range l.Steps {
		if act := l.actOf(&l.Steps[i]); act != nil {
			all = append(all, *act)
		}
	}
	return all
}

// actOf returns what a step asks for, nil for a step of another kind.
func (l *Lesson) actOf(s *Step) *Act {
	switch {
	case s.Kind != DoIt:
		return nil
	case s.Act != nil:
		return s.Act
	}
	return l.Act
}

// number returns a number by its name, nil without one.
func (l *Lesson) number(name string) *Number {
	for i := range l.Numbers {
		if l.Numbers[i].Name == name {
			return &l.Numbers[i]
		}
	}
	return nil
}
