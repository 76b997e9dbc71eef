package requests

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// Every recording of client-go over its REST client comes out of its case: each exchange and each event at its
// nanosecond.
func TestEveryRecording(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.json.gz")
	require.NoError(t, err)
	require.Len(t, paths, 60)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json.gz"), func(t *testing.T) {
			data, err := recorded.Read(path)
			require.NoError(t, err)
			all, array, err := Parse(data)
			require.NoError(t, err)
			require.False(t, array)
			ours := Run(&all[0])
			assert.Equal(t, all[0].Exchanges, ours.Exchanges)
			assert.Equal(t, all[0].Events, ours.Events)
			assert.Equal(t, strings.TrimSpace(string(data)), strings.TrimSpace(string(JSON([]Recording{ours}, array))))
		})
	}
}

// A case that cannot be run says which field is wrong.
func TestWrongCases(t *testing.T) {
	const fine = `"durationMs":30000,"leaseDurationMs":15000,"renewDeadlineMs":10000,"retryPeriodMs":2000`
	for _, c := range []struct{ json, says string }{
		{`{"case":{"leaseDurationMs":1}}`, "durationMs is 0 and must be from 1"},
		{`{"case":{` + fine + `,"retryPeriodMs":9000}}`, "renewDeadline must be greater than retryPeriod*JitterFactor"},
		{`{"case":{` + fine + `,"durationMs":1000000000000000000}}`, "durationMs is 1000000000000000000"},
		{`{"case":{` + fine + `,"qps":1}}`, "with a burst of at least 1"},
		{`{"case":{` + fine + `,"faults":[{},{"status":418}]}}`,
			"faults[1].status is 418 and must be one of [401 403 409 429 500 502 503 504]"},
		{`{"case":{` + fine + `,"faults":[{"error":"x"}]}}`, `faults[0].error is "x"`},
		{`{"case":{` + fine + `,"faults":[{"delayMs":-1}]}}`, "faults[0].delayMs is -1"},
	} {
		_, _, err := Parse([]byte(c.json))
		require.ErrorContains(t, err, c.says, c.json)
	}
	_, _, err := Parse([]byte(`{"case":{` + fine + `}}`))
	require.NoError(t, err)
}

// Every input that parses as recordings runs to an end, and prints recordings that parse again.
func FuzzRecording(f *testing.F) {
	for _, name := range []string{"429-retry-after-1", "limited", "broken", "rnd-1-024"} {
		data, err := recorded.Read("testdata/" + name + ".json.gz")
		require.NoError(f, err)
		f.Add(data)
	}
	cost := bounded.Limit{Fixed: 32 << 20, PerByte: 1000} // thirty seconds of a run
	f.Fuzz(func(t *testing.T, data []byte) {
		cost.Do(t, len(data), func() {
			all, array, err := Parse(data)
			if err != nil || len(all) == 0 || len(all) > 3 {
				return
			}
			runs := make([]Recording, len(all))
			for i := range all {
				all[i].Case.DurationMs = min(all[i].Case.DurationMs, 30_000)
				runs[i] = Run(&all[i])
			}
			_, again, err := Parse(JSON(runs, array))
			require.NoError(t, err)
			assert.Equal(t, array, again)
		})
	})
}
