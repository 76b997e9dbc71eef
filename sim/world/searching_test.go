package world

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/network"
)

// CopyTo names each field by itself, for that is faster than a copy of the whole. A new field fails here until CopyTo
// copies it, or until it is clear that a search has no use for it.
func TestCopyToKnowsEveryField(t *testing.T) {
	for _, c := range []struct {
		of              any
		copied, without string
	}{
		// refused by explore
		{World{},
			"setup now nodes settings alike timers queue deferred acts net store leaseWrittenNs recorder electors " +
				"resource programs restart", "clients servers heartbeats kept"},
		{transport{}, "rules list free bodies freeBodies sent held stopped calls", ""},
		{timers{}, "nodes tree", ""},
		{calls{}, "list free", "outputs"}, // of the last step
		{recorder{}, "hash mute length counts asked", "room"},
		{electors{}, "locks usesConfigMap", "outputs"},
		{resource{}, "machine writers rules sent", ""},
		{network.Rules{}, "seed cuts faults latencies queues capacity leaderNs led mayKeep", ""},
	} {
		kind := reflect.TypeOf(c.of)
		var fields []string
		for i := range kind.NumField() {
			fields = append(fields, kind.Field(i).Name)
		}
		assert.ElementsMatch(t, fields, append(strings.Fields(c.copied), strings.Fields(c.without)...), kind.Name())
	}
}
