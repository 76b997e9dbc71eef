package bridge

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
)

// shelf holds the shipped scenarios by name, and the menu in order. Visitors never open most of them, so the shelf
// reads only the menu entries at once and decodes a scenario on opening it. Decoding all of them took about 200 ms
// of a page's start.
type shelf struct {
	menu    []protocol.ScenarioInfo
	texts   map[string]json.RawMessage
	decoded map[string]scenario.Scenario
}

// newShelf refuses a document without a name. An invalid scenario fails on opening. A scenario with a summary
// belongs to the menu, the others to the museum.
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

// find returns a scenario by its present or earlier name. It sets err if the scenario exists but does not decode.
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
