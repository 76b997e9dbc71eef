package shipped

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// Names that links, files and stored sessions have, and what they open now.
var earlierNames = map[string]string{
	"b01-hanging-request-mended":     "b01-hanging-request-fixed",
	"b02-three-second-margin-mended": "b02-three-second-margin-fixed",
	"b03-frozen-leader-mended":       "b03-paused-leader-fixed",
	"b12-clock-rate-mended":          "b12-clock-rate-fixed",
	"b45-elected-ghost-mended":       "b45-elected-ghost-fixed",
	"b54-blind-watcher-mended":       "b54-blind-watcher-fixed",
	"a-leader-dies":                  "a-leader-dies",
	"many":                           "many",
}

func TestEarlierNamesOpen(t *testing.T) {
	for old, now := range earlierNames {
		s, found := ByName(old)
		require.True(t, found, old)
		assert.Equal(t, now, s.Name)
		assert.NotEmpty(t, Source(old), old)
	}
	_, found := ByName("mended")
	assert.False(t, found)
}

// Every fixed variant opens by the name it had.
func TestEveryFixedVariantHasItsEarlierName(t *testing.T) {
	fixed := 0
	for _, s := range List() {
		if name, is := cutFixed(s.Name); is {
			fixed++
			if s.Name == "b03-paused-leader-fixed" {
				name = "b03-frozen-leader"
			}
			again, found := ByName(name + "-mended")
			require.True(t, found, s.Name)
			assert.Equal(t, s.Name, again.Name)
		}
	}
	assert.Greater(t, fixed, 40)
}

func cutFixed(name string) (string, bool) {
	const ending = "-fixed"
	if len(name) < len(ending) || name[len(name)-len(ending):] != ending {
		return name, false
	}
	return name[:len(name)-len(ending)], true
}

// A file of an earlier version opens, and is written with the words of now.
func TestAnEarlierFileIsWrittenNew(t *testing.T) {
	s, err := yaml.Decode([]byte(`
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: mine
seed: 7
duration: 1m
candidates: [{name: a}]
actions:
  - {at: 10s, act: fail, target: a, error: http503}
  - {at: 20s, act: mend, target: a}
museum: {catalogue: B01, variant: mended, partner: b01-hanging-request}
`))
	require.NoError(t, err)
	assert.Equal(t, scenario.ActRecover, s.Actions[1].Act)
	assert.Equal(t, scenario.VariantFixed, s.Museum.Variant)
	text := string(scenario.Encode(s))
	assert.NotContains(t, text, "mend")
	acts, err := scenario.Set(s, "actions", `[{"at":"1s","act":"fail","target":"a","error":"http503"},{"at":"2s","act":"mend","target":"a"}]`)
	require.NoError(t, err, "a change in a link")
	assert.Equal(t, scenario.ActRecover, acts.Actions[1].Act)
}
