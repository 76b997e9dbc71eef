package compile

import (
	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/scenario"
)

// distribution compiles a valid distribution. It returns nil for nil. Exactly one of the four forms is present:
// quantiles, min and max (an even spread, which is two quantiles), a mean beyond min (exponential), or p50 and p99
// (lognormal).
func distribution(d *scenario.Distribution) *network.Distribution {
	if d == nil {
		return nil
	}
	windowNs := int64(d.Window)
	switch {
	case len(d.Quantiles) > 0:
		values := elements.Of(d.Quantiles, func(q scenario.Duration) int64 { return int64(q) })
		return network.Quantiles(values, windowNs)
	case d.Max != 0:
		return network.Quantiles([]int64{int64(d.Min), int64(d.Max)}, windowNs)
	case d.Mean != 0:
		return network.Exponential(int64(d.Min), int64(d.Mean), windowNs)
	}
	return network.LogNormal(int64(d.P50), int64(d.P99), windowNs)
}

// capacity compiles how an API server copes with load. A server without settings answers at once. A rate becomes the
// time that one request takes, rounded down to a nanosecond.
func capacity(s *scenario.Server) network.Capacity {
	if s == nil {
		return network.Capacity{}
	}
	c := network.Capacity{
		Queue: int64(s.Queue), DropWhenFull: s.WhenFull == scenario.FullDrop, QueueTimeoutNs: int64(s.QueueTimeout),
		SlowPerRequestNs: int64(s.SlowPerRequest),
		NewLeaderNs:      int64(s.NewLeaderLatency), NewLeaderForNs: int64(s.NewLeaderFor),
		HangNs: int64(s.RequestTimeout),
	}
	if s.RatePerSecond > 0 {
		c.ServiceNs = 1_000_000_000 / int64(s.RatePerSecond)
	}
	return c
}
