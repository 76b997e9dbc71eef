package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/leaselab/leaselab/sim/expect"
	"github.com/leaselab/leaselab/sim/scenario"
)

// exhibits are the shipped scenarios that the menu does not list, by name. They are many and most are never opened, so
// each is decoded when somebody wants it.
type exhibits map[string]json.RawMessage

// sorted tells the exhibits from the scenarios of the menu, which say what to watch in a summary.
func sorted(shipped []json.RawMessage) (menu []scenario.Scenario, museum exhibits, err error) {
	museum = exhibits{}
	for _, one := range shipped {
		var head struct{ Name, Summary string }
		if err := json.Unmarshal(one, &head); err == nil && head.Summary == "" && head.Name != "" {
			museum[head.Name] = one
			continue
		}
		s, err := scenario.Decode(one)
		if err != nil {
			return nil, nil, err
		}
		menu = append(menu, s)
	}
	return menu, museum, nil
}

// find decodes an exhibit.
func (e exhibits) find(name string) (scenario.Scenario, bool) {
	text, there := e[name]
	if !there {
		return scenario.Scenario{}, false
	}
	s, err := scenario.Decode(text)
	return s, err == nil
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
	if s, there := b.museum.find(name); there {
		return s, nil
	}
	for _, s := range b.shipped {
		if s.Name == name {
			return s.Clone(), nil
		}
	}
	return scenario.Scenario{}, &scenario.FieldError{Path: "scenario", Value: name, Rule: "the name of a shipped scenario", Message: fmt.Sprintf("there is no scenario named %q", name)}
}
