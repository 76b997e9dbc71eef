package faults_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/faults"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

const valid = `apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: two
seed: 1
duration: 2m
elector: {leaseDuration: 15s}
candidates:
  - {name: a}
  - {name: b, startAt: 50ms}
actions:
  - {at: 20s, act: crash, target: holder}
  - {at: 30s, act: cut, target: b, for: 10s}
expect:
  - {changes: 2}
`

func TestAFileWithoutErrors(t *testing.T) {
	s, err := yaml.DecodeAll([]byte(valid))
	require.NoError(t, err)
	want, err := yaml.Decode([]byte(valid))
	require.NoError(t, err)
	assert.Equal(t, want, s)
}

// Every error of a file is listed, with its line, its path and how to correct it.
func TestAllErrorsAtOnce(t *testing.T) {
	for _, c := range []struct {
		name, text string
		says       []string
	}{
		{"each part of a file is wrong", `apiVersion: leaselab.dev/v1
kind: Scenari
name: X_Y
duration: 15
elector: {leaseDuraton: 20s}
candidates: [{name: a},{name: a}]
`, []string{
			`line 1: apiVersion "leaselab.dev/v1" must be "leaselab.dev/v1alpha1"`,
			`line 2: kind "Scenari" must be "Scenario"`,
			`line 3: name "X_Y" must be a DNS label: at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit`,
			`line 4: duration 15 must be a duration with its unit; write "15s" if you mean seconds`,
			`line 5: elector.leaseDuraton: unknown field; did you mean "leaseDuration"?`,
			`line 6: candidates[1].name "a" is already taken; every candidate has a name of its own (two may share an identity)`,
		}},
		{"acts", strings.Replace(valid, "actions:\n", `actions:
  - {at: 5, act: kill, target: a}
  - {at: 6s, act: stop, target: a, gracePeriod: 5s}
  - {at: 7s, act: cutt, target: a, for: -1s}
  - {at: 8s, act: pause, target: zed}
  - {act: pause, target: a}
`, 1), []string{
			`line 11: actions[0].at 5 must be a duration with its unit; write "5s" if you mean seconds`,
			`did you mean "crash"?`,
			`line 12: actions[1].gracePeriod: unknown field; act "stop" takes at, act, target and grace`,
			`line 13: actions[2].for "-1s" must not be negative`,
			`did you mean "cut"?`,
			`line 14: actions[3].target "zed" names no node; there are a and b`,
			`line 15: actions[4].at: missing; an action needs its instant, "20s" for example`,
		}},
		{"a field given twice, and another error", strings.Replace(valid, "seed: 1\n", "seed: 1\nseed: 2\nstreams: some\n", 1), []string{
			`line 5: seed: the field is given twice, on lines 4 and 5; keep one`,
			`line 6: streams "some" must be named or recorded`,
		}},
		{"a scalar that YAML 1.1 and 1.2 read differently", strings.Replace(valid, "leaseDuration: 15s", "releaseOnCancel: yes", 1), []string{
			`line 6: elector.releaseOnCancel "yes" must be true or false`,
		}},
		{"the same as text", strings.Replace(valid, "name: two", "title: yes\nname: two", 1), []string{
			`line 3: title: yes is true or false in YAML 1.1 and text in YAML 1.2; write it in quotes if it is text: "yes", or as a plain decimal number`,
		}},
		{"a node that is not there, beside a name given twice", strings.Replace(strings.Replace(valid, "name: b,", "name: a,", 1), "target: b", "target: zed", 1), []string{
			`line 9: candidates[1].name "a" is already taken`,
			`line 12: actions[1].target "zed" names no node; there are a`,
		}},
		{"an assertion", strings.Replace(valid, "{changes: 2}", "{violation: moreThanOneActiv}\n  - {leader: c}\n  - {measure: conflict, atMost: 3}", 1), []string{
			`did you mean "moreThanOneActive"?`,
			`line 15: expect[1].leader "c" names no node; there are a and b`,
			`line 16: expect[2].measure "conflict" must be`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := yaml.DecodeAll([]byte(c.text))
			var all faults.Errors
			require.ErrorAs(t, err, &all)
			var got []string
			for _, e := range all {
				got = append(got, e.Error())
			}
			require.Len(t, got, len(c.says), "%s", err)
			for i, want := range c.says {
				assert.Contains(t, got[i], want)
			}
		})
	}
}

// A large file with an error on each line takes as long as a few readings of it.
func TestALargeFileIsReadAFewTimes(t *testing.T) {
	var text strings.Builder
	text.WriteString(strings.Split(valid, "actions:")[0] + "actions:\n")
	for text.Len() < scenario.MaxBytes-100 {
		text.WriteString("  - {at: 20s, act: crahs, target: a}           # again\n")
	}
	if testing.Short() {
		return
	}
	began := time.Now()
	_, err := yaml.DecodeAll([]byte(text.String()))
	var all faults.Errors
	require.ErrorAs(t, err, &all)
	assert.Greater(t, len(all), 3)
	assert.Less(t, len(all), 50)
	assert.Contains(t, err.Error(), "errors: at least ")
	assert.True(t, strings.HasSuffix(err.Error(), "\n  there may be more"))
	assert.Less(t, time.Since(began), time.Minute)
}

// What follows from another error is no error of its own.
func TestConsequencesAreNotListed(t *testing.T) {
	for _, c := range []struct{ name, old, new, says string }{
		{"the name of a node is wrong, and an act names it", "name: b,", `name: "b b",`, "candidates[1].name"},
		{"a required field has the wrong type", "at: 20s", "at: [20s]", "actions[0].at"},
		{"the duration is no duration", "duration: 2m", "duration: long", "duration"},
		{"a list is none", "candidates:\n  - {name: a}\n  - {name: b, startAt: 50ms}", "candidates: none", "candidates"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer(c.old, c.new, "target: b", "target: \"b b\"").Replace(valid)
			if c.name != "the name of a node is wrong, and an act names it" {
				text = strings.Replace(valid, c.old, c.new, 1)
			}
			_, err := yaml.DecodeAll([]byte(text))
			var all faults.Errors
			require.ErrorAs(t, err, &all)
			assert.Equal(t, c.says, all[0].Path)
			if c.name != "a list is none" { // then no act can name a node
				assert.Len(t, all, 1, "%s", err)
			}
		})
	}
}

// The shipped scenarios with each line left out or cut: the first error is that of package yaml, and the search ends.
func TestTheFirstErrorIsAmongThem(t *testing.T) {
	files, err := filepath.Glob("../shipped/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	if testing.Short() {
		files = files[:2]
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := strings.SplitAfter(string(source), "\n")
		step := 1
		if testing.Short() {
			step = 9
		}
		for i := 0; i < len(lines); i += step {
			for _, line := range []string{"", strings.Replace(lines[i], ": ", ": ]", 1), strings.Replace(lines[i], ": ", "x: ", 1), strings.Replace(lines[i], "s", "", 1)} {
				text := []byte(strings.Join(lines[:i], "") + line + strings.Join(lines[i+1:], ""))
				_, want := yaml.Decode(text)
				_, err := yaml.DecodeAll(text)
				if want == nil {
					require.NoError(t, err)
					continue
				}
				var first *scenario.FieldError
				require.True(t, errors.As(want, &first))
				assert.Contains(t, err.Error(), strings.TrimSuffix(first.Message, "…"), "%s line %d: %s", file, i+1, line)
			}
		}
	}
}

// Any bytes are a scenario, or have errors, and the search for them ends.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(valid))
	f.Add([]byte("apiVersion: 1\nkind: [\n"))
	f.Add([]byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\ncandidates: [{name: a}, {name: a}, {name: a b}]\nactions: [{}, 1, {act: x}]\nexpect: [{}, []]\n"))
	f.Add([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","a.b":1,"a\"b":{},"seed":null,"heartbeats":{"nodes":-1,"monitors":[{"name":"holder"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, first := yaml.Decode(data)
		_, err := yaml.DecodeAll(data)
		if first == nil {
			require.NoError(t, err)
			return
		}
		var all faults.Errors
		require.ErrorAs(t, err, &all)
		require.NotEmpty(t, all)
	})
}
