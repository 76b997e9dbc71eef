package scenario

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// document is a small valid scenario; replaced pairs (old, new) make it a bad one.
func document(replaced ...string) string {
	return strings.NewReplacer(replaced...).Replace(`{
  "apiVersion": "leaselab.dev/v1alpha1",
  "kind": "Scenario",
  "seed": 7,
  "duration": "2m",
  "elector": {"leaseDuration": "15s", "renewDeadline": "10s", "retryPeriod": "2s"},
  "candidates": [
    {"name": "a"},
    {"name": "b", "startAt": "50ms", "elector": {"retryPeriod": "1s"}},
    {"name": "w", "replicas": 2, "spreadStart": "1s"}
  ],
  "actions": [
    {"at": "20s", "act": "crash", "target": "a"}
  ]
}`)
}

const (
	crash  = `{"at": "20s", "act": "crash", "target": "a"}`
	nodes  = `{"name": "a"}`
	limits = `"elector": {"leaseDuration": "15s", "renewDeadline": "10s", "retryPeriod": "2s"}`
)

func TestDecodeAcceptsTheSmallDocument(t *testing.T) {
	s, err := Decode([]byte(document()))
	require.NoError(t, err)
	assert.Equal(t, uint64(7), s.Seed)
	assert.Equal(t, Duration(2*time.Minute), s.Duration)
	assert.Len(t, s.Candidates, 3)
}

// Every sentence names the path, the value, the rule and the way out. Each case is one thing wrong in the small
// document.
func TestDecodeRefuses(t *testing.T) {
	candidateFields := listWords(namesOf(fieldsOf(reflect.TypeFor[Candidate]())), "and")
	for _, c := range []struct {
		name     string
		old, new string
		line     int
		message  string
	}{
		{"unknown field", `"retryPeriod": "1s"`, `"leaseDuraton": "20s"`, 9,
			`candidates[1].elector.leaseDuraton: unknown field; did you mean "leaseDuration"?`},
		{"unknown field in other case", `"seed"`, `"Seed"`, 4,
			`Seed: unknown field; did you mean "seed"?`},
		{"unknown field like nothing", `{"name": "a"}`, `{"name": "a", "color": "red"}`, 8,
			`candidates[0].color: unknown field; the fields here are ` + candidateFields},
		{"unknown field with dots", `{"name": "a"}`, `{"name": "a", "clock.offset": "1h"}`, 8,
			`candidates[0]."clock.offset": unknown field; the fields here are ` + candidateFields},
		{"the same field twice", `"seed": 7`, `"seed": 7, "seed": 8`, 4,
			`seed: the field appears twice, on lines 4 and 4; keep one`},
		{"no apiVersion", `"apiVersion": "leaselab.dev/v1alpha1",`, ``, 1,
			`apiVersion: missing; a scenario needs apiVersion: leaselab.dev/v1alpha1`},
		{"other apiVersion", `leaselab.dev/v1alpha1`, `v1`, 2,
			`apiVersion "v1" must be "leaselab.dev/v1alpha1"`},
		{"other kind", `"Scenario"`, `"Pod"`, 3,
			`kind "Pod" must be "Scenario"`},
		{"no duration", `"duration": "2m",`, ``, 1,
			`duration: missing; a run needs an end time, for example "2m"`},
		{"no name", nodes, `{}`, 8,
			`candidates[0].name: missing; every candidate needs a name`},
		{"null", `"seed": 7`, `"seed": null`, 4,
			`seed null is not a value; leave the field out`},

		{"number for a duration", `"leaseDuration": "15s"`, `"leaseDuration": 15`, 6,
			`elector.leaseDuration 15 must be a duration with its unit; write "15s" if you mean seconds`},
		{"duration without unit", `"leaseDuration": "15s"`, `"leaseDuration": "15"`, 6,
			`elector.leaseDuration "15" must have a unit; write "15s" if you mean seconds`},
		{"no duration at all", `"leaseDuration": "15s"`, `"leaseDuration": "soon"`, 6,
			`elector.leaseDuration "soon" must be a duration, such as "15s", "1m30s" or "500ms"`},
		{"text for a number", `"seed": 7`, `"seed": "7"`, 4,
			`seed "7" must be a whole number`},
		{"fraction for a whole number", `"seed": 7`, `"seed": 7.5`, 4,
			`seed 7.5 must be a whole number`},
		{"text for a list", `"actions": [
    ` + crash + `
  ]`, `"actions": "none"`, 12,
			`actions "none" must be a list`},
		{"list for a group", limits, `"elector": []`, 6,
			`elector […] must be an object, a group of fields`},
		{"text for a boolean", limits, `"elector": {"releaseOnCancel": "true"}`, 6,
			`elector.releaseOnCancel "true" must be true or false`},
		{"number for text", nodes, `{"name": 1}`, 8,
			`candidates[0].name 1 must be text`},

		{"negative duration", `"startAt": "50ms"`, `"startAt": "-5s"`, 9,
			`candidates[1].startAt "-5s" must not be negative`},
		{"negative end", `"2m"`, `"-5s"`, 5,
			`duration "-5s" must not be negative`},
		{"no time at all", `"2m"`, `"0s"`, 5,
			`duration "0s" must be longer than zero: the run ends there`},
		{"too long", `"2m"`, `"2160h0m1s"`, 5,
			`duration "2160h0m1s" must be at most 2160h (90 days)`},
		{"clock too far back", nodes, `{"name": "a", "clock": {"offset": "-2161h"}}`, 8,
			`candidates[0].clock.offset "-2161h0m0s" must be at least -2160h (90 days)`},
		{"seed below zero", `"seed": 7`, `"seed": -1`, 4,
			`seed -1 must be between 0 and 9,007,199,254,740,991`},
		{"seed of 2^53", `"seed": 7`, `"seed": 9007199254740992`, 4,
			`seed 9007199254740992 must be between 0 and 9,007,199,254,740,991`},
		{"seed beyond 64 bits", `"seed": 7`, `"seed": 99999999999999999999`, 4,
			`seed 99999999999999999999 must be between 0 and 9,007,199,254,740,991`},
		{"clock too slow", nodes, `{"name": "a", "clock": {"ratePpm": 99999}}`, 8,
			`candidates[0].clock.ratePpm 99999 must be between 100,000 and 10,000,000; 1,000,000 is a true clock`},
		{"clock too fast", crash, `{"at": "20s", "act": "clock", "target": "a", "ratePpm": 10000001}`, 13,
			`actions[0].ratePpm 10000001 must be between 100,000 and 10,000,000; 1,000,000 is a true clock`},
		{"draw of 1", nodes, `{"name": "a", "jitterDraws": [0, 0.5, 1]}`, 8,
			`candidates[0].jitterDraws[2] 1 must be at least 0 and less than 1: a jitter draw`},
		{"negative draw", nodes, `{"name": "a", "jitterDraws": [-0.1]}`, 8,
			`candidates[0].jitterDraws[0] -0.1 must be at least 0 and less than 1: a jitter draw`},

		{"deadline as long as the lease", `"leaseDuration": "15s"`, `"leaseDuration": "10s"`, 6,
			`elector.renewDeadline "10s" must be shorter than leaseDuration "10s" (client-go refuses it: leaseDuration must be greater than renewDeadline)`},
		{"lease shorter than an inherited deadline", `"retryPeriod": "1s"`, `"leaseDuration": "8s"`, 9,
			`candidates[1].elector.leaseDuration "8s" must be longer than renewDeadline "10s" (client-go refuses it: leaseDuration must be greater than renewDeadline)`},
		{"deadline of exactly 1.2 retry periods", `"renewDeadline": "10s"`, `"renewDeadline": "2.4s"`, 6,
			`elector.renewDeadline "2.4s" must be longer than 1.2 times retryPeriod "2s", which is 2.4s (client-go refuses it: renewDeadline must be greater than retryPeriod*JitterFactor)`},
		{"retry too long for an inherited deadline", `"retryPeriod": "1s"`, `"retryPeriod": "9s"`, 9,
			`candidates[1].elector.retryPeriod "9s" is too long: 1.2 times it, 10.8s, must be shorter than renewDeadline "10s" (client-go refuses it: renewDeadline must be greater than retryPeriod*JitterFactor)`},
		{"no retry period", `"retryPeriod": "2s"`, `"retryPeriod": "0s"`, 6,
			`elector.retryPeriod "0s" must be longer than zero (client-go refuses it: retryPeriod must be greater than zero)`},
		{"set breaks the relation", crash, `{"at": "20s", "act": "set", "target": "b", "elector": {"leaseDuration": "9s"}}`, 13,
			`actions[0].elector.leaseDuration "9s" must be longer than renewDeadline "10s" (client-go refuses it: leaseDuration must be greater than renewDeadline), on node "b"`},
		{"empty identity", nodes, `{"name": "a", "identity": ""}`, 8,
			`candidates[0].identity "" must not be empty (client-go refuses it: Lock identity is empty); leave the field out to use the name`},
		{"empty identity of an added one", crash, `{"at": "20s", "act": "add", "candidate": {"name": "d", "identity": ""}}`, 13,
			`actions[0].candidate.identity "" must not be empty (client-go refuses it: Lock identity is empty); leave the field out to use the name`},

		{"duplicate name", `"name": "b"`, `"name": "a"`, 9,
			`candidates[1].name "a" is already taken; give every candidate its own name (two may share an identity)`},
		{"name of a replica", `"name": "b"`, `"name": "w-1"`, 10,
			`candidates[2].name "w-1" is already taken; give every candidate its own name (two may share an identity)`},
		{"name of a node with a space", `"name": "b"`, `"name": "b c"`, 9,
			`candidates[1].name "b c" must be 1 to 63 letters, digits, -, _ or ., beginning and ending with a letter or digit`},
		{"name with a meaning", `"name": "b"`, `"name": "holder"`, 9,
			`candidates[1].name "holder" is a reserved word (a target or an expectation); choose another name`},
		{"name of the scenario", `"seed": 7`, `"seed": 7, "name": "A Leader"`, 4,
			`name "A Leader" must be a DNS label: at most 63 of a-z, 0-9 and -, beginning and ending with a letter or digit`},
		{"name of the lease", `"seed": 7`, `"seed": 7, "lease": {"name": "-x"}`, 4,
			`lease.name "-x" must be a DNS name: at most 253 of a-z, 0-9, - and ., beginning and ending with a letter or digit`},
		{"spread of one", nodes, `{"name": "a", "spreadStart": "1s"}`, 8,
			`candidates[0].spreadStart "1s" needs replicas: it is the time over which they start`},
		{"restart pause without restart", nodes, `{"name": "a", "restartAfter": "1s"}`, 8,
			`candidates[0].restartAfter "1s" needs restart: new or same`},
		{"start after the end", `"startAt": "50ms"`, `"startAt": "121s"`, 9,
			`candidates[1].startAt "2m1s" lies after the end of the run at 2m0s`},
		{"10,001 candidates", `"replicas": 2`, `"replicas": 9999`, 7,
			`candidates: 10,001 candidates, with replicas and added ones, are more than the limit of 10,000`},
		{"a million replicas", `"replicas": 2`, `"replicas": 1000000`, 10,
			`candidates[2].replicas 1000000 must be between 0 and 10,000`},
		{"added candidates count", crash, `{"at": "20s", "act": "add", "candidate": {"name": "d", "replicas": 9997}}`, 7,
			`candidates: 10,001 candidates, with replicas and added ones, are more than the limit of 10,000`},

		{"fault naming no node", `"target": "a"`, `"target": "d"`, 13,
			`actions[0].target "d" names no node; use one of a, b, w-0 and w-1`},
		{"fault naming a group", `"target": "a"`, `"target": "w"`, 13,
			`actions[0].target "w" names no node: it has replicas; did you mean "w-0"?`},
		{"act before the node joins", crash, crash + `,
    {"at": "30s", "act": "add", "candidate": {"name": "d"}}, {"at": "25s", "act": "crash", "target": "d"}`, 14,
			`actions[2].target "d" joins only at 30s, after this act at 25s`},
		{"act after the node left", crash, `{"at": "20s", "act": "remove", "target": "a"}, {"at": "30s", "act": "restart", "target": "a"}`, 13,
			`actions[1].target "a" was removed at 20s; a removed node never returns`},
		{"unknown act", `"act": "crash"`, `"act": "crahs"`, 13,
			`actions[0].act "crahs" must be ` + listWords(actWords(), "or") + `; did you mean "crash"?`},
		{"empty act", `"act": "crash"`, `"act": ""`, 13,
			`actions[0].act "" must be ` + listWords(actWords(), "or")},
		{"act without target", crash, `{"at": "20s", "act": "crash"}`, 13,
			`actions[0].target: missing; act "crash" needs it`},
		{"act without an instant", crash, `{"act": "crash", "target": "a"}`, 13,
			`actions[0].at: missing; an act needs a time, for example "20s"`},
		{"field of another act", `"target": "a"`, `"target": "a", "direction": "up"`, 13,
			`actions[0].direction: does not belong to act "crash", which takes target and for`},
		{"clock without a change", crash, `{"at": "20s", "act": "clock", "target": "a"}`, 13,
			`actions[0]: act "clock" needs offset, ratePpm or jump`},
		{"after the end", `"at": "20s"`, `"at": "2m1s"`, 13,
			`actions[0].at "2m1s" lies after the end of the run at 2m0s`},
		{"unknown mode", crash, `{"at": "20s", "act": "cut", "target": "a", "mode": "drip"}`, 13,
			`actions[0].mode "drip" must be drop, refuse, hold, late or connection; did you mean "drop"?`},
		{"unknown verb", crash, `{"at": "20s", "act": "fail", "target": "a", "error": "http500", "verb": "list"}`, 13,
			`actions[0].verb "list" must be get, create, update, reads or writes`},
		{"unknown error", crash, `{"at": "20s", "act": "fail", "target": "a", "error": "http501"}`, 13,
			`actions[0].error "http501" must be http401, http403, http429, http500, http502, http503, http504, conflict, http504Applied, dropRequest, dropResponse, refused, reset, eof, broken, empty, hang or stall; did you mean "http401"?`},
		{"patch of nothing", crash, `{"at": "20s", "act": "write", "op": "patch"}`, 13,
			`actions[0]: a patch needs spec, clear or renewNow`},
		{"values in a delete", crash, `{"at": "20s", "act": "write", "op": "delete", "spec": {"holderIdentity": "x"}}`, 13,
			`actions[0].spec: does not belong to op "delete", which writes no values`},
		{"clear of an unknown field", crash, `{"at": "20s", "act": "write", "op": "patch", "clear": ["holder"]}`, 13,
			`actions[0].clear[0] "holder" must be holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions, strategy or preferredHolder`},
		{"clear and write at once", crash, `{"at": "20s", "act": "write", "op": "patch", "clear": ["renewTime"], "renewNow": true}`, 13,
			`actions[0].clear[0] "renewTime" is also in this action's spec; keep one of them`},

		{"empty expectation", `"seed": 7`, `"seed": 7, "expect": [{}]`, 4,
			`expect[0]: empty; it needs violation, leader, changes, measure or event`},
		{"unknown event", `"seed": 7`, `"seed": 7, "expect": [{"event": "startedLeadin"}]`, 4,
			`expect[0].event "startedLeadin" must be ` + listWords(trace.EventNames(), "or") + `; did you mean "startedLeading"?`},
		{"unknown measure", `"seed": 7`, `"seed": 7, "expect": [{"measure": "leaderlesLongest", "atMost": "20s"}]`, 4,
			`expect[0].measure "leaderlesLongest" must be leaderChanges, leaderlessLongest, leaderlessTotal, doubleLeaderLongest, doubleLeaderTotal, requests, requestsPerSecond, requestsPeak, conflicts, staleWritesAttempted, staleWritesAccepted or staleWritesRefused; did you mean "leaderlessLongest"?`},
		{"measure of a violation", `"seed": 7`, `"seed": 7, "expect": [{"violation": "moreThanOneActive", "measure": "longst", "atMost": "20s"}]`, 4,
			`expect[0].measure "longst" must be count, longest or total; did you mean "longest"?`},
		{"measure without a bound", `"seed": 7`, `"seed": 7, "expect": [{"measure": "requests"}]`, 4,
			`expect[0].measure "requests" needs atLeast or atMost`},
		{"bound of the wrong kind", `"seed": 7`, `"seed": 7, "expect": [{"measure": "leaderlessTotal", "atMost": 20}]`, 4,
			`expect[0].atMost 20 must be a length with its unit, such as "15s"`},
		{"length for a count", `"seed": 7`, `"seed": 7, "expect": [{"event": "conflict", "atMost": "2s"}]`, 4,
			`expect[0].atMost "2s" must be a number: the limit is a count, not a duration`},
		{"half an event", `"seed": 7`, `"seed": 7, "expect": [{"event": "conflict", "atMost": 2.5}]`, 4,
			`expect[0].atMost 2.5 must be a whole number: the limit is a count`},
		{"negative bound", `"seed": 7`, `"seed": 7, "expect": [{"event": "conflict", "atMost": -1}]`, 4,
			`expect[0].atMost -1 must not be negative`},
		{"bound that is not an amount", `"seed": 7`, `"seed": 7, "expect": [{"event": "conflict", "atMost": "many"}]`, 4,
			`expect[0].atMost "many" must be a length with its unit, such as "15s", or a number with at most three decimals`},
		{"bound over the run", `"seed": 7`, `"seed": 7, "expect": [{"measure": "leaderlessTotal", "atMost": "3m"}]`, 4,
			`expect[0].atMost "3m0s" is longer than the run of 2m0s`},
		{"bounds the wrong way round", `"seed": 7`, `"seed": 7, "expect": [{"measure": "requests", "atLeast": 20, "atMost": 10}]`, 4,
			`expect[0].atMost 10 is less than atLeast, 20`},
		{"window the wrong way round", `"seed": 7`, `"seed": 7, "expect": [{"event": "crashed", "from": "20s", "until": "10s"}]`, 4,
			`expect[0].until "10s" lies before from, 20s`},
		{"window after the end", `"seed": 7`, `"seed": 7, "expect": [{"event": "crashed", "from": "121s"}]`, 4,
			`expect[0].from "2m1s" lies after the end of the run at 2m0s`},
		{"instant without a leader", `"seed": 7`, `"seed": 7, "expect": [{"changes": 1, "at": "10s"}]`, 4,
			`expect[0].at: belongs to leader, and this clause has none`},
		{"two subjects", `"seed": 7`, `"seed": 7, "expect": [{"violation": "moreThanOneActive", "event": "crashed"}]`, 4,
			`expect[0].event: cannot share a clause with violation; write two clauses`},
		{"two leaders at once", `"seed": 7`, `"seed": 7, "expect": [{"leader": "a", "at": "9s"}, {"leader": "b", "at": "9s"}]`, 4,
			`expect[1].leader "b" contradicts expect[0], where it is "a" at the same instant`},
		{"never and once", `"seed": 7`, `"seed": 7, "expect": [{"violation": "moreThanOneActive", "atMost": 0}, {"violation": "moreThanOneActive"}]`, 4,
			`expect[1].violation: contradicts expect[0]: no run can meet both`},
		{"changes twice", `"seed": 7`, `"seed": 7, "expect": [{"measure": "leaderChanges", "atLeast": 3}, {"changes": 2}]`, 4,
			`expect[1].changes: contradicts expect[0]: no run can meet both`},
		{"event of nobody", `"seed": 7`, `"seed": 7, "expect": [{"event": "crashed", "node": "z"}]`, 4,
			`expect[0].node "z" names no node; use one of a, b, w-0 and w-1`},
		{"exhibit without a number", `"seed": 7`, `"seed": 7, "museum": {"catalogue": "B2", "variant": "fixed"}`, 4,
			`museum.catalogue "B2" must be a catalog ID, such as "B02"`},
		{"exhibit with a sign", `"seed": 7`, `"seed": 7, "museum": {"catalogue": "B+2", "variant": "fixed"}`, 4,
			`museum.catalogue "B+2" must be a catalog ID, such as "B02"`},
		{"exhibit of a third kind", `"seed": 7`, `"seed": 7, "museum": {"catalogue": "B02", "variant": "broken"}`, 4,
			`museum.variant "broken" must be failing or fixed`},
		{"exhibit from nowhere", `"seed": 7`, `"seed": 7, "museum": {"catalogue": "B02", "variant": "failing"}`, 4,
			`museum.source: missing; say where it happened, such as kubernetes/kubernetes#23731`},
		{"source of hearsay", `"seed": 7`, `"seed": 7, "museum": {"catalogue": "B02", "variant": "failing", "source": ["a friend"]}`, 4,
			`museum.source[0] "a friend" must be "owner/repo#123" or an address that begins with "https://"`},
		{"lesson out of range", `"seed": 7`, `"seed": 7, "museum": {"catalogue": "B02", "variant": "fixed", "lesson": 17}`, 4,
			`museum.lesson 17 must be between 0 and 16`},
		{"expected leader is nobody's name", `"seed": 7`, `"seed": 7, "expect": [{"leader": "z"}]`, 4,
			`expect[0].leader "z" names no node; use one of a, b, w-0 and w-1`},
		{"violation is not a word", `"seed": 7`, `"seed": 7, "expect": [{"violation": "two leaders"}]`, 4,
			`expect[0].violation "two leaders" must be the name of a checker's rule; they are ` + listWords(rules.Names(), "and")},
		{"violation misspelt", `"seed": 7`, `"seed": 7, "expect": [{"violation": "moreThanOneActiv"}]`, 4,
			`expect[0].violation "moreThanOneActiv" must be the name of a checker's rule; did you mean "moreThanOneActive"?`},
		{"a fence nobody builds", `"seed": 7`, `"seed": 7, "resource": {"fence": "off"}`, 4,
			`resource.fence "off" must be none, leaseTransitions or resourceVersion`},
		{"a writer that never rests", `"seed": 7`, `"seed": 7, "resource": {"fence": "none", "writeEvery": "1us"}`, 4,
			`resource.writeEvery "1µs" must be at least 1ms`},
		{"a cut from no resource", crash, `{"at": "20s", "act": "cutResource", "target": "a"}`, 13,
			`actions[0].act "cutResource" needs a resource to cut; add one to the scenario, such as resource: {fence: none}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := document(c.old, c.new)
			require.NotEqual(t, document(), text, "the case changes nothing")
			_, err := Decode([]byte(text))
			var e *FieldError
			require.True(t, errors.As(err, &e), "%v", err)
			assert.Equal(t, c.message, e.Message)
			assert.Equal(t, fmt.Sprintf("line %d: %s", c.line, c.message), e.Error())
			assert.NotEmpty(t, e.Rule)
		})
	}
}

// The error distinguishes a document that is not a scenario from a scenario with a mistake.
func TestDecodeRefusesDocuments(t *testing.T) {
	for _, c := range []struct{ text, message string }{
		{"", `the document is empty; it should be a scenario`},
		{" \n", `the document is empty; it should be a scenario`},
		{"[]", `line 1: the document is […]; it should be a scenario, an object with apiVersion and kind`},
		{"{\"seed\": 1,\n", `line 2: the document ends too early: it is not complete JSON`},
		{"{}\n{}", `line 2: the document continues after its end: one scenario is one JSON object`},
		{"{\n'a': 1}", `line 2: the document is not JSON: invalid character '\'' looking for beginning of object key string`},
		{"\xff\xfe{}", `the document is not UTF-8 text; it should be a scenario in JSON or YAML`},
		{"{}", `line 1: apiVersion: missing; a scenario needs apiVersion: leaselab.dev/v1alpha1`},
	} {
		_, err := Decode([]byte(c.text))
		assert.EqualError(t, err, c.message, "%q", c.text)
	}
}

// A document that is deep is refused for that before its paths, each as long as all names around it, fill the memory:
// 765 kB would take 3 GB.
func TestDecodeRefusesDeepDocuments(t *testing.T) {
	deep := func(n int) func() {
		text := strings.Repeat("{\""+strings.Repeat("k", 80)+"\":\n", n) + "1" + strings.Repeat("}", n)
		return func() {
			_, err := Decode([]byte(text))
			require.EqualError(t, err, "line 101: the document is nested more than 100 levels deep, the limit of a scenario")
		}
	}
	bounded.Growth(t, 1000, 9000, deep)
}

// 100,001 acts are refused before they are made; so is a list of 10,001 candidates.
func TestDecodeRefusesLongLists(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("{},", MaxActions+1), ",")
	_, err := Decode([]byte(document(crash, long)))
	assert.EqualError(t, err, `line 12: actions: 100,001 are more than the limit of 100,000`)
	_, err = Decode([]byte(document(nodes, strings.TrimSuffix(strings.Repeat("{},", MaxCandidates+1), ","))))
	assert.EqualError(t, err, `line 7: candidates: 10,003 are more than the limit of 10,000`)
}

// endless counts what is read of a file that never ends.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func TestReadLimitedStopsAtTheLimit(t *testing.T) {
	const message = `the document is larger than 4 MiB (4,194,304 bytes), the limit of a scenario`
	file := &endless{}
	_, err := ReadLimited(io.LimitReader(file, 100<<20))
	assert.EqualError(t, err, message)
	assert.LessOrEqual(t, file.read, 2*MaxBytes, "a 100 MB file is not read to its end")

	data, err := ReadLimited(strings.NewReader(strings.Repeat(" ", MaxBytes)))
	require.NoError(t, err)
	assert.Len(t, data, MaxBytes)

	_, err = Decode(make([]byte, MaxBytes+1))
	assert.EqualError(t, err, message)
}

// A set is judged by what the node has at that time: after the first act the second one is right.
func TestSetActionsBuildOnEachOther(t *testing.T) {
	second := `{"at": "30s", "act": "set", "target": "a", "elector": {"renewDeadline": "16s"}}`
	_, err := Decode([]byte(document(crash, second)))
	assert.ErrorContains(t, err, `"16s" must be shorter than leaseDuration "15s"`)
	first := `{"at": "25s", "act": "set", "target": "*", "elector": {"leaseDuration": "20s"}}`
	_, err = Decode([]byte(document(crash, second+","+first)))
	assert.NoError(t, err, "the order is that of time, not of the list")
}
