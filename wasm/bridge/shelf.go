package bridge

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
)

// shelf contains the shipped scenarios by name, and the menu in order. A visitor never opens most scenarios, so at
// first the shelf decodes only the menu entries. It decodes a scenario when the visitor opens it. Decoding all of
// them would delay the page's start by about 200 ms.
type shelf struct {
	menu    []protocol.ScenarioInfo
	texts   map[string]json.RawMessage
	decoded map[string]scenario.Scenario
}

// newShelf returns an error for a document without a name. An invalid scenario causes an error only when the visitor
// opens it. A scenario with a summary belongs to the menu, and the others belong to the museum.
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
