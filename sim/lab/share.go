package lab

import (
	"cmp"
	"encoding/json"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Share returns the contents of a link: everything needed to restore the screen. A link omits the acts after the live
// cursor, which nobody has seen. With whole, Share includes them, so that the page can open the same run again after
// a panic. With the hash, the receiver's engine can notice that it computes a different run.
func (l *Lab) Share(whole bool) *protocol.Share {
	sp := l.history.spec()
	s := &protocol.Share{
		Patch: []protocol.PatchEntry{}, Actions: []json.RawMessage{}, Seed: sp.begun.Seed, Engine: world.Engine,
		Hash:   l.Look().Here().World.Hash().String(),
		Cursor: l.history.cursor, Live: l.history.live, Breakpoints: l.stops.all,
	}
	if sp.base != "" {
		s.Scenario = sp.base
		s.Patch = append(s.Patch, sp.patch...)
	} else {
		s.Scenario = json.RawMessage(scenario.Encode(sp.begun))
	}
	for k, one := range sp.encodedActions() {
		if whole || int64(sp.actions[k].At) <= l.history.live.T {
			s.Actions = append(s.Actions, one)
		}
	}
	return s
}

func (s *spec) encodedActions() []json.RawMessage {
	var all []json.RawMessage
	for _, a := range s.actions {
		one, err := json.Marshal(a)
		if err != nil {
			panic(err) // cannot happen: an action of a valid scenario always encodes
		}
		all = append(all, one)
	}
	return all
}

// Save returns the running scenario with its live acts as a file.
func (l *Lab) Save() *protocol.Saved {
	w := l.history.spec().whole()
	name := cmp.Or(w.Name, "scenario")
	return &protocol.Saved{Name: name + ".json", Scenario: scenario.Encode(w)}
}

// Scenario returns the running scenario with its live acts.
func (l *Lab) Scenario() scenario.Scenario { return l.history.spec().whole() }
