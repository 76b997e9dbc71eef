package electiontest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Cluster is the simulated cluster of one Run. Any goroutine of the bubble may call its methods.
type Cluster struct {
	// Handler answers requests for anything but coordination.k8s.io. It is a fake for the other parts of the API, for a
	// program that needs more of them than the API server has. These requests travel through the same network. Set it
	// before the first request.
	Handler http.Handler

	of        *programs.Cluster
	scenario  scenario.Scenario
	report    reporter
	abandoned atomic.Bool // the watchdog has abandoned the bubble, so its test is over

	mu       sync.Mutex
	failures []string
	absent   []string // the groups and versions that programs may miss
}

// Node is one process of a candidate, from its start to its end. It is the http.RoundTripper of the clients in this
// process. Use Host and Settings for its rest.Config and its elector, and Work to report its work. Context, Client and
// Name are for programs that want them. `go doc github.com/leaselab/leaselab/sim/programs.Node` lists its methods.
type Node = programs.Node

// Settings are an elector's settings in the scenario.
type Settings = programs.Settings

// Span is a stretch of time, counted from the beginning of the scenario.
type Span = programs.Span

func newCluster(s scenario.Scenario, o *options) *Cluster {
	c := &Cluster{scenario: s, report: o.report, absent: o.absent}
	serves := replay.Everything(&s)
	serves.Definitions = o.definitions
	c.of = programs.New(s, programs.Options{Handler: func() http.Handler { return c.Handler }, Failed: c.note,
		Serves: serves, Unknown: c.misses, See: o.see})
	return c
}

// misses fails the test, because a program asks for a kind that the API server does not have.
func (c *Cluster) misses(path string) {
	group, rest, _ := strings.Cut(strings.TrimPrefix(path, "/apis/"), "/")
	version, _, _ := strings.Cut(rest, "/")
	name := strings.TrimSuffix(group+"/"+version, "/")
	c.mu.Lock()
	known := slices.Contains(c.absent, name)
	c.absent = append(c.absent, name)
	c.mu.Unlock()
	if known {
		return
	}
	why := fmt.Sprintf("a program asks for %s, which the API server does not have. electiontest.CRDs adds the kinds "+
		"of CustomResourceDefinitions; electiontest.Absent(%q) lets programs look for kinds that are not there", path,
		name)
	fmt.Fprintln(os.Stderr, "electiontest:", why) // at once, because a program may end the process with os.Exit
	c.note(why)
}

// Now returns the time since the scenario began.
func (c *Cluster) Now() time.Duration { return c.of.Now() }

// Until waits until an instant of the scenario.
func (c *Cluster) Until(instant time.Duration) { c.of.Until(instant) }

// Start runs a program as the process of each candidate with one of these names, or of every candidate. The scenario
// decides when each process starts and restarts. When the program returns, its process has ended.
func (c *Cluster) Start(run func(ctx context.Context, n *Node), names ...string) {
	c.of.Launch(run, names...)
}

// Node waits until the scenario has started the process with that name, and returns it. After a crash it returns the
// next process.
func (c *Cluster) Node(name string) *Node { return c.of.Node(name) }

// Holder returns the name of the candidate that the Lease names, or its holderIdentity if no candidate has it. Without
// a holder it returns "".
func (c *Cluster) Holder() string { return c.of.Holder() }

// Workers returns the names of the candidates that are working now.
func (c *Cluster) Workers() []string { return c.of.Workers() }

// Work returns the spans in which a candidate has worked so far, in order. The end of an open span is 0.
func (c *Cluster) Work(name string) []Span { return c.of.Work(name) }

// note records why the test failed.
func (c *Cluster) note(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures = append(c.failures, text)
}
