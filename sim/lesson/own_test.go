package lesson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/lesson"
	lessonfile "github.com/leaselab/leaselab/sim/lesson/file"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// own is a teacher's lesson in one file: two acts, a bet, and no question or goal.
const own = `apiVersion: leaselab.dev/v1alpha1
kind: Lesson
name: two-deaths
title: Two deaths
scenario: a-leader-at-work
opens: 12s
shows: {from: 4s, to: 80s}
explain: 1
steps:
  - {name: one, kind: act, until: 15s, act: {act: crash, node: c, at: 15s}, says: {title: First c., text: [Crash c.]}}
  - {name: two, kind: act, until: 20s, act: {act: crash, node: a, at: 20s}, says: {title: Then a., text: [Crash a.], done: Done.}}
  - {name: prediction, kind: bet, until: 20s, bet: {kind: marker, answer: tookAt}, says: {title: "When?", text: ["When?"]}}
  - name: outcome
    kind: see
    until: 40s
    says: {title: See., outcome: "{winner} at {tookAt} s", missed: "{off} s too {side}", exact: Right., sides: [early, late]}
  - {name: end, kind: look, until: 45s, look: {region: slope, node: b}, says: {title: So., text: ["{winner} leads."]}}
`

func TestOwnLesson(t *testing.T) {
	l, problems := lessonfile.Read("own.yaml", []byte(own))
	require.Empty(t, problems)
	assert.Empty(t, lesson.Check("own.yaml", l))
	facts, err := l.Evaluate()
	require.NoError(t, err)
	assert.Equal(t, 20e9+1, facts.Values["act"], "the last act")
	assert.Greater(t, facts.Values["tookAt"], 33e9)
	whole, err := json.Marshal(lesson.WholeOf(l, nil))
	require.NoError(t, err)
	assert.Contains(t, string(whole), `"act":{"act":"crash","node":"c","at":15000000000}`)
	assert.Contains(t, string(whole), `"says":{"title":"First c.","text":["Crash c."]}`)
}

// A lesson with its own scenario runs as with the shipped one.
func TestOwnScenario(t *testing.T) {
	s, _ := shipped.ByName("a-leader-at-work")
	s.Name = "mine"
	l, problems := lessonfile.Read("own.yaml", []byte(strings.Replace(own, "scenario: a-leader-at-work", "scenario: "+string(scenario.Encode(s)), 1)))
	require.Empty(t, problems)
	assert.Empty(t, lesson.Check("own.yaml", l))
	assert.Equal(t, "mine", l.Scenario.Name)
}

// Each mistake in a teacher's lesson is refused with its line and the way out.
func TestOwnRefusals(t *testing.T) {
	for _, c := range []struct{ name, old, new, says string }{
		{"an unknown node", "node: b}", "node: bb}", `x.yaml:17: steps[4].look.node: "bb" names no node; use one of a, b and c`},
		{"an act on an unknown node", "act: crash, node: c", "act: crash, node: cc", `x.yaml:10: steps[0].act: `},
		{"a bet without an answer", "{kind: marker, answer: tookAt}", "{kind: marker}", "x.yaml:12: steps[2].bet.answer: is missing"},
		{"an answer that the lesson does not explain", "explain: 1\n", "", "steps[2].bet.answer: tookAt is the leader change that the lesson explains; add explain:"},
		{"an expression that cannot be computed", "explain: 1\n", "explain: 1\nnumbers: [{name: gapLongest, expect: {measure: leaderlesLongest}}]\n", `x.yaml:9: numbers[0].expect.measure: "leaderlesLongest" `},
		{"a change that does not come", "explain: 1\n", "explain: 7\n", "the run has no leader change number 7 so far"},
		{"an answer of the future", `text: ["When?"]`, `text: ["At {tookAt}?"]`, "steps[2].says.text[0]: names {tookAt}, which is not known at this step"},
		{"a bet whose answer is not shown", "kind: see", "kind: look", "x.yaml:12: steps[2]: needs a step of kind see after it"},
		{"two bets", "{name: end, kind: look, until: 45s,", "{name: end, kind: bet, bet: {kind: marker, answer: tookAt}, until: 45s,", "x.yaml:10: steps: has 2 steps of kind bet; a lesson has at most one"},
		{"an act that is not at its instant", "until: 15s, act", "until: 16s, act", "steps[0].until: 16s must be the instant of the act, 15s"},
		{"an act elsewhere", "look: {region: slope, node: b}", "act: {act: crash, node: b, at: 45s}", "steps[4].act: belongs to a step of kind act"},
		{"no sentences", "says: {title: First c., text: [Crash c.]}", "lease: true", "x.yaml:10: steps[0].says: is missing"},
		{"no steps", own[strings.Index(own, "steps:"):], "steps: []\n", "steps: has no steps"},
		{"its own scenario, with a fault", "scenario: a-leader-at-work", "scenario: {apiVersion: leaselab.dev/v1alpha1, kind: Scenario, name: x, duraton: 2m}", `x.yaml:5: scenario.duraton: `},
		{"a number of the course", "name: two-deaths", "name: two-deaths\nnumber: 17", "number: 17 must be between 1 and 16; your own lesson has none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, own, c.old)
			l, problems := lessonfile.Read("x.yaml", []byte(strings.Replace(own, c.old, c.new, 1)))
			if len(problems) == 0 {
				problems = lesson.Check("x.yaml", l)
			}
			require.NotEmpty(t, problems)
			assert.Contains(t, problems.Error(), c.says)
		})
	}
}

// What a run offers as a prediction can be asked: a lesson made of it has no problem.
func TestOffers(t *testing.T) {
	for name, c := range map[string]struct {
		after   int64
		answers []string
	}{
		"a-leader-dies":    {20e9, []string{"b, at 34.039 s", "14.039 s", "2", "b"}},
		"paused-leader":    {20e9, nil},
		"a-leader-at-work": {20e9, []string{"a"}},
	} {
		s, _ := shipped.ByName(name)
		judged := run.WithClauses(s)
		judged.To(judged.EndNs(), nil)
		judged.Settle(judged.EndNs())
		all := lesson.Offers(s, judged, c.after)
		require.NotEmpty(t, all)
		if name == "a-leader-dies" { // two to three seconds after the takeover, it is on screen
			assert.Equal(t, lesson.Length(37e9), all[0].Until)
		}
		answers := []string{}
		for _, o := range all {
			answers = append(answers, o.Answer)
			asks, tells := o.Asks, o.Tells
			l := lesson.Lesson{APIVersion: lesson.APIVersion, Kind: lesson.Kind, Name: "mine", Title: "Mine", Scenario: lesson.Scenario{Name: name}, Explain: o.Explain, Numbers: o.Numbers}
			document, err := json.Marshal(l)
			require.NoError(t, err)
			var members map[string]any
			require.NoError(t, json.Unmarshal(document, &members))
			members["opens"], members["shows"] = "12s", map[string]string{"from": "0s", "to": "60s"}
			delete(members, "goal")
			members["steps"] = []map[string]any{
				{"name": "bet", "kind": "bet", "until": lesson.Length(c.after).String(), "bet": o.Bet, "says": asks},
				{"name": "see", "kind": "see", "until": o.Until.String(), "says": tells},
			}
			document, err = json.Marshal(members)
			require.NoError(t, err)
			read, problems := lessonfile.Read("x.yaml", document)
			require.Empty(t, problems, "%s: %s", name, document)
			assert.Empty(t, lesson.Check("x.yaml", read), "%s: %s", name, document)
		}
		if c.answers != nil {
			assert.Equal(t, c.answers, answers, name)
		} else {
			assert.Contains(t, strings.Join(answers, "|"), " s", "%s: %v", name, answers)
		}
	}
}
