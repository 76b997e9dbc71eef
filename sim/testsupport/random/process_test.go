package random

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/scenario"
)

// The swarm speaks: most dialects come up in its first thousand scenarios, and so does every setting.
func TestSwarmHasConduct(t *testing.T) {
	if testing.Short() {
		t.Skip("1,000 scenarios: runs without -short")
	}
	dialects, watchdogs, limits, suspends := map[string]bool{}, 0, 0, 0
	given := map[string]int{}
	for n := range uint64(1000) {
		s := Speaking(n)
		for _, word := range s.Elector.Dialect {
			dialects[word] = true
		}
		if s.Process.WatchdogTolerance != nil {
			watchdogs++
		}
		if s.Client.QPS != nil {
			limits++
		}
		for _, setting := range scenario.Settings() {
			if scenario.IsSet(s, setting.Path) {
				given[setting.Path]++
			}
		}
		for _, a := range s.Actions {
			if a.Act == "suspend" {
				suspends++
			}
		}
	}
	assert.Greater(t, len(dialects), 15)
	assert.Greater(t, watchdogs, 30)
	assert.Greater(t, limits, 30)
	assert.Greater(t, suspends, 100)
	for _, setting := range scenario.Settings() {
		assert.Positive(t, given[setting.Path], setting.Path)
	}
}
