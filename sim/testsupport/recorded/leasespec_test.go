package recorded_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// A spec survives the conversion to a value and back with any of its seven fields present.
func TestSpecAndRecord(t *testing.T) {
	full := map[coordination.Fields]string{
		coordination.HasHolderIdentity: `"holderIdentity":"a"`, coordination.HasLeaseDurationSeconds: `"leaseDurationSeconds":15`,
		coordination.HasAcquireTime: `"acquireTime":"2000-01-01T00:00:00.000001Z"`, coordination.HasRenewTime: `"renewTime":"1999-12-31T23:59:59.999999Z"`,
		coordination.HasLeaseTransitions: `"leaseTransitions":0`, coordination.HasStrategy: `"strategy":"OldestEmulationVersion"`, coordination.HasPreferredHolder: `"preferredHolder":""`,
	}
	order := []coordination.Fields{
		coordination.HasHolderIdentity, coordination.HasLeaseDurationSeconds, coordination.HasAcquireTime, coordination.HasRenewTime,
		coordination.HasLeaseTransitions, coordination.HasStrategy, coordination.HasPreferredHolder,
	}
	symbols := coordination.NewSymbols()
	for set := range coordination.Fields(128) {
		var parts []string
		for _, f := range order {
			if set&f != 0 {
				parts = append(parts, full[f])
			}
		}
		text := "{" + strings.Join(parts, ",") + "}"
		var spec recorded.LeaseSpec
		require.NoError(t, json.Unmarshal([]byte(text), &spec))
		record := spec.Record(symbols)
		assert.Equal(t, set, record.Present)
		again, err := json.Marshal(recorded.SpecOf(&record, symbols))
		require.NoError(t, err)
		assert.Equal(t, text, string(again))
	}
}
