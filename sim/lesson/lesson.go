// Package lesson defines the format of a lesson. A lesson leads through one run of a scenario. It asks the visitor
// for a prediction and explains the misconception behind each wrong answer. Then it asks a question that other runs
// answer, and sets a goal.
//
// The problem: a lesson must be true. If its text said "b took over after 14.0 s", the next version of the engine
// might change that number. So sentences name figures in braces, like {gap}, and the engine measures every figure and
// answer.
//
// Lesson is the document, Step is one page of it, and StepText has its sentences. A teacher's own lesson may leave out
// prediction, question and goal. Lengths and instants are nanoseconds of the run.
//
// Guarantee: Decode accepts a document, or lists all its errors, each with a way to fix it. Check also runs the
// scenario. It checks that the prediction has an answer, and that at least one prediction leads to each
// thought. It also checks that the right choice is right, and that the visitor can reach the goal. Non-guarantee:
// apart from figures, no check knows whether the sentences are true.
//
// # The steps of a lesson
//
// A visitor looks at a run, acts on the run, bets on what follows, sees what happens, reads why, and answers a
// question about other runs. The kinds of steps are exactly these: look, act, bet, see, why, transfer.
//
//	file ──Decode──▶ Lesson ──Check──▶ problems that only a run shows
//	                   │
//	                   ├──Evaluate──▶ Facts: {gap} = 14.000 s …
//	                   ├──SceneOf───▶ what a step shows when it opens
//	                   └──WholeOf───▶ what the page gets
//
// Offers works in the other direction: for a run that a teacher likes, it lists the predictions that a lesson could
// ask for.
//
// # Errors
//
// A teacher writes a lesson in a text editor, so all errors come at once, in the order of the file, each with its
// line, its path and a way to fix it. A value may be correct in form but wrong in fact, such as a "right" answer that
// the run contradicts. Only Check finds such errors, and it takes as long as the runs.
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
)

// Lesson is the whole file of a lesson.
type Lesson struct {
	APIVersion string `json:"apiVersion" words:"leaselab.dev/v1alpha1"`
	Kind       string `json:"kind" words:"Lesson"`
	// Its place in the course, 1 to 16. Your own lesson has none.
	Number int `json:"number,omitempty"`
	// Lower-case words with hyphens; the file has this name.
	Name  string `json:"name"`
	Title string `json:"title"`
	// What the page of lessons asks, and what it says below.
	Question string `json:"question,omitempty"`
	Teaser   string `json:"teaser,omitempty"`
	// The sentence that readers should remember.
	Takeaway string `json:"takeaway,omitempty"`
	// The scenario that the lesson runs: the name of a shipped scenario, or a whole scenario.
	Scenario Scenario `json:"scenario"`
	// The seed of the lesson's run; left out: the scenario's seed.
	Seed int `json:"seed,omitempty"`
	// The lesson opens its run at this instant.
	Opens Length `json:"opens"`
	// What the timeline shows, unless a step says otherwise.
	Shows Span `json:"shows"`
	// The leader change that the lesson explains, counted from 0. That change supplies {winner}, {tookAt}, {gap} and
	// so on to the texts.
	Explain int `json:"explain,omitempty"`
	// What the visitor does in a step of kind act that does not name an act.
	Act *Act `json:"act,omitempty"`
	// Figures of a run. The engine measures them, and the texts name them in braces.
	Numbers []Number `json:"numbers,omitempty"`
	Steps   []Step   `json:"steps"`
	// The goal to reach at the end. A lesson of the course needs one.
	Goal Goal `json:"goal,omitempty"`

	lines   map[string]int // lines of the file, by path
	library Library
}

// Scenario is the name of a shipped scenario, or the lesson's own scenario. A valid lesson has exactly one of the two.
type Scenario struct {
	Name  string
	Whole json.RawMessage // nil for a shipped scenario
}

// MarshalJSON encodes the name, or the whole scenario.
func (s Scenario) MarshalJSON() ([]byte, error) {
	if s.Whole != nil {
		return s.Whole, nil
	}
	return json.Marshal(s.Name)
}

// Library has the shipped scenarios. The page loads them only after its engine, so this package gets them from its
// caller.
type Library struct {
	Find  func(name string) (scenario.Scenario, bool)
	Names func() []string
}

// Own reports whether this is a teacher's own lesson, which may leave out parts that a course lesson needs.
func (l *Lesson) Own() bool { return l.Number == 0 }

// Act is what the visitor should do.
type Act struct {
	// crash, pause, stop and so on, as a scenario names it.
	Act  string `json:"act"`
	Node string `json:"node"`
	At   Length `json:"at"`
}

// Number is a figure of a run.
type Number struct {
	// The texts use this name in braces.
	Name string `json:"name"`
	// Another shipped scenario to measure in; left out: the lesson's.
	Scenario string `json:"scenario,omitempty"`
	// Settings changed before the run.
	Set []Change `json:"set,omitempty"`
	// Run this many seeds, from 1 on, and count the runs that meet the clause.
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
	// look: read and watch. act: do something. bet: predict. see: what happened. why: the gap as a sum. transfer: a
	// question.
	Kind string `json:"kind" words:"look act bet see why transfer"`
	// The step shows the run up to this instant. A step before the bet never shows more.
	Until Length `json:"until"`
	// The one thing to look at.
	Look *Place `json:"look,omitempty"`
	// Show the Lease beside the text.
	Lease bool `json:"lease,omitempty"`
	// Another run that this step shows; only after the outcome.
	Visits *Visit `json:"visits,omitempty"`
	// The English sentences, instead of a file of sentences.
	Says *StepText `json:"says,omitempty"`
	// For a step of kind act: what the visitor does. Left out: the lesson's act.
	Act *Act `json:"act,omitempty"`

	// Show the LeaseCandidates beside the text.
	Candidates bool `json:"candidates,omitempty"`

	// What the timeline shows.
	Shows *Span `json:"shows,omitempty"`
	// The speed on the way to until, in virtual seconds per second; left out: story speed.
	Speed int `json:"speed,omitempty"`
	// For a step of kind bet: the prediction.
	Bet *Bet `json:"bet,omitempty"`
	// In a step of kind see: the first rule that fits the prediction says which thought led to it. The last thought has
	// no rule.
	Thoughts []Thought `json:"thoughts,omitempty"`
	// For a step of kind transfer: the question.
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
	// marker: an instant on the timeline. seconds: a length. count: how often, or how many of the seeds. choice: one of
	// several answers.
	Kind string `json:"kind" words:"marker seconds count choice"`
	// The number that is the answer. For a marker it is tookAt, the leader change that the lesson explains; for a
	// choice it is one number or several, separated by spaces.
	Answer string `json:"answer"`
	// seconds and count: the largest answer that makes sense.
	Most int `json:"most,omitempty"`
	// choice: the answers.
	Options []Option `json:"options,omitempty"`
	// choice: the right option. Check compares it with the runs.
	Right string `json:"right,omitempty"`
}

// Option is one answer of a choice.
type Option struct {
	// The text file has the option's words under this name, and the thought behind the option.
	Name string `json:"name"`
	// The measured answer for which this option is right.
	Is string `json:"is"`
}

// Thought is a rule that guesses from a prediction what the visitor thought. A point is a list of addends: names of
// numbers, act, tookAt, freeAt, leaseDuration, renewDeadline, retryPeriod, lengths and counts.
type Thought struct {
	// The text file has the sentence under this name.
	Name string `json:"name"`
	// The prediction lies within this distance of the point.
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

// Question comes at the end. Runs answer it.
type Question struct {
	// The number to measure for each choice; gap means the median gap over seeds.
	Number string `json:"number"`
	// If the number is gap: how many seeds.
	Seeds int `json:"seeds,omitempty"`
	// The name of the right choice.
	Right string `json:"right"`
	// What makes it right: it has the least of the number, the most, or as much as the lesson's own run.
	By      string        `json:"by" words:"least most same"`
	Choices []Alternative `json:"choices"`
}

// Alternative is a choice with the run that shows whether it is right.
type Alternative struct {
	// The text file has its words under this name, and what its run shows.
	Name string `json:"name"`
	// Another shipped scenario; left out: the lesson's.
	Scenario string   `json:"scenario,omitempty"`
	Set      []Change `json:"set,omitempty"`
}

// Goal is what the visitor may try to reach with the settings. Check runs one way to reach it; the page does not show
// it.
type Goal struct {
	// Assertions in the form of a scenario. The visitor reaches the goal when all hold.
	Expect []scenario.Expect `json:"expect"`
	// One way to reach it; the page does not show it.
	ReachedBy []Change `json:"reachedBy"`
	// The goal in English, instead of a file of sentences.
	Says string `json:"says,omitempty"`
}

// Length is an instant or a duration in Go's notation: "18.2s". The page gets nanoseconds.
type Length int64

// String formats the length in Go's notation: "18.2s". Facts and error messages use it too.
func (l Length) String() string { return time.Duration(l).String() }

// Point is an addend: a name, or a value, which is a count or in nanoseconds.
type Point struct {
	Name  string
	Value int64
}

// MarshalJSON encodes the name or the value. The page adds up points itself, as Facts.sum does.
func (p Point) MarshalJSON() ([]byte, error) {
	if p.Name != "" {
		return []byte(strconv.Quote(p.Name)), nil
	}
	return []byte(strconv.FormatInt(p.Value, 10)), nil
}

// step returns the first step of a kind and its index, or nil and -1. It is useful for bets, outcomes and questions,
// because Decode accepts at most one of each.
func (l *Lesson) step(kind string) (*Step, int) {
	for i := range l.Steps {
		if l.Steps[i].Kind == kind {
			return &l.Steps[i], i
		}
	}
	return nil, -1
}

// `acts` returns what the visitor does to the run, in the order of the steps.
func (l *Lesson) acts() []Act {
	var all []Act
	for i := range l.Steps {
		if act := l.actOf(&l.Steps[i]); act != nil {
			all = append(all, *act)
		}
	}
	return all
}

// actOf returns the act that a step asks for, or nil for a step of another kind.
func (l *Lesson) actOf(s *Step) *Act {
	switch {
	case s.Kind != DoIt:
		return nil
	case s.Act != nil:
		return s.Act
	}
	return l.Act
}

// number returns the number with a name, or nil.
func (l *Lesson) number(name string) *Number {
	for i := range l.Numbers {
		if l.Numbers[i].Name == name {
			return &l.Numbers[i]
		}
	}
	return nil
}
