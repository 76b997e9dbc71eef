package random

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The swarm speaks: most dialects come up in its first thousand scenarios, and so do the knobs of process and client.
func TestSwarmHasConduct(t *testing.T) {
	dialects, watchdogs, limits, suspends := map[string]bool{}, 0, 0, 0
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
}
