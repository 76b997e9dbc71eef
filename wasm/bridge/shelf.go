package bridge

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
)

// shelf holds the shipped scenarios by name, and those of the menu in order. They are many and most are never opened: only
// what the menu says is read at once (decoding the rest took about 200 ms of a page's start), and a scenario is decoded
// when somebody wants it.
type shelf struct {
	menu    []protocol.ScenarioInfo
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
			s.menu = append(s.menu, protocol.ScenarioInfo{Name: head.Name, Title: head.Title, Summary: head.Summary})
		}
	}
	return s, nil
}

// find finds a scenario by its name, now or earlier. The error is of one that exists and does not decode.
func (s *shelf) find(name string) (one scenario.Scenario, there bool, err error) {
	name = scenario.Current(scenario.ShippedName, name)
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
