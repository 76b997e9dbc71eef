package random

import (
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// network draws distributions of latency, a server with limits, or both.
func (g generator) network(s *scenario.Scenario) {
	if g.one(2) {
		s.Network.RequestLatency, s.Network.RequestDistribution = nil, g.distribution()
	}
	if g.one(2) {
		s.Network.ResponseLatency, s.Network.ResponseDistribution = nil, g.distribution()
	}
	if g.one(2) {
		s.Server = g.server()
	}
	if g.one(2) {
		s.Network.DeadPeerTime = new(g.upTo(20 * time.Second))
	}
	if g.one(3) {
		s.Network.ReadLag = new(g.upTo(4 * time.Second))
	}
}

// distribution draws one of the four kinds of distributions.
func (g generator) distribution() *scenario.Distribution {
	d := &scenario.Distribution{}
	short := g.upTo(50*time.Millisecond) + 1
	switch g.IntN(4) {
	case 0:
		d.Min, d.Max = short, short+g.upTo(time.Second)
	case 1:
		d.Min, d.Mean = g.upTo(20*time.Millisecond), short
	case 2:
		d.P50, d.P99 = short, short+g.upTo(5*time.Second)
	default:
		d.Quantiles = []scenario.Duration{short, 2 * short, 2 * short, 10 * short}
	}
	if g.one(3) {
		d.Window = g.upTo(10*time.Second) + 1
	}
	return d
}

// server draws an API server that can be too slow for its clients.
func (g generator) server() *scenario.Server {
	s := &scenario.Server{}
	if g.one(2) {
		s.RatePerSecond = 1 + g.IntN(20)
		if g.one(2) {
			s.Queue, s.WhenFull = 1+g.IntN(5), g.pick("", scenario.FullRefuse, scenario.FullDrop)
		}
		if g.one(2) {
			s.QueueTimeout = g.upTo(3 * time.Second)
		}
	}
	if g.one(2) {
		s.SlowPerRequest = g.upTo(200 * time.Millisecond)
	}
	if g.one(3) {
		s.NewLeaderLatency, s.NewLeaderFor = 1+g.upTo(6*time.Second), 1+g.upTo(20*time.Second)
	}
	s.RequestTimeout = 1 + g.upTo(70*time.Second)
	return s
}

// heartbeats adds nodes that send heartbeats, and a monitor.
func (g generator) heartbeats(s *scenario.Scenario) {
	h := &scenario.Heartbeats{Nodes: 1 + g.IntN(3)}
	if g.one(2) {
		h.Interval, h.Grace = new(1+g.upTo(10*time.Second)+scenario.Duration(time.Millisecond)),
			new(g.upTo(30*time.Second)+scenario.Duration(time.Millisecond))
	}
	if g.one(2) {
		h.Network = &scenario.Network{DeadPeerTime: new(g.upTo(40 * time.Second))}
	}
	h.Monitors = []scenario.Monitor{{Name: "monitor", WatchLag: g.upTo(5 * time.Second)}}
	if g.one(3) {
		h.Monitors[0].Clock = &scenario.Clock{RatePpm: g.rate()}
	}
	s.Heartbeats = h
}
