package world_test

import (
	"fmt"
	"testing"

	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/stretchr/testify/assert"
)

// crowd is n candidates that start together and then poll every retryPeriod, with next to no jitter.
func crowd(n int, server string) string {
	return fmt.Sprintf(`"server":%s,"candidates":[{"name":"n","replicas":%d,"spreadStart":"100ms"}]`, server, n)
}

// A server of 20 requests a second serves no more than that, one every 50 ms; without a limit it serves all at once.
func TestTheServerHasARate(t *testing.T) {
	_, records := all(parse(t, "60s", crowd(200, `{"ratePerSecond":20}`)))
	last, served := int64(-1), 0
	for _, r := range records {
		if r.Kind == trace.RequestServed {
			if last >= 0 {
				assert.GreaterOrEqual(t, r.At-last, 50*ms)
			}
			last = r.At
			served++
		}
	}
	assert.InDelta(t, 1200, served, 20)
	_, records = all(parse(t, "60s", crowd(200, `{"requestTimeout":"1s"}`)))
	unlimited := 0
	for _, r := range records {
		if r.Kind == trace.RequestServed {
			unlimited++
		}
	}
	assert.Greater(t, unlimited, 3000)
}

// B44: with an endless queue the server works on requests whose clients have given up, and hardly a client gets an
// answer. A short queue refuses the rest, and the server answers as many as it can.
func TestGoodputCollapses(t *testing.T) {
	answered := func(server string) (good, refused int) {
		_, records := all(parse(t, "120s", crowd(200, server)))
		for _, r := range records {
			if r.Kind == trace.RequestEnded && r.At > 40*sec {
				switch r.Result {
				case step.TooManyRequests:
					refused++
				case step.ClientTimeout, step.ContextDeadline:
				default:
					good++
				}
			}
		}
		return good, refused
	}
	endless, refused := answered(`{"ratePerSecond":20}`)
	assert.Zero(t, refused)
	short, refused := answered(`{"ratePerSecond":20,"queue":20}`)
	assert.Positive(t, refused)
	dropped, refused := answered(`{"ratePerSecond":20,"queue":20,"whenFull":"drop"}`)
	assert.Zero(t, refused)
	expired, _ := answered(`{"ratePerSecond":20,"queueTimeout":"2s"}`)
	assert.Less(t, endless, 50, "in 80 s in which 1600 are served")
	assert.Greater(t, short, 1300, "clients ask again as Retry-After says, and some run out of time in the queue")
	assert.Greater(t, dropped, 1500)
	assert.Greater(t, expired, 1500)
}

// Latency grows with load: each request of the last second adds to it.
func TestLatencyGrowsWithLoad(t *testing.T) {
	mean := func(n int) int64 {
		_, records := all(parse(t, "60s", crowd(n, `{"slowPerRequest":"10ms"}`)))
		sum, count := int64(0), int64(0)
		for _, r := range records {
			if r.Kind == trace.RequestServed && r.At > 20*sec {
				sum, count = sum+r.At-r.Exchange().SentNs, count+1
			}
		}
		return sum / count
	}
	assert.InDelta(t, float64(2*ms), float64(mean(1)), float64(ms), "a request that is alone does not wait")
	assert.Greater(t, mean(30), 50*ms)
	assert.Greater(t, mean(60), 3*mean(30)/2)
}

// B24: a new leader's work makes the API slow, which costs it the Lease, which makes a new leader. Without the
// slowdown, or with a small one, the run has one leader.
func TestANewLeaderSlowsTheServer(t *testing.T) {
	changes := func(server string) (n int) {
		_, records := all(parse(t, "10m",
			`"candidates":[{"name":"a","restart":"new"},{"name":"b","restart":"new","startAt":"50ms"},{"name":"c","restart":"new","startAt":"100ms"}],"server":`+server))
		for _, r := range records {
			if r.Kind == trace.StartedLeading {
				n++
			}
		}
		return n
	}
	assert.Greater(t, changes(`{"newLeaderLatency":"6s","newLeaderFor":"20s"}`), 10)
	assert.Equal(t, 1, changes(`{"newLeaderLatency":"1s","newLeaderFor":"20s"}`))
	assert.Equal(t, 1, changes(`{"newLeaderLatency":"6s","newLeaderFor":"4s"}`))
}

// An act changes the capacity, as an operator who limits requests does.
func TestCapacityChanges(t *testing.T) {
	_, records := all(parse(t, "60s", crowd(200, `{"ratePerSecond":20}`)+
		`,"actions":[{"at":"30s","act":"server","server":{"ratePerSecond":1000}}]`))
	before, after := 0, 0
	for _, r := range records {
		if r.Kind == trace.RequestServed {
			if r.At < 30*sec {
				before++
			} else if r.At > 45*sec {
				after++
			}
		}
	}
	assert.Less(t, before, 610)
	assert.Greater(t, after, 600, "in half the time")
}

// B44 with many Leases: 250 nodes renew every 20 s at a server that serves 20 requests a second, 8 more than they need.
// After 20 s of errors they all retry at once. With an endless queue no node is ever answered in time again; with a
// short queue all are ready within minutes.
func TestServersDoNotRecover(t *testing.T) {
	ready := func(server string) (n int) {
		w, _ := all(parse(t, "20m", `"candidates":[{"name":"a"}],"server":`+server+
			`,"heartbeats":{"nodes":250,"interval":"20s","timeout":"5s"},
			"actions":[{"at":"5m","act":"fail","target":"*","for":"20s","error":"http503"}]`))
		for i := int32(2); i < int32(w.Nodes()); i++ {
			if is, _ := w.Node(1).Ready(i); is {
				n++
			}
		}
		return n
	}
	assert.Zero(t, ready(`{"ratePerSecond":20}`), "a quarter of an hour after the fault is gone")
	assert.Equal(t, 250, ready(`{"ratePerSecond":20,"queue":50}`))
	assert.Equal(t, 250, ready(`{"ratePerSecond":20,"queueTimeout":"4s"}`))
	assert.Equal(t, 250, ready(`{"ratePerSecond":60}`),
		"nor is it a matter of queues with a server that is fast enough")
}
