package lab

import (
	"encoding/json"
	"fmt"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

// comparing is a running comparison. Each side is a separate session that shares the branch's run. As a session, a
// side may have its own seed and end, and package view can show its run like any other.
type comparing struct {
	sides [2]*Lab
	title [2]string
}

// Compare starts to compare two runs; TakeComparedRuns returns them when both have reached their end. An error
// changes nothing, and says which side is wrong. The two runs count as runs that the session needs, so dropRuns keeps
// them. The progress covers both runs: for runs of 60 s and 120 s it is a fraction of 180 s.
func (l *Lab) Compare(a, b protocol.Side) error {
	c := comparing{}
	for i, s := range []protocol.Side{a, b} {
		var err error
		if c.sides[i], c.title[i], err = l.side(s); err != nil {
			return fmt.Errorf("the %s run: %w", [...]string{"first", "second"}[i], err)
		}
	}
	l.asked.compared = nil
	first, second := c.sides[0], c.sides[1]
	l.runs.besides = []*timeline.Run{first.liveRun(), second.liveRun()}
	ofFirst, ofSecond := first.history.live.T, second.history.live.T
	l.begin(search{
		run: first.liveRun(), toNs: ofFirst + ofSecond, look: nothing,
		at: func() int64 {
			return min(first.liveRun().ComputedNs(), ofFirst) + min(second.liveRun().ComputedNs(), ofSecond)
		},
		walk: func() bool {
			return first.liveRun().ComputeShare(ofFirst, tickRequests) &&
				second.liveRun().ComputeShare(ofSecond, tickRequests)
		},
		done: func(timeline.Cursor, bool) { l.asked.compared = &[2]protocol.ComparedRun{c.sideRun(0), c.sideRun(1)} },
	})
	return nil
}

// sideRun returns one of the two computed runs.
func (c *comparing) sideRun(i int) protocol.ComparedRun {
	side := c.sides[i]
	return protocol.ComparedRun{Look: side.Look(), Title: c.title[i], Share: side.Share(false), Session: side.Session()}
}

// TakeComparedRuns returns the two runs of Compare when both are complete, but only for the first call. Otherwise it
// returns nil.
func (l *Lab) TakeComparedRuns() *[2]protocol.ComparedRun {
	c := l.asked.compared
	l.asked.compared = nil
	return c
}

// side opens a run to compare as a separate session. It returns the session and the run's title.
func (l *Lab) side(s protocol.Side) (side *Lab, title string, err error) {
	side = &Lab{shelf: l.shelf, runs: runs{sources: firstSource, alive: l.runs.alive}}
	switch {
	case s.Branch != nil && s.Scenario != nil:
		return nil, "", mustBe("branch", "", "a branch or a scenario, not both")
	case s.Branch != nil:
		err = l.openBranch(side, *s.Branch, s.Seed)
	case s.Scenario != nil:
		err = side.openSide(&s)
	default:
		return nil, "", mustBe("scenario", "", "a branch, the name of a scenario, or a whole scenario")
	}
	if err != nil {
		return nil, "", err
	}
	title = side.history.branches[0].view.Name
	if s.Scenario != nil && s.Seed != nil {
		title = fmt.Sprintf("%s, seed %d", title, *s.Seed)
	}
	if s.Title != "" {
		title = s.Title
	}
	if s.Until != nil {
		if *s.Until < 0 {
			return nil, "", mustBe("until", "", "an instant of the run")
		}
		side.history.live = side.history.clamp(timeline.Cursor{T: *s.Until, N: -1})
	}
	side.history.cursor = side.history.live
	return side, title, nil
}

// openBranch opens a branch as a side, up to the branch's live cursor.
func (l *Lab) openBranch(side *Lab, number int, seed *uint64) error {
	b, err := l.history.branch(number)
	if err != nil {
		return err
	}
	live := b.live
	if number == l.history.current {
		live = l.history.live
	}
	sp, name := b.spec, b.view.Name
	if seed != nil && *seed != sp.begun.Seed {
		change := protocol.PatchEntry{Path: "seed", Value: fmt.Sprint(*seed)}
		begun, err := scenario.Set(sp.begun, change.Path, change.Value)
		if err != nil {
			return err
		}
		sp, name = sp.with(begun, change), fmt.Sprintf("%s, seed %d", name, *seed)
	}
	side.history = historyOf([]*branch{{view: protocol.BranchView{Name: name, Parent: -1}, spec: sp}}, 0)
	side.history.live = live
	return nil
}

// openSide opens the scenario of a side, up to its end.
func (l *Lab) openSide(s *protocol.Side) error {
	o := Opening{Patch: s.Patch, Seed: s.Seed}
	if name, named := s.Scenario.(string); named {
		o.Name = name
	} else {
		document, err := json.Marshal(s.Scenario)
		if err != nil {
			return err
		}
		whole, err := scenario.Decode(document)
		if err != nil {
			return err
		}
		o.Whole = &whole
	}
	var err error
	if o.Actions, err = scenario.DecodeActions(s.Actions); err != nil {
		return err
	}
	if err := l.Open(o); err != nil {
		return err
	}
	l.history.live = timeline.Cursor{T: l.history.endNs(), N: -1}
	return nil
}
