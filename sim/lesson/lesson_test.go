package lesson_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/lesson"
	lessonfile "github.com/leaselab/leaselab/sim/lesson/file"
	"github.com/leaselab/leaselab/sim/lesson/shipped"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func file(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("shipped/" + name)
	require.NoError(t, err)
	return string(data)
}

// A shipped lesson is run: its prediction has an answer, each thought can be met, the right choice is right, and the
// goal can be reached. A text or a scenario that changes without the other fails here.
func TestEveryLessonAgreesWithItsRun(t *testing.T) {
	all, problems := shipped.Load()
	require.Empty(t, problems)
	for i, one := range all {
		assert.Equal(t, i+1, one.Number, "the lessons of the course are numbered: %s", one.Name)
		assert.FileExists(t, "shipped/"+one.Name+".yaml", "the file has the name of its lesson")
		if testing.Short() && i%4 != 3 { // all of them natively
			continue
		}
		t.Run(one.Name, func(t *testing.T) { assert.Empty(t, lesson.Check(one.Name, one)) })
	}
}

// A lesson with a mistake is refused with the line and the way out, and every mistake of a file is found at once.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, old, new, says string }{
		{"an unknown node", "region: slope, node: b", "region: slope, node: bb",
			`x.yaml:59: steps[2].look.node: "bb" `},
		{"an unknown scenario", "scenario: a-leader-at-work", "scenario: a-leader-at-wrk",
			`x.yaml:12: scenario: no shipped scenario is named "a-leader-at-wrk"; did you mean "a-leader-at-work"?`},
		{"a bet without an answer", "bet: {kind: marker, answer: tookAt}", "bet: {kind: marker}",
			"x.yaml:87: steps[4].bet.answer: is missing"},
		{"no bet", "bet: {kind: marker, answer: tookAt}", "lease: false", "lease: is given twice"},
		{"an answer that is not a number", "bet: {kind: marker, answer: tookAt}",
			"bet: {kind: count, answer: gapp, most: 3}", `steps[4].bet.answer: no number is named "gapp"`},
		{"a rule with an unknown value", "near: [act, renewDeadline]", "near: [act, renewDedline]",
			`steps[5].thoughts[2]: "renewDedline" is not a value of this lesson; did you mean "renewDeadline"?`},
		{"a misspelt field", "opens: 12s", "open: 12s", `open: is unknown; did you mean "opens"?`},
		{"a wrong word", "kind: see", "kind: sea",
			`steps[5].kind: "sea" must be one of look, act, bet, see, why, transfer`},
		{"a length without a unit", "until: 18.2s\n    look: {region: ticks", "until: 18.2\n    look: {region: ticks",
			`steps[1].until: must be a length with its unit`},
		{"a step back in time", "kind: why\n    until: 36s", "kind: why\n    until: 6s",
			"is before the previous step ends, at 36s"},
		{"an impossible setting", "value: 6s}, {path: elector.leaseDuration",
			"value: 60s}, {path: elector.leaseDuration", "steps[7].question.choices[0].set: "},
		{"an unknown right choice", "right: release", "right: releases",
			`no choice is named "releases"; did you mean "release"?`},
		{"an assertion that cannot be measured", "{measure: leaderlessLongest, atMost: 5s}",
			"{measure: leaderlesLongest, atMost: 5s}", `goal.expect[1].measure: "leaderlesLongest" `},
		{"no YAML", "steps:", "steps: [", "x.yaml:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := file(t, "a-leader-dies.yaml")
			require.Contains(t, source, c.old)
			_, problems := lessonfile.Read("x.yaml", []byte(strings.Replace(source, c.old, c.new, 1)))
			require.NotEmpty(t, problems)
			assert.Contains(t, problems.Error(), c.says)
		})
	}
	source := strings.NewReplacer("opens: 12s", "open: 12s", "kind: see", "kind: sea", "number: 1",
		"number: one").Replace(file(t, "a-leader-dies.yaml"))
	_, problems := lessonfile.Read("x.yaml", []byte(source))
	assert.Len(t, problems, 4, "opens is missing, too")
}

// A text is refused when a sentence is missing, names a value that is not known yet, or belongs to nothing.
func TestTextRefusals(t *testing.T) {
	for _, c := range []struct{ name, old, new, says string }{
		{"a value of the future", "It is 20 s.", "It is {tookAt} s.",
			"steps[4].says.text[0]: names {tookAt}, which is not known at this step"},
		{"a missing thought", "spotOn: >-", "spottedOn: >-", "steps[5].says.thoughts.spotOn: is missing"},
		{"a thought of no rule", "spotOn: >-", "spottedOn: >-",
			`steps[5].says.thoughts.spottedOn: the lesson has nothing with this name; did you mean "spotOn"?`},
		{"two sentences to keep", "plus the wait until", "plus the wait. Until",
			"takeaway: has 2 sentences; write only one"},
		{"a bold word without its end", "choose **Crash a**", "choose **Crash a*", "has an unpaired mark"},
		{"a step without sentences", "    says:\n      title: One job, three copies.", "    saying:\n      title: One job",
			"steps[0].saying: is unknown"},
		{"no title", "title: A leader dies\n", "", "title: is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := file(t, "a-leader-dies.yaml")
			require.Contains(t, source, c.old)
			_, problems := lessonfile.Read("x.yaml", []byte(strings.Replace(source, c.old, c.new, 1)))
			require.NotEmpty(t, problems)
			assert.Contains(t, problems.Error(), c.says)
		})
	}
}

// What only a run can tell: a lesson that its run contradicts is refused.
func TestRunsRefuse(t *testing.T) {
	for _, c := range []struct{ lesson, name, old, new, says string }{
		{"a-leader-dies", "a thought that no prediction meets", "before: [act, retryPeriod]", "before: [act]",
			`no prediction leads to "noticed"`},
		{"a-leader-dies", "a choice that is not right", "right: release", "right: looks",
			`"looks" contradicts the runs`},
		{"a-leader-dies", "a goal out of reach", "elector.leaseDuration, value: 4s", "elector.leaseDuration, value: 9s",
			"goal.reachedBy: does not reach the goal: the longest time without an active leader"},
		{"a-leader-dies", "a goal that is met already", "atMost: 5s", "atMost: 50s",
			"the lesson's own run already reaches this goal"},
		{"a-leader-dies", "an outcome that the step does not show", "until: 36s", "until: 30s",
			"the leader change to explain: the run has no leader change number 1 so far"},
		{"hang-or-refuse", "an option that is not right", "right: onlyRefuse", "right: neither",
			`"neither" contradicts the runs`},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := file(t, c.lesson+".yaml")
			require.Contains(t, source, c.old)
			l, problems := lessonfile.Read("x.yaml", []byte(strings.ReplaceAll(source, c.old, c.new)))
			if len(problems) == 0 {
				problems = lesson.Check("x.yaml", l)
			}
			require.NotEmpty(t, problems)
			assert.Contains(t, problems.Error(), c.says)
		})
	}
}

// A lesson of an earlier version opens: what was dropped from the format is read past.
func TestALessonOfAnEarlierVersionOpens(t *testing.T) {
	source := strings.Replace(file(t, "a-leader-dies.yaml"), "steps:\n",
		"minutes: 4\nquotes:\n  - \"two sources\"\nsteps:\n", 1)
	l, problems := lessonfile.Read("a-leader-dies.yaml", []byte(source))
	require.Empty(t, problems)
	assert.Len(t, l.Steps, 8)
}

// The page decides the same: thoughts.json has the cases for both.
func TestThoughts(t *testing.T) {
	data, err := os.ReadFile("testdata/thoughts.json")
	require.NoError(t, err)
	var cases []struct {
		Counts bool
		Values map[string]float64
		Rules  json.RawMessage
		Bets   [][2]any
	}
	require.NoError(t, json.Unmarshal(data, &cases))
	for _, c := range cases {
		rules, err := lesson.ReadThoughts(c.Rules)
		require.NoError(t, err)
		facts := &lesson.Facts{Values: c.Values}
		for _, bet := range c.Bets {
			assert.Equal(t, bet[1], facts.ThoughtOf(rules, bet[0].(float64), c.Counts), bet[0])
		}
	}
}

// Whatever the bytes, they are a lesson or have a problem with a message.
func FuzzRead(f *testing.F) {
	f.Add(file(f, "a-leader-dies.yaml"))
	f.Add(file(f, "hang-or-refuse.yaml"))
	f.Add("kind: Lesson\nsteps: [{name: a, kind: bet, bet: {}}]")
	f.Add("{")
	f.Fuzz(func(t *testing.T, source string) {
		_, problems := lessonfile.Read("x.yaml", []byte(source))
		for _, p := range problems {
			if p.Message == "" {
				t.Errorf("a problem without a message at %s", p.Path)
			}
		}
		lessonfile.KindOf([]byte(source))
	})
}
