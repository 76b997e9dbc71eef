package elector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// lines splits a trace into comparable strings: one per event, version, interval and total.
func lines(t testing.TB, data []byte) []string {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var trace map[string]any
	require.NoError(t, decoder.Decode(&trace))
	var out []string
	for _, part := range []string{"events", "leaseHistory", "leadingIntervals"} {
		list, _ := trace[part].([]any)
		for _, item := range list {
			b, err := json.Marshal(item) // sorted keys
			require.NoError(t, err)
			out = append(out, part+" "+string(b))
		}
	}
	for _, part := range []string{"dualLeadershipNs", "noLeaderNs", "requests"} {
		out = append(out, part+" "+trace[part].(json.Number).String())
	}
	return out
}

// Every trace of the real client-go elector equals our replay of its schedule: events in their order, the stored
// versions, who led when, and the totals.
//
// The traces pin the rules. Breaking one rule by hand makes this many of the 110 traces differ:
//
//	a change is noticed in milliseconds, not in whole seconds        3
//	leaseTransitions does not grow at a takeover                    58
//	a follower waits for its own duration, not the published one     8
//	a tick missed by a slow attempt is not caught up                 9
//	acquireTime is fresh after a failed fast path                   18
//	release looks at the record it has just read                     3
//	release gives up on a conflict                                   1
//	the fast path does not ask whether the lease is still valid      7
//	validity is judged when the answer comes, not at the start       3
//	every read counts as a change                                   47
//	the leading context ends before release                         20
//	no jitter is drawn after the attempt that succeeds             108
//
// No trace pins that a coordinated lease expires: TestCoordinatedExpiryAtTheDeadline in core/elector does.
func TestEveryRecordedTrace(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.json.gz")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	readme, err := os.ReadFile("../../../../README.md")
	require.NoError(t, err)
	assert.Contains(t, string(readme), fmt.Sprintf("%d recorded runs of the real library", len(paths)))
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json.gz"), func(t *testing.T) {
			data, err := recorded.Read(path)
			require.NoError(t, err)
			trace, err := Run(data)
			require.NoError(t, err)
			assert.Equal(t, lines(t, data), lines(t, trace.JSON()))
			for _, e := range trace.Events {
				assert.False(t, e.Kind == "request" && e.Verb == "update" && e.SentRV == 0,
					"an update without a name: see below")
			}
		})
	}
}

// The recordings end at the LeaseLock, below which stood a double. It would have sent an update whose object has no
// name, as after a create that failed, which client-go's own client refuses. The assertion above says that no schedule
// comes to that: all of them run with our client as with the double. The recordings of package requests have what goes
// over the wire.
