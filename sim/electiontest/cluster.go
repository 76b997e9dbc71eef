package electiontest

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Cluster is the simulated cluster of one Run. Its methods may be called from every goroutine of the bubble.
type Cluster struct {
	// Handler answers the requests for anything but coordination.k8s.io: a fake of the API that the program needs
	// beside its election. Those requests travel through the same network. Without a Handler they get what a
	// kube-apiserver without these resources answers: 404. Set it before the first request.
	Handler http.Handler

	of        *programs.Cluster
	scenario  scenario.Scenario
	report    reporter
	abandoned atomic.Bool // the watchdog has given the bubble up: its test is over

	mu       sync.Mutex
	failures []string
}

// Node is one process of a candidate, from its start to its end. It is the http.RoundTripper of the clients in this
// process. Host and Settings are what its rest.Config and its elector take; Work tells of the work; Context, Client and
// Name are for programs that want them. `go doc github.com/leaselab/leaselab/sim/programs.Node` has its methods.
type Node = programs.Node

// Settings of an elector, as the scenario has them.
type Settings = programs.Settings

// Span is a time from the beginning of the scenario.
type Span = programs.Span

func newCluster(s scenario.Scenario, report reporter) *Cluster {
	c := &Cluster{scenario: s, report: report}
	c.of = programs.New(s, programs.Options{Handler: func() http.Handler { return c.Handler }, Failed: c.note})
	return c
}

// Now is the time since the scenario began.
func (c *Cluster) Now() time.Duration { return c.of.Now() }

// Until waits until an instant of the scenario.
func (c *Cluster) Until(instant time.Duration) { c.of.Until(instant) }

// Start runs a program in the processes of the candidates with these names, or of every candidate. The scenario decides
// when each process starts, and starts it again. When the program returns, its process has ended.
func (c *Cluster) Start(run func(ctx context.Context, n *Node), names ...string) {
	c.of.Launch(run, names...)
}

// Node waits until the scenario has started the process of that name, and returns it. After a crash it is the next
// process.
func (c *Cluster) Node(name string) *Node { return c.of.Node(name) }

// Holder is the name of the candidate that the Lease names, "" if there is none, or its holderIdentity if no candidate
// has it.
func (c *Cluster) Holder() string { return c.of.Holder() }

// Workers are the names of the candidates that work now.
func (c *Cluster) Workers() []string { return c.of.Workers() }

// Work tells when a candidate has worked so far, in order. The end of a span that goes on is 0.
func (c *Cluster) Work(name string) []Span { return c.of.Work(name) }

// note notes why the test fails.
func (c *Cluster) note(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures = append(c.failures, text)
}
