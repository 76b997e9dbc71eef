//go:build !page

package bridge

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/leaselab/leaselab/sim/lesson"
	"github.com/leaselab/leaselab/sim/scenario"
)

func init() {
	beyond = append(beyond, []Operation{
		answers("lesson", starts, (*Bridge).lesson),
		answers("offers", starts, (*Bridge).offers),
	}...)
}

// library returns the scenarios that the page has sent.
func (s *shelf) library() lesson.Library {
	return lesson.Library{
		Find: func(name string) (scenario.Scenario, bool) {
			one, there, err := s.find(name)
			return one.Clone(), there && err == nil
		},
		Names: func() []string { return slices.Sorted(maps.Keys(s.texts)) },
	}
}

// lesson checks a lesson. If nothing is wrong, it returns the lesson in the form that the player needs.
func (b *Bridge) lesson(p *LessonParams) (*LessonChecked, error) {
	l, problems := lesson.Decode("", p.Lesson, b.shelf.library())
	if len(problems) == 0 {
		problems = lesson.Check("", l)
	}
	out := &LessonChecked{Problems: []ScenarioError{}}
	for _, one := range problems {
		message := one.Message
		if one.Path != "" {
			message = one.Path + ": " + message
		}
		out.Problems = append(out.Problems, ScenarioError{Path: one.Path, Message: short(message)})
	}
	if len(problems) == 0 {
		out.Lesson = plain(lesson.WholeOf(l, nil))
	}
	return out, nil
}

// offers lists the predictions that a lesson could ask for after an instant, because the scenario's run gives a clear
// answer.
func (b *Bridge) offers(p *OffersParams) (*Offered, error) {
	s, err := b.scenarioOf(p.Scenario)
	if err != nil {
		return nil, err
	}
	judged, err := toItsEnd(s)
	if err != nil {
		return nil, err
	}
	out := &Offered{Offers: []json.RawMessage{}}
	for _, one := range lesson.Offers(s, judged, p.After) {
		out.Offers = append(out.Offers, plain(one))
	}
	return out, nil
}

// plain encodes plain data as JSON, which always succeeds.
func plain(data any) json.RawMessage {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return text
}
