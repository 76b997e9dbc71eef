package world

import "github.com/leaselab/leaselab/sim/trace"

// quiet are the records that an API server's own election does not leave: that of its controllers is told in two of its
// own.
var quiet = [trace.NoKind]bool{
	trace.RequestSent: true, trace.RequestNotSent: true, trace.RequestServed: true, trace.RequestEnded: true, trace.JitterDrawn: true, trace.MetricLeaderOn: true, trace.MetricLeaderOff: true,
	trace.MetricSlowPath: true, trace.EventBecameLeader: true, trace.EventStoppedLeading: true, trace.NewLeader: true, trace.StoppedLeading: true, trace.RunReturned: true,
}
