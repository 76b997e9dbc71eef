//go:build !js

// It reads the tree, which is the same on every platform.

package bridge

import (
	"os"
	"regexp"
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
	source, err := os.ReadFile("../../web/js/page/keys.js")
	require.NoError(t, err)
	var page []string
	for _, entry := range regexp.MustCompile(`id: '(\w+)', group: 'Act', keys: \['(\w)'`).FindAllStringSubmatch(
		string(source), -1) {
		if id := entry[1]; id != "undo" && id != "redo" {
			page = append(page, strings.ToUpper(entry[2]))
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
