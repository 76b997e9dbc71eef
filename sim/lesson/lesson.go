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
	APIVersion string   `json:"apiVersion" words:"leaselab.dev/v1alpha1"`
	Kind       string   `json:"kind" words:"Lesson"`
	Number     int      `json:"number,omitempty" help:"Its place in the course, 1 to 16. A lesson of your own has none."`
	Name       string   `json:"name" help:"Lower-case words with hyphens; the file has this name."`
	Title      string   `json:"title,omitempty" help:"Of a lesson that has its English sentences in this file."`
	Teaser     string   `json:"teaser,omitempty" help:"What lists of lessons say about it."`
	Takeaway   string   `json:"takeaway,omitempty" help:"One sentence to keep."`
	Scenario   Scenario `json:"scenario" help:"The scenario that the lesson runs: the name of a shipped one, or a whole one."`
	Seed       int      `json:"seed,omitempty" help:"The seed of its run; left out: the scenario's."`
	Opens      Length   `json:"opens" help:"The lesson opens its run at this instant."`
	Shows      Span     `json:"shows" help:"What the timeline shows, unless a step says otherwise."`
	Explain    int      `json:"explain,omitempty" help:"The leader change whose sum the lesson explains, counted from 0. It gives the texts {winner}, {tookAt}, {gap} and the like."`
	Act        *Act     `json:"act,omitempty" help:"What the visitor does to the run in the step of kind act that names no act of its own."`
	Quotes     []string `json:"quotes,omitempty" help:"Passages with numbers that no run here measures, each with its source: the texts may repeat their numbers."`
	Numbers    []Number `json:"numbers,omitempty" help:"Figures of a run, measured by the engine, that the texts name in braces."`
	Steps      []Step   `json:"steps"`
	Goal       Goal     `json:"goal,omitempty" help:"The course needs one."`

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
	Find   func(name string) (scenario.Scenario, bool)
	Names  func() []string
	Source func(name string) []byte // its file; CheckText needs it
}

// Own reports whether it is a teacher's lesson. Less is asked of it than of the lessons of the course.
func (l *Lesson) Own() bool { return l.Number == 0 }

// Act is what the visitor is asked to do.
type Act struct {
	Act  string `json:"act" help:"crash, pause, stop and so on, as a scenario names it."`
	Node string `json:"node"`
	At   Length `json:"at"`
}

// Number is a figure of a run.
type Number struct {
	Name     string           `json:"name" help:"Texts name it in braces."`
	Scenario string           `json:"scenario,omitempty" help:"Another shipped scenario to measure in; left out: the lesson's."`
	Set      []Change         `json:"set,omitempty" help:"Settings changed before the run."`
	Seeds    int              `json:"seeds,omitempty" help:"Run this many seeds, 1 to this number, and count those that meet the clause."`
	Expect   *scenario.Expect `json:"expect" help:"An assertion as scenarios have it. Its measured value is the figure."`
}

// Change is a setting with its new value.
type Change struct {
	Path  string `json:"path" help:"elector.leaseDuration, candidates[0].clock.offset and so on."`
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
	Name   string    `json:"name" help:"The text file has the sentences under this name."`
	Kind   string    `json:"kind" words:"look act bet see why transfer" help:"look: read and watch. act: do it. bet: predict. see: what happened. why: the gap as a sum. transfer: a question."`
	Until  Length    `json:"until" help:"The run is shown up to here; before the bet no further."`
	Look   *Place    `json:"look,omitempty" help:"The one thing to look at."`
	Lease  bool      `json:"lease,omitempty" help:"Show the Lease beside the words."`
	Visits *Visit    `json:"visits,omitempty" help:"Another run that this step shows; only after the outcome."`
	Says   *StepText `json:"says,omitempty" help:"The English sentences, in place of a file of sentences."`
	Act    *Act      `json:"act,omitempty" help:"Of a step of kind act: what the visitor does. Left out: the lesson's act."`

	Candidates bool `json:"candidates,omitempty" help:"Show the LeaseCandidates beside the words."`

	Shows    *Span     `json:"shows,omitempty" help:"What the timeline shows."`
	Speed    int       `json:"speed,omitempty" help:"Virtual seconds for each second on the way there; left out: story speed."`
	Bet      *Bet      `json:"bet,omitempty" help:"Of a step of kind bet."`
	Thoughts []Thought `json:"thoughts,omitempty" help:"Of a step of kind see: the first rule that the prediction meets says which thought it was. The last has no rule."`
	Question *Question `json:"question,omitempty" help:"Of a step of kind transfer."`
}

// Place is a part of the page.
type Place struct {
	Region string `json:"region" words:"stage ticks slope crash resource" help:"ticks and slope are in the lane of a node; resource is the row of its writes."`
	Node   string `json:"node,omitempty"`
}

// Visit is another run, which a step shows at an instant.
type Visit struct {
	Scenario string `json:"scenario" help:"A shipped scenario."`
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
	Kind    string   `json:"kind" words:"marker seconds count choice" help:"marker: an instant on the timeline. seconds: a length. count: how often, or how many of so many seeds. choice: one of several answers."`
	Answer  string   `json:"answer" help:"The number that is the answer; for a marker tookAt, the leader change that the lesson explains; for a choice one number or several, with spaces between."`
	Most    int      `json:"most,omitempty" help:"seconds and count: the largest answer that makes sense."`
	Options []Option `json:"options,omitempty" help:"choice: the answers."`
	Right   string   `json:"right,omitempty" help:"choice: the option that is right. The text says so, and Check compares it with the runs."`
}

// Option is one answer of a choice.
type Option struct {
	Name string `json:"name" help:"The text file has its words under this name, and the thought behind it."`
	Is   string `json:"is" help:"The measured answer of which it is the right option."`
}

// Thought is a rule that tells what a visitor thought from what was predicted. A point is a list of addends: names of
// numbers, act, tookAt, freeAt, leaseDuration, renewDeadline, retryPeriod, lengths and counts.
type Thought struct {
	Name   string  `json:"name" help:"The text file has the sentence under this name."`
	Near   []Point `json:"near,omitempty" help:"The prediction lies within so much of this point."`
	Within *Point  `json:"within,omitempty"`
	Before []Point `json:"before,omitempty" help:"The prediction lies before this point."`
}

// What makes a choice right.
const (
	Least = "least"
	Most  = "most"
	Same  = "same"
)

// Question is asked at the end, and answered by runs.
type Question struct {
	Number  string        `json:"number" help:"The number that is measured again for each choice; gap: the median gap over seeds."`
	Seeds   int           `json:"seeds,omitempty" help:"gap: how many seeds."`
	Right   string        `json:"right" help:"The name of the right choice."`
	By      string        `json:"by" words:"least most same" help:"What makes it right: it has the least of the number, the most, or as much as the lesson's own run."`
	Choices []Alternative `json:"choices"`
}

// Alternative is a choice with the run that judges it.
type Alternative struct {
	Name     string   `json:"name" help:"The text file has its words under this name, and what its run shows."`
	Scenario string   `json:"scenario,omitempty" help:"Another shipped scenario; left out: the lesson's."`
	Set      []Change `json:"set,omitempty"`
}

// Goal is what the visitor may try with the settings. Check runs the way that reaches it, which the page does not show.
type Goal struct {
	Expect    []scenario.Expect `json:"expect" help:"Assertions as scenarios have them: the goal is reached when all are met."`
	ReachedBy []Change          `json:"reachedBy" help:"One way to reach it; the page does not show it."`
	Says      string            `json:"says,omitempty" help:"The goal in English, in place of a file of sentences."`
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
