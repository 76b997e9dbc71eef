package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/leaselab/leaselab/sim/expect"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
)

// shelf holds the shipped scenarios by name, and those of the menu in order. They are many and most are never opened: only
// what the menu says is read at once (240 ms of a page's start were spent on decoding the rest), and a scenario is decoded
// when somebody wants it.
type shelf struct {
	menu    []lab.ScenarioInfo
	texts   map[string]json.RawMessage
	decoded map[string]scenario.Scenario
}

// newShelf refuses a document without a name, and says what is wrong with it as a scenario. One that says what to watch, in
// a summary, is of the menu; the others are the museum's.
func newShelf(shipped []json.RawMessage) (*shelf, error) {
	s := &shelf{texts: map[string]json.RawMessage{}, decoded: map[string]scenario.Scenario{}}
	for _, text := range shipped {
		var head struct{ Name, Title, Summary string }
		if err := json.Unmarshal(text, &head); err != nil || head.Name == "" {
			whole, err := scenario.Decode(text)
			if err != nil {
				return nil, err
			}
			head.Name = whole.Name
		}
		s.texts[head.Name] = text
		if head.Summary != "" {
			s.menu = append(s.menu, lab.ScenarioInfo{Name: head.Name, Title: head.Title, Summary: head.Summary})
		}
	}
	return s, nil
}

// find returns an error for a scenario that is there and is none.
func (s *shelf) find(name string) (one scenario.Scenario, there bool, err error) {
	if one, there = s.decoded[name]; there {
		return one, true, nil
	}
	text, there := s.texts[name]
	if !there {
		return one, false, nil
	}
	if one, err = scenario.Decode(text); err == nil {
		s.decoded[name] = one
	}
	return one, true, err
}

// weighedSteps is how long a run may be to be weighed in the page: about a second's work.
const weighedSteps = 1_000_000

// expect runs a scenario to its end and weighs it. The session is left alone.
func (b *Bridge) expect(r *Request) (any, error) {
	p, err := params[ExpectParams](r)
	if err != nil {
		return nil, err
	}
	s, err := b.named(p.Scenario)
	if err != nil {
		return nil, err
	}
	all, done := expect.RunSteps(s, int64(s.Duration), weighedSteps)
	if !done {
		return nil, fmt.Errorf("this run is too long to be weighed here; `leaselab run` does it")
	}
	return Expected{Outcomes: all}, nil
}

// named is a shipped scenario by its name, or the whole one that is given.
func (b *Bridge) named(text json.RawMessage) (scenario.Scenario, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte{'"'}) {
		return scenario.Decode(text)
	}
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return scenario.Scenario{}, err
	}
	if s, there, err := b.shelf.find(name); there {
		return s.Clone(), err
	}
	return scenario.Scenario{}, &scenario.FieldError{Path: "scenario", Value: name, Rule: "the name of a shipped scenario", Message: fmt.Sprintf("there is no scenario named %q", name)}
}
