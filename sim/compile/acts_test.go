package compile

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Every act of the format has an entry here, and every entry is of an act. The world does something else for each of them.
func TestEveryActIsCompiled(t *testing.T) {
	doers := map[world.ControlKind]string{}
	for _, act := range scenario.Acts() {
		entry, found := entries[act.Word]
		if act.Word == scenario.ActAdd || act.Word == scenario.ActRollingUpdate {
			assert.False(t, found, "an added candidate joins once for each replica, a rolling update stands for other acts")
			continue
		}
		assert.True(t, found, "%s has no entry", act.Word)
		assert.Empty(t, doers[entry.does], "%s does the same", act.Word)
		doers[entry.does] = act.Word
		if entry.ends != world.DoStart {
			ends := slices.ContainsFunc(scenario.Acts(), func(a *scenario.Act) bool { return entries[a.Word].does == entry.ends })
			assert.True(t, ends, "%s ends with what no act does", act.Word)
		}
	}
	for word := range entries {
		assert.NotNil(t, scenario.ActNamed(word), "%s is not an act", word)
	}
}

// Every word of the format that means something to the world has a translation.
func TestEveryWordIsCompiled(t *testing.T) {
	contains := func(key string, known func(word string) bool) {
		assert.NotEmpty(t, scenario.Choices(key), key)
		for _, word := range scenario.Choices(key) {
			assert.True(t, known(word), "%s: %s", key, word)
		}
	}
	contains("Action.direction", knows(directions))
	contains("Action.error", knows(faults))
	contains("Action.effect", knows(effects))
	contains("Action.message", knows(senders))
	contains("Action.verb", knows(verbs))
	contains("Action.resource", knows(resources))
	contains("Action.op", knows(writeOps))
	contains("Action.clear", knows(specFields))
	contains("Candidate.restart", knows(restarts))
	contains("Process.onLoss", knows(lossPolicies))
	contains("Resource.cleanUp", knows(cleanUps))
}

func knows[T any](table map[string]T) func(string) bool {
	return func(word string) bool {
		_, known := table[word]
		return known
	}
}

// An act with within draws its instant from the seed, regardless of other acts. Written down, the instant gives the
// same run.
func TestInstantsAreDrawn(t *testing.T) {
	const act = `{"at":"20s","within":"2s","act":"crash","target":"a"}`
	of := func(seed int, acts string) []world.Control {
		s, err := scenario.Decode([]byte(fmt.Sprintf(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":%d,"duration":"60s","candidates":[{"name":"a"},{"name":"b"}],"actions":[%s]}`, seed, acts)))
		require.NoError(t, err)
		pinned := Pin(s)
		require.NoError(t, scenario.Validate(pinned))
		require.Equal(t, Scenario(s).Controls, Scenario(pinned).Controls)
		return Scenario(s).Controls
	}
	drawn := map[int64]bool{}
	for seed := range 50 {
		alone := of(seed, act)[0].AtNs
		require.GreaterOrEqual(t, alone, int64(20e9))
		require.Less(t, alone, int64(22e9))
		require.Equal(t, alone, of(seed, `{"at":"10s","act":"pause","target":"b","for":"1s"},`+act)[2].AtNs)
		drawn[alone] = true
	}
	assert.Len(t, drawn, 50)
	_, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"21s","candidates":[{"name":"a"}],"actions":[` + act + `]}`))
	assert.ErrorContains(t, err, "actions[0].within")
}
