package world

import "github.com/leaselab/leaselab/sim/scenario"

// Quantile is the quantile of u / 2^64 of a distribution.
func Quantile(d scenario.Distribution, u uint64) int64 { return compileDistribution(&d).at(u) }
