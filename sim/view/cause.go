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

// mostSubjects is how many of the latest changes and violations the page offers to explain.
const mostSubjects = 60

// Cause explains a leader change or a violation, up to what the session has shown. kind is timeline.SubjectChange or
// SubjectViolation, and number counts from 0 in the order of the run. Parts add up to the length of the subject,
// Chain and Ending list its causes, and Story tells it in sentences. Bound is the rule whose violations a search in
// other seeds would count: for a gap of 18.4 s, "nobody leads for more than 18 s". Bound is empty for the first leader
// and for a gap under one second.
//
// Cause uses the state at the live cursor, not at the cursor: after a jump back, the user may still ask about a
// change that has been on the screen. If a violation still lasts, the explanation goes up to the live cursor.
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

// changeTitle says in one sentence what a change was. If the two instants are equal, another leader was active all
// along, so "a gap of 0 s" would be misleading. From is negative for the first leader of a run, because it has no
// predecessor.
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

// violationTitle describes a violation, with its length up to the live cursor if it still lasts.
func violationTitle(look timeline.Look, s *timeline.State, v *check.Violation) string {
	until := v.UntilNs
	if until < 0 {
		until = look.Live.T
	}
	_, text := describe(s.World, v, until-v.FromNs)
	return text
}

// violationAt returns the cursor at which a violation begins. A rule about time, for example "nobody leads for more
// than 30 s", breaks without an event, so the violation's ordinal is 0. Then the cursor must be after everything at
// that instant. Otherwise the page would still show the rule as not broken.
func violationAt(v *check.Violation) timeline.Cursor {
	if v.Ordinal == 0 {
		return timeline.Cursor{T: v.FromNs, N: -1}
	}
	return timeline.Cursor{T: v.FromNs, N: v.Ordinal}
}

// `subjects` returns the changes and violations so far, in order of time. It merges the lists of both, which are in
// order. At the same instant the change comes first. The result has the latest mostSubjects of each list, so up to
// twice as many.
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
