package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzSweep: any --set, one per line, and any --seeds either fail with one line, or give as many valid scenarios as the
// values allow, within the limits.
func FuzzSweep(f *testing.F) {
	crash, found := shipped.ByName("crash")
	require.True(f, found)
	for _, seed := range []struct{ sets, seeds string }{
		{"elector.retryPeriod=1s,2s,4s", "1..100"}, {"actions[0].for=9s..22s/500ms", "7..7"}, {"actions[0].at=1ns..9223372036854775807ns/1ns", "0..9007199254740991"},
		{"actions[0].at=10s..20s/1ms", "1..10000000"}, {"elector.jitterFactor=0..1.2/0.1\nelector.retryPeriod=1s..2s/100ms", "10..1"}, {"seed=1", ""}, {"seed=1..5/1", "1...5"},
		{"candidates=[],[{\"name\":\"a\"},{\"name\":\"b\"}]", "0..0"}, {"title=}}},,,{[", "-1..5"}, {"a=0..9999/1" + strings.Repeat(",0..9999/1", 50), "1..9007199254740992"},
		{strings.Repeat("x=1\n", 50), "..1"}, {"elector.retryPeriod=-1s..1s/1s", "00001..2"}, {"elector.jitterFactor=-0.000000001..0.1/0.000000001", "1..1e9"}, {"actions[0].at=10s..11s/1ms\nelector.retryPeriod=2s", ""}, {"=1", "\x00"},
		{"elector.retryPeriod=0.1..0.2/0.1,1s..2s/1s,,", " 1..2"}, {"duration=1m..90m/1m\nelector.leaseDuration=15s..60s/15s", "١..٢"},
	} {
		f.Add(seed.sets, seed.seeds)
	}
	reading := bounded.Limit{Fixed: 4 << 20, PerByte: 200}
	cost := bounded.Limit{Fixed: 256 << 20, PerByte: 2000} // each of 10,000 combinations is its own scenario
	f.Fuzz(func(t *testing.T, sets, seeds string) {
		reading.Do(t, len(sets), func() {
			for _, set := range strings.Split(sets, "\n") {
				_, text, _ := strings.Cut(set, "=")
				values, err := grid.Values(text)
				require.True(t, err != nil || len(values) <= grid.MaxCombinations, "%d values", len(values))
			}
		})
		cost.Do(t, len(sets)+len(seeds), func() {
			fuzzSeeds(t, seeds)
			w := swept{Sets: strings.Split(sets, "\n"), Seeds: 1}
			err := w.open(crash)
			if err != nil {
				require.NotEmpty(t, err.Error())
				return
			}
			all := w.plan.Combinations
			require.True(t, len(all) > 0 && len(all) <= grid.MaxCombinations, "%d combinations", len(all))
			for i := range all {
				require.Len(t, all[i].Changes, strings.Count(sets, "\n")+1)
			}
			last := &all[len(all)-1]
			require.True(t, last.Refused != "" || scenario.Validate(last.Scenario) == nil, "%s", last)
		})
	})
}

func fuzzSeeds(t *testing.T, text string) {
	first, count, err := seedRange(text)
	if err != nil {
		require.Contains(t, err.Error(), "--seeds")
		return
	}
	require.True(t, count > 0 && count <= maxSeeds, "%d seeds", count)
	require.LessOrEqual(t, first+uint64(count)-1, uint64(scenario.MaxSeed))
}
