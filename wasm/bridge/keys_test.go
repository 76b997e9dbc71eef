//go:build !js

// It reads the tree, which is the same on every platform.

package bridge

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
)

// The page binds its keys before the engine is ready, in a separate table. That table has the same keys as the table
// of acts.
func TestThePageHasTheKeysOfTheActs(t *testing.T) {
	source, err := os.ReadFile("../../web/js/page/keys.json")
	require.NoError(t, err)
	var entries []struct {
		ID, Group string
		Keys      []string
	}
	require.NoError(t, json.Unmarshal(source, &entries))
	var page []string
	for _, e := range entries {
		if e.Group == "Act" && e.ID != "undo" && e.ID != "redo" {
			page = append(page, strings.ToUpper(e.Keys[0]))
		}
	}
	var acts []string
	for _, act := range scenario.Acts() {
		if act.Key != "" {
			acts = append(acts, act.Key)
		}
	}
	slices.Sort(page)
	slices.Sort(acts)
	assert.Equal(t, slices.Compact(acts), page)
}
