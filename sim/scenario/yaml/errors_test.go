package yaml_test

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
			`line 6: candidates[1].name "a" is already taken; give every candidate its own name (two may share an identity)`,
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
			`line 14: actions[3].target "zed" names no node; use one of a and b`,
			`line 15: actions[4].at: missing; an act needs a time, for example "20s"`,
		}},
		{"a field given twice, and another error", strings.Replace(valid, "seed: 1\n", "seed: 1\nseed: 2\nstreams: some\n", 1), []string{
			`line 5: seed: the field appears twice, on lines 4 and 5; keep one`,
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
			`line 12: actions[1].target "zed" names no node; use one of a`,
		}},
		{"a node with a name like those that a search would make up", strings.NewReplacer("name: a}", "name: placeholder-1}", "target: b", "target: zed").Replace(valid), []string{
			`line 12: actions[1].target "zed" names no node; use one of placeholder-1 and b`,
		}},
		{"several errors in each group", `apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 2m
server: {queue: 5, newLeaderLatency: 1s}
elector: {leaseDuration: 5s, retryPeriod: 0s}
network: {requestDistribution: {min: 1s}, responseDistribution: {p99: 1s}}
candidates:
  - {name: a, spreadStart: 1s, restartAfter: 2s, startAt: 3m, strategy: Oldest}
  - {name: b, process: {watchdogPeriod: 1s}, client: {workQps: 1}}
actions:
  - {at: 1s, act: fail, target: zed, error: conflict, retryAfter: 5s, probability: 0, direction: up}
  - {at: 3s, act: pause, target: a}
  - {at: 4s, act: pause, target: a}
  - {at: 5s, act: crash}
  - {at: 3m, act: cutResource, target: a}
museum: {catalogue: B2, variant: failing}
expect:
  - {event: crashed, from: 5m, node: zed, atMost: 1.5}
`, []string{
			`line 4: server.queue 5 needs ratePerSecond`,
			`line 4: server.newLeaderFor: missing`,
			`line 5: elector.leaseDuration "5s" must be longer than renewDeadline "10s"`,
			`line 5: elector.retryPeriod "0s" must be longer than zero`,
			`line 6: network.requestDistribution: has no lengths`,
			`line 6: network.responseDistribution.p50: missing`,
			`line 8: candidates[0].spreadStart "1s" needs replicas`,
			`line 8: candidates[0].restartAfter "2s" needs restart`,
			`line 8: candidates[0].startAt "3m0s" lies after the end`,
			`line 8: candidates[0].binaryVersion "" needs apiServers`,
			`line 9: candidates[1].process.watchdogPeriod: needs process.watchdogTolerance`,
			`line 9: candidates[1].client.workQps 1 needs client.qps`,
			`line 11: actions[0].target "zed" names no node`,
			`line 11: actions[0].direction: does not belong to act "fail"`,
			`line 11: actions[0].retryAfter "5s" needs an error with an HTTP status`,
			`line 11: actions[0].probability 0 must be more than 0`,
			`line 13: actions[2].act "pause" overlaps the pause of "a" at 3s`,
			`line 14: actions[3].target: missing; act "crash" needs it`,
			`line 15: actions[4].at "3m0s" lies after the end`,
			`line 15: actions[4].act "cutResource" needs a resource to cut`,
			`line 16: museum.catalogue "B2" must be a catalog ID`,
			`line 16: museum.source: missing`,
			`line 18: expect[0].node "zed" names no node`,
			`line 18: expect[0].from "5m0s" lies after the end`,
			`line 18: expect[0].atMost 1.5 must be a whole number`,
		}},
		{"a misspelt group, and an error in it", strings.Replace(valid, "candidates:", "candidats:", 1) + "  - {leader: zed}\n", []string{
			`line 8: candidats: unknown field; did you mean "candidates"?`,
			`line 15: expect[1].leader "zed" names no node; use one of a and b`,
		}},
		{"an assertion", strings.Replace(valid, "{changes: 2}", "{violation: moreThanOneActiv}\n  - {leader: c}\n  - {measure: conflict, atMost: 3}", 1), []string{
			`did you mean "moreThanOneActive"?`,
			`line 15: expect[1].leader "c" names no node; use one of a and b`,
			`line 16: expect[2].measure "conflict" must be`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := yaml.Decode([]byte(c.text))
			var all scenario.Errors
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

// A large file with an error on each line lists the first of them.
func TestALargeFileListsItsFirstErrors(t *testing.T) {
	var text strings.Builder
	text.WriteString(strings.Split(valid, "actions:")[0] + "actions:\n")
	for text.Len() < scenario.MaxBytes-100 {
		text.WriteString("  - {at: 20s, act: crahs, target: a}           # again\n")
	}
	if testing.Short() {
		return
	}
	began := time.Now()
	_, err := yaml.Decode([]byte(text.String()))
	var all scenario.Errors
	require.ErrorAs(t, err, &all)
	assert.Len(t, all.FoundErrors(), 50)
	assert.Contains(t, err.Error(), "errors: at least 50")
	assert.True(t, strings.HasSuffix(err.Error(), "\n  there may be more"))
	assert.Less(t, time.Since(began), time.Minute)
}

// A consequence of another error is not a separate error.
func TestConsequencesAreNotListed(t *testing.T) {
	for _, c := range []struct{ name, old, new, says string }{
		{"the name of a node is wrong, and an act names it", "name: b,", `name: "b b",`, "candidates[1].name"},
		{"a required field has the wrong type", "at: 20s", "at: [20s]", "actions[0].at"},
		{"the duration is not a duration", "duration: 2m", "duration: long", "duration"},
		{"the name of a node is not text", "name: b,", "name: 5,", "candidates[1].name"},
		{"a setting is not a duration, and would contradict another's default", "leaseDuration: 15s", "leaseDuration: long, renewDeadline: 17s", "elector.leaseDuration"},
		{"an act that could end a pause is none", "- {at: 30s, act: cut, target: b, for: 10s}",
			"- {at: 30s, act: pause, target: b}\n  - {at: 31s, act: resum, target: b}\n  - {at: 32s, act: pause, target: b}", "actions[2].act"},
		{"a field that another needs is not a number", "duration: 2m", "duration: 2m\nserver: {queue: 5, ratePerSecond: fast}", "server.ratePerSecond"},
		{"an assertion has no measure of that name", "{changes: 2}", "{measure: leaderless, atMost: 3s}", "expect[0].measure"},
		{"a list is none", "candidates:\n  - {name: a}\n  - {name: b, startAt: 50ms}", "candidates: none", "candidates"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.NewReplacer(c.old, c.new, "target: b", "target: \"b b\"").Replace(valid)
			if c.name != "the name of a node is wrong, and an act names it" {
				text = strings.Replace(valid, c.old, c.new, 1)
			}
			_, err := yaml.Decode([]byte(text))
			var all scenario.Errors
			require.ErrorAs(t, err, &all)
			assert.Equal(t, c.says, all[0].Path)
			if c.name != "a list is none" { // then no act can name a node
				assert.Len(t, all, 1, "%s", err)
			}
		})
	}
}

// The shipped scenarios with each line left out or cut: the first error is among all of them.
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
				_, err := yaml.Decode(text)
				document, disputed, unread := yaml.Read(text)
				if unread != nil || len(disputed) > 0 {
					require.Error(t, err)
					continue
				}
				_, want := scenario.Decode(document)
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
