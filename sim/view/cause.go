package view

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/study/reroll"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
)

// mostSubjects is how many changes and violations the page offers to explain; the latest ones.
const mostSubjects = 60

// Cause explains a leader change or a violation, as far as the session has shown it.
func Cause(look timeline.Look, kind string, number int) (*protocol.Cause, error) {
	s := look.AtLive()
	if err := s.CheckSubject(kind, number); err != nil {
		return nil, err
	}
	c := &protocol.Cause{Run: look.Run.ID(), Kind: kind, Number: number, Parts: []protocol.Addend{},
		Chain: []protocol.Addend{}, Ending: []protocol.Addend{}, Story: []protocol.WhyLine{},
		Subject: subjects(look, s)}
	if kind == timeline.SubjectChange {
		e := &s.Tracker.Explanations[number]
		c.Title, c.Cursor = changeTitle(e), timeline.CursorOf(e.LeadsAt)
		c.Parts, c.Chain, c.Ending = addends(e.Parts, 3), addends(e.Chain, 3), addends(e.Ending, 3)
		c.Story = protocol.WhyLines(e.Story)
		if counted, ok := reroll.OfChange(s.Tracker.Explanations, number); ok {
			c.Bound = fmt.Sprintf("nobody leads for more than %d s", counted.LeaderlessNs/1e9)
		}
		return c, nil
	}
	v := &s.Checks.Violations[number]
	story := s.Tracker.SoFar(s.World, number, v, look.Live.T)
	c.Title, c.Cursor = violationTitle(look, s, v), violationAt(v)
	c.Parts, c.Story = addends(story.Parts, 3), protocol.WhyLines(story.Lines)
	c.Bound, _ = describe(s.World, v, 0)
	return c, nil
}

func changeTitle(e *explain.Explanation) string {
	to := e.ToName
	switch {
	case e.FromNs == e.ToNs:
		return fmt.Sprintf("%s started leading at %s, while another node was still active.", to, words.Instant(e.ToNs))
	case e.From < 0:
		return fmt.Sprintf("%s led first, at %s.", to, words.Instant(e.ToNs))
	}
	return fmt.Sprintf("Nobody led for %s, until %s did at %s.", words.Seconds(e.ToNs-e.FromNs), to,
		words.Instant(e.ToNs))
}

func violationTitle(look timeline.Look, s *timeline.State, v *check.Violation) string {
	until := v.UntilNs
	if until < 0 {
		until = look.Live.T
	}
	_, text := describe(s.World, v, until-v.FromNs)
	return text
}

// violationAt returns the cursor at which a violation begins. A violation by elapsed time begins at the end of its
// instant.
func violationAt(v *check.Violation) timeline.Cursor {
	if v.Ordinal == 0 {
		return timeline.Cursor{T: v.FromNs, N: -1}
	}
	return timeline.Cursor{T: v.FromNs, N: v.Ordinal}
}

// subjects returns the changes and violations so far, in order of time.
func subjects(look timeline.Look, s *timeline.State) []protocol.CauseRef {
	all := []protocol.CauseRef{}
	changes, violations := s.Tracker.Explanations, s.Checks.Violations
	i, k := max(0, len(changes)-mostSubjects), max(0, len(violations)-mostSubjects)
	for i < len(changes) || k < len(violations) {
		if k == len(violations) || i < len(changes) && changes[i].ToNs <= violations[k].FromNs {
			e := &changes[i]
			all = append(all, protocol.CauseRef{Kind: timeline.SubjectChange, Number: i, Title: changeTitle(e),
				Cursor: timeline.CursorOf(e.LeadsAt)})
			i++
			continue
		}
		v := &violations[k]
		all = append(all, protocol.CauseRef{Kind: timeline.SubjectViolation, Number: k, Rule: v.Rule,
			Title: violationTitle(look, s, v), Cursor: violationAt(v)})
		k++
	}
	return all
}
