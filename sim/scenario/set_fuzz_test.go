package scenario_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzSet: any path and value either give an error in a sentence and leave the scenario alone, or give another scenario
// that is valid, can be written and read, and tells the value when it is asked.
func FuzzSet(f *testing.F) {
	all := shipped.List()
	for i, seed := range [][2]string{
		{"seed", "9007199254740991"}, {"duration", "90d"}, {"duration", "2160h"}, {"elector.leaseDuration", "20s"}, {"elector.retryPeriod", ""}, {"elector", `{"leaseDuration":"20s"}`},
		{"candidates[0].name", "q"}, {"candidates[0].clock.offset", "-1h"}, {"candidates[99999999999999999999].name", "x"}, {"candidates[-1]", "{}"}, {"candidates[]", "{}"},
		{"candidates", "[]"}, {"candidates", `[{"name":"a","replicas":10000}]`}, {"candidates[3]", `{"name":"d"}`}, {"actions[0].at", "1ns"}, {"actions[0].for", "-1s"}, {"actions", "[]"},
		{"network.requestLatency", "1e9s"}, {"network.loss", "1e-400"}, {"expect", `[{"changes":2}]`}, {"..", ""}, {"a.b[c]", "[[[["}, {"title", "\u202e\x00"}, {"resource", `{"fence":"none"}`},
		{"candidates[0].jitterDraws", "[0,1,0.5]"}, {"heartbeats", `{"nodes":5000}`}, {"server.queue", "0"}, {"bounds.leaderless", "30s"}, {"lease.name", "UPPER"},
		{"candidates[0].elector.releaseOnCancel", "yes"}, {"process.watchdogFailures", "1.5"}, {"streams", "recorded"}, {"museum", `{}`},
	} {
		f.Add(uint8(i), seed[0], seed[1])
	}
	// 10,000 replicas are 14 MB, and a rolling update lists the old and the new ones before it is refused.
	cost := bounded.Limit{Fixed: 64 << 20, PerByte: 500}
	f.Fuzz(func(t *testing.T, which uint8, path, value string) {
		s := all[int(which)%len(all)]
		before := scenario.Encode(s)
		var changed scenario.Scenario
		var err error
		cost.Do(t, len(before)+len(path)+len(value), func() { changed, err = scenario.Set(s, path, value) })
		require.Equal(t, string(before), string(scenario.Encode(s)), "the scenario itself was changed")
		if err != nil {
			var refused *scenario.FieldError
			require.ErrorAs(t, err, &refused)
			require.NotEmpty(t, refused.Message)
			require.Equal(t, s, changed)
			return
		}
		canonical := scenario.Encode(changed)
		again, err := scenario.Decode(canonical)
		require.NoError(t, err, "%s=%s of %s", path, value, s.Name)
		require.Equal(t, string(canonical), string(scenario.Encode(again)))
		told := scenario.Get(changed, path)
		if slices.Contains([]string{"", "null"}, value) || told == "" {
			return // a default is told where nothing is said
		}
		same, err := scenario.Set(changed, path, told)
		require.NoError(t, err, "%s is said to be %q", path, told)
		require.Equal(t, told, scenario.Get(same, path))
	})
}
