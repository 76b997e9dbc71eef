package rename

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/world"
)

// namesNoNode has every text of the format, without those that are one of a list of words, that never names a node. A new text of the
// format must stand here or among the meanings of package rename.
var namesNoNode = []string{
	"Scenario.name", "Scenario.title", "Scenario.summary", "Lease.namespace", "Lease.name", "APIServer.version",
	"Candidate.binaryVersion", "Candidate.emulationVersion", "Candidate.strategy", "Candidate.preferredStrategies",
	"Action.binaryVersion", "Action.emulationVersion", "Action.headers", "LeaseSpec.strategy",
	"Expect.violation", "Expect.measure", "Expect.atLeast", "Expect.atMost",
	"Museum.catalogue", "Museum.partner", "Museum.class", "Museum.source", "Museum.story", "Museum.watch",
}

// Every text of the format either follows a new name, or is known to name no node.
func TestEveryTextIsKnown(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(of reflect.Type, key string)
	walk = func(of reflect.Type, key string) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		switch {
		case of.Kind() == reflect.String && scenario.Choices(key) == nil:
			_, follows := meanings[key]
			none := strings.Contains(" "+strings.Join(namesNoNode, " ")+" ", " "+key+" ")
			assert.True(t, follows != none, "%s: does it name a node? Write it into the meanings of package rename, or into this test's list", key)
		case of.Kind() == reflect.Struct && !seen[of]:
			seen[of] = true
			for i := range of.NumField() {
				name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
				walk(of.Field(i).Type, of.Name()+"."+name)
			}
		}
	}
	walk(reflect.TypeFor[scenario.Scenario](), "")
	for key := range meanings {
		assert.NotEmpty(t, scenario.FieldNamed(key).Help, "%s is no field", key)
	}
}

func decode(t *testing.T, text string) scenario.Scenario {
	t.Helper()
	s, err := yaml.Decode([]byte(text))
	require.NoError(t, err)
	return s
}

func renamed(t *testing.T, s scenario.Scenario, names ...string) scenario.Scenario {
	t.Helper()
	changes, err := Changes(s, pairs(names))
	require.NoError(t, err)
	to, err := scenario.SetAll(s, changes)
	require.NoError(t, err)
	return to
}

func pairs(names []string) []Name {
	var all []Name
	for i := 0; i < len(names); i += 2 {
		all = append(all, Name{From: names[i], To: names[i+1]})
	}
	return all
}

// everything uses every field that may name a node.
const everything = `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 3
duration: 4m
process: {restartAfterCrash: 3s}
network: {requestDistribution: {min: 1ms, max: 40ms}}
candidates:
  - {name: a, identity: a, startJitterMax: 1s}
  - {name: web, replicas: 2, spreadStart: 1s}
  - {name: c, identity: charlie}
heartbeats: {nodes: 2}
actions:
  - {at: 20s, act: crash, target: a, within: 3s}
  - {at: 30s, act: cut, target: web-1, for: 5s, probability: 0.5}
  - {at: 40s, act: write, op: patch, spec: {holderIdentity: web-0}}
  - {at: 50s, act: request, method: PATCH, path: /apis/coordination.k8s.io/v1/namespaces/default/leases/demo, headers: ["Content-Type: application/merge-patch+json"], body: '{"spec":{"holderIdentity":"charlie"}}'}
  - {at: 60s, act: request, method: PATCH, path: /apis/coordination.k8s.io/v1/namespaces/default/leases/demo, headers: ["Content-Type: application/json-patch+json"], body: '[{"op":"replace","path":"/spec/holderIdentity","value":"a"}]'}
  - {at: 70s, act: add, candidate: {name: d}}
  - {at: 80s, act: pause, target: d, for: 2s}
  - {at: 90s, act: rollingUpdate}
  - {at: 150s, act: pause, target: web-1-v2, for: 25s}
  - {at: 180s, act: pause, target: monitor, for: 5s}
expect:
  - {leader: web-0-v2}
  - {event: crashed, node: a}
  - {violation: moreThanOneActive, nodes: [a, c], atMost: 9}
`

// No field keeps an old name, and renaming back gives the scenario as it was.
func TestEveryFieldFollows(t *testing.T) {
	s := decode(t, everything)
	to := renamed(t, s, "a", "Anna", "web", "Ben", "c", "Clara", "d", "Dora", "monitor", "Mona")
	assert.Equal(t, []string{"Anna", "Ben", "Clara", "Dora", "Mona"}, Nodes(to))
	assert.Equal(t, "Anna", to.Candidates[0].Identity, "an identity that is the name follows")
	assert.Equal(t, "charlie", to.Candidates[2].Identity, "another stays")
	targets := make([]string, len(to.Actions))
	for i, a := range to.Actions {
		targets[i] = a.Target
	}
	assert.Equal(t, []string{"Anna", "Ben-1", "", "", "", "", "Dora", "", "Ben-1-v2", "Mona"}, targets)
	assert.Equal(t, "Ben-0", *to.Actions[2].Spec.HolderIdentity)
	assert.Equal(t, s.Actions[3].Body, to.Actions[3].Body, "an identity that is no name stays")
	assert.Equal(t, `[{"op":"replace","path":"/spec/holderIdentity","value":"Anna"}]`, to.Actions[4].Body)
	assert.Equal(t, "Dora", to.Actions[5].Candidate.Name)
	assert.Equal(t, []string{"Ben-0-v2", "Anna", "Anna Clara"}, []string{to.Expect[0].Leader, to.Expect[1].Node, strings.Join(to.Expect[2].Nodes, " ")})

	back := renamed(t, to, "Anna", "a", "Ben", "web", "Clara", "c", "Dora", "d", "Mona", "monitor")
	s.Heartbeats.Monitors = []scenario.Monitor{{Name: "monitor"}}
	assert.Equal(t, string(scenario.Encode(s)), string(scenario.Encode(back)))
}

// The run with other names is the same run: every record at the same instant, with the same draws.
func TestTheRunStays(t *testing.T) {
	same := func(t *testing.T, s scenario.Scenario, names ...string) {
		t.Helper()
		one, other := world.New(compile.Scenario(s)), world.New(compile.Scenario(renamed(t, s, names...)))
		records := 0
		for one.Step(int64(s.Duration)) {
			require.True(t, other.Step(int64(s.Duration)))
			a, b := one.Records(), other.Records()
			require.Len(t, b, len(a))
			for i := range a {
				require.True(t, a[i].At == b[i].At && a[i].SameButForNames(&b[i]), "%s at %d ns", a[i].Kind, a[i].At)
				records++
			}
		}
		assert.False(t, other.Step(int64(s.Duration)))
		assert.Greater(t, records, 50)
	}
	t.Run("everything", func(t *testing.T) {
		same(t, decode(t, everything), "a", "Anna", "web", "Ben", "c", "Clara", "d", "Dora", "monitor", "Mona")
	})
	t.Run("two swap their names", func(t *testing.T) { same(t, decode(t, everything), "a", "c", "c", "a") })
	for _, s := range shipped.List() {
		if len(s.Candidates) > 9 || s.Duration > scenario.Duration(5*time.Minute) {
			continue
		}
		var names []string
		for i, node := range Nodes(s) {
			names = append(names, node, string(rune('p'+i))+node) // names decide between equal candidates: their order stays
		}
		t.Run(s.Name, func(t *testing.T) { same(t, s, names...) })
	}
}

// A renamed world that is given another future has the future of the original.
func TestReseededRunsStay(t *testing.T) {
	s := decode(t, everything)
	one, other := world.New(compile.Scenario(s)), world.New(compile.Scenario(renamed(t, s, "a", "Anna", "web", "Ben")))
	for _, w := range []*world.World{one, other} {
		for w.Step(int64(25e9)) {
		}
		w.Reseed(7)
		for w.Step(int64(s.Duration)) {
		}
	}
	assert.Equal(t, one.Counts(), other.Counts())
}

// What cannot be a name is refused with the field and the way out, and nothing changes.
func TestRefusals(t *testing.T) {
	for name, one := range map[string]struct {
		names []string
		says  string
	}{
		"empty":                   {[]string{"a", ""}, "a needs a name: 1 to 63 letters"},
		"invalid":                 {[]string{"a", "Anna Lee"}, `candidates[0].name "Anna Lee" must be 1 to 63 letters`},
		"a word of the format":    {[]string{"a", "holder"}, `candidates[0].name "holder" is a word of the format`},
		"taken":                   {[]string{"a", "c"}, `candidates[2].name "c" is already taken`},
		"twice":                   {[]string{"a", "Anna", "a", "Berta"}, `a "Berta" is the second new name of a`},
		"another node's identity": {[]string{"a", "charlie"}, `candidates[2].identity "charlie" is a holderIdentity of the scenario already`},
		"no node":                 {[]string{"z", "Zora"}, "z names no node; there are a, web, c, d, monitor"},
		"one replica":             {[]string{"web-1", "Ben"}, "web-1 is one of the replicas of web; rename web"},
		"a kubelet":               {[]string{"node-1", "Ben"}, "node-1 sends heartbeats"},
	} {
		t.Run(name, func(t *testing.T) {
			s := decode(t, everything)
			_, err := Changes(s, pairs(one.names))
			require.ErrorContains(t, err, one.says)
			assert.Equal(t, decode(t, everything), s)
		})
	}
}

// Holders in the bodies of requests follow, in JSON and in YAML; other texts stay.
func TestBodies(t *testing.T) {
	s := decode(t, everything)
	for body, want := range map[string]string{
		`{"spec":{"holderIdentity":"a","preferredHolder" : "web-1"}}`:                    `{"spec":{"holderIdentity":"Anna","preferredHolder" : "Ben-1"}}`,
		"spec:\n  holderIdentity: a # a\n":                                               "spec:\n  holderIdentity: Anna # a\n",
		`spec: {holderIdentity: 'a', strategy: a}`:                                       `spec: {holderIdentity: 'Anna', strategy: a}`,
		`[{"value":"a","op":"add","path":"/metadata/labels/a"}]`:                         `[{"value":"a","op":"add","path":"/metadata/labels/a"}]`,
		`[{"op":"add","value":"a","path":"/spec/preferredHolder"}]`:                      `[{"op":"add","path":"/spec/preferredHolder","value":"Anna"}]`,
		`{"kind":"LeaseCandidate","metadata":{"name":"web-0"},"spec":{"leaseName":"a"}}`: `{"kind":"LeaseCandidate","metadata":{"name":"Ben-0"},"spec":{"leaseName":"a"}}`,
		`{"kind":"Lease","metadata":{"name":"a"},"spec":{}}`:                             `{"kind":"Lease","metadata":{"name":"a"},"spec":{}}`,
	} {
		s.Actions[3].Body = body
		assert.Equal(t, want, renamed(t, s, "a", "Anna", "web", "Ben").Actions[3].Body)
	}
}
