package world

import (
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/sim/trace"
)

// limiter is the rate limiter of a node's client. The leader's work takes tokens from it too.
type limiter struct {
	tokens flowcontrol.TokenBucket
	workNs int64 // instant up to which the bucket has counted the work's requests
}

// `fill` gives the client of a new process all its tokens.
func (l *limiter) fill(c *Client) {
	if c.PerSecond > 0 {
		l.tokens = flowcontrol.NewTokenBucket(c.PerSecond, c.Burst)
	}
}

// countWork counts the requests that a leader's work has sent through the limiter up to now.
func (l *limiter) countWork(c *Client, now int64) {
	if c.WorkEveryNs == 0 || c.OwnLeaseClient {
		return
	}
	count := (now - l.workNs) / c.WorkEveryNs
	l.tokens.Steady(count, l.workNs, c.WorkEveryNs)
	l.workNs += count * c.WorkEveryNs
}

// `burst` sends some requests of a process through its limiter.
func (c *Control) burst(w *World, i int32) {
	n := &w.nodes[i]
	client := &w.settings[n.running].Client
	if !n.process.Alive || client.PerSecond == 0 {
		c.skip(w, i)
		return
	}
	sent := trace.Requests{Count: c.Count}
	if !client.OwnLeaseClient {
		if n.process.Works() {
			n.limiter.countWork(client, w.now)
		}
		sent.LastWaitNs = n.limiter.tokens.Take(c.Count, w.now)
	}
	w.emit(trace.Record{Kind: trace.Burst, Candidate: i, Run: n.process.Run, Control: c.Source,
		Payload: sent.Payload()})
}
