package world

import "github.com/leaselab/leaselab/sim/scenario"

// Quantiles tells the quantile of u / 2^64 of a distribution.
func Quantiles(d scenario.Distribution) func(u uint64) int64 {
	compiled := compileDistribution(&d)
	return compiled.at
}
