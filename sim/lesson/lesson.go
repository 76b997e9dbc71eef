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
	Number     int      `json:"number,omitempty"`
	Name       string   `json:"name"`
	Title      string   `json:"title,omitempty"`
	Teaser     string   `json:"teaser,omitempty"`
	Takeaway   string   `json:"takeaway,omitempty"`
	Scenario   Scenario `json:"scenario"`
	Seed       int      `json:"seed,omitempty"`
	Opens      Length   `json:"opens"`
	Shows      Span     `json:"shows"`
	Explain    int      `json:"explain,omitempty"`
	Act        *Act     `json:"act,omitempty"`
	Numbers    []Number `json:"numbers,omitempty"`
	Steps      []Step   `json:"steps"`
	Goal       Goal     `json:"goal,omitempty"`

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
	Act  string `json:"act"`
	Node string `json:"node"`
	At   Length `json:"at"`
}

// Number is a figure of a run.
type Number struct {
	Name     string           `json:"name"`
	Scenario string           `json:"scenario,omitempty"`
	Set      []Change         `json:"set,omitempty"`
	Seeds    int              `json:"seeds,omitempty"`
	Expect   *scenario.Expect `json:"expect"`
}

// Change is a setting with its new value.
type Change struct {
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
	Name   string    `json:"name"`
	Kind   string    `json:"kind" words:"look act bet see why transfer"`
	Until  Length    `json:"until"`
	Look   *Place    `json:"look,omitempty"`
	Lease  bool      `json:"lease,omitempty"`
	Visits *Visit    `json:"visits,omitempty"`
	Says   *StepText `json:"says,omitempty"`
	Act    *Act      `json:"act,omitempty"`

	Candidates bool `json:"candidates,omitempty"`

	Shows    *Span     `json:"shows,omitempty"`
	Speed    int       `json:"speed,omitempty"`
	Bet      *Bet      `json:"bet,omitempty"`
	Thoughts []Thought `json:"thoughts,omitempty"`
	Question *Question `json:"question,omitempty"`
}

// Place is a part of the page.
type Place struct {
	Region string `json:"region" words:"stage ticks slope crash resource"`
	Node   string `json:"node,omitempty"`
}

// Visit is another run, which a step shows at an instant.
type Visit struct {
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
	Kind    string   `json:"kind" words:"marker seconds count choice"`
	Answer  string   `json:"answer"`
	Most    int      `json:"most,omitempty"`
	Options []Option `json:"options,omitempty"`
	Right   string   `json:"right,omitempty"`
}

// Option is one answer of a choice.
type Option struct {
	Name string `json:"name"`
	Is   string `json:"is"`
}

// Thought is a rule that tells what a visitor thought from what was predicted. A point is a list of addends: names of
// numbers, act, tookAt, freeAt, leaseDuration, renewDeadline, retryPeriod, lengths and counts.
type Thought struct {
	Name   string  `json:"name"`
	Near   []Point `json:"near,omitempty"`
	Within *Point  `json:"within,omitempty"`
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
	Number  string        `json:"number"`
	Seeds   int           `json:"seeds,omitempty"`
	Right   string        `json:"right"`
	By      string        `json:"by" words:"least most same"`
	Choices []Alternative `json:"choices"`
}

// Alternative is a choice with the run that judges it.
type Alternative struct {
	Name     string   `json:"name"`
	Scenario string   `json:"scenario,omitempty"`
	Set      []Change `json:"set,omitempty"`
}

// Goal is what the visitor may try with the settings. Check runs the way that reaches it, which the page does not show.
type Goal struct {
	Expect    []scenario.Expect `json:"expect"`
	ReachedBy []Change          `json:"reachedBy"`
	Says      string            `json:"says,omitempty"`
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
