package electiontest_test

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/electiontest"
)

// failing runs a program that fails its test, and returns the report. The bubble is closed when it returns.
func failing(t *testing.T, actions string, body func(*electiontest.Cluster), options ...electiontest.Option) (string, *electiontest.Result) {
	t.Helper()
	t.Setenv("LEASELAB_DIR", t.TempDir())
	reports := &electiontest.Reports{}
	r := electiontest.Run(t, with(t, actions), body, append(options, electiontest.ReportTo(reports))...)
	require.NotEmpty(t, reports.Text.String(), "the test must fail")
	return reports.Text.String(), r
}

// A program whose work ignores its context is caught: the report has the sentence, the story, the seed, the command and
// the file.
func TestWorkThatIgnoresItsContext(t *testing.T) {
	report, r := failing(t, "{at: 30s, act: cut, target: holder, for: 40s}", func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			(&program{node: n, work: func(_ context.Context, n *electiontest.Node) { <-n.Context().Done() }}).run(ctx)
		})
	})
	assert.Regexp(t, `^electiontest: 00:3\d\.\d{3}  worksOn: The context of a's work ended at .* \(B07\)\n`, report)
	assert.Contains(t, report, "a and c both lead, for ")
	assert.Contains(t, report, "[moreThanOneActive, safety]")
	assert.Contains(t, report, "a starts leading")
	assert.Contains(t, report, "Seed 1. Run it again: LEASELAB_SEED=1 go test -run '^TestProgram$/^in the bubble$' github.com/leaselab/leaselab/sim/electiontest")
	assert.Contains(t, report, r.File)
	again := electiontest.File(t, r.File)
	assert.Equal(t, uint64(1), again.Seed)
	require.Len(t, again.Actions, 1)
}

// What a test in virtual time cannot express is refused with a sentence that names what can.
func TestRefusedScenarios(t *testing.T) {
	for actions, want := range map[string]string{
		"{at: 30s, act: pause, target: holder, for: 20s}":            `the act "pause" at 30s pauses a process, but nothing can stop a goroutine from outside; ` + "`leaselab test SCENARIO -- PROGRAM` runs each copy as a separate process, and sends it SIGSTOP",
		"{at: 30s, act: clock, target: a, ratePpm: 900000}":          "all programs of a test share one clock",
		"{at: 30s, act: hang, target: a, for: 10s}":                  "hangs an elector",
		"{at: 30s, act: suspend, target: a, for: 10s}":               "suspends a node",
		"{at: 30s, act: burst, target: a, count: 10}":                "send them in the program",
		"{at: 30s, act: set, target: a, elector: {retryPeriod: 1s}}": "changes the settings of an elector, which only the program can do",
	} {
		ran := false
		report, r := failing(t, actions, func(*electiontest.Cluster) { ran = true })
		assert.Contains(t, report, want)
		assert.Equal(t, 1, strings.Count(report, "\n"), "one sentence: %s", report)
		assert.False(t, ran)
		assert.Empty(t, r.File)
	}
}

// A program that panics crashes its process; the others go on, and the report names it.
func TestAProgramPanics(t *testing.T) {
	for name, body := range map[string]func(c *electiontest.Cluster){
		"in the program": func(c *electiontest.Cluster) {
			c.Start(elect, "b", "c")
			c.Start(func(context.Context, *electiontest.Node) { time.Sleep(time.Second); panic("no such table") }, "a")
		},
		"in the work": func(c *electiontest.Cluster) {
			c.Start(func(ctx context.Context, n *electiontest.Node) {
				p := program{node: n}
				if n.Name() == "a" {
					p.work = func(context.Context, *electiontest.Node) { time.Sleep(time.Second); panic("no such table") }
				}
				p.run(ctx)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			report, r := failing(t, "", body)
			assert.Contains(t, report, "a panicked at 00:01.")
			assert.Contains(t, report, "no such table. Its process has crashed.")
			assert.Contains(t, report, "failures_test.go")
			require.NotEmpty(t, r.Changes)
			assert.NotEqual(t, "a", r.Changes[len(r.Changes)-1].To, "another candidate leads after the crash")
		})
	}
	report, _ := failing(t, "", func(c *electiontest.Cluster) {
		c.Until(5 * time.Second)
		panic("of the test itself")
	})
	assert.Contains(t, report, "the test panicked at 00:05.000: of the test itself")
}

// A program that does not end when its context does is named, whether it waits for ever or again and again.
func TestAProgramThatNeverEnds(t *testing.T) {
	for name, forever := range map[string]func(){
		"waits": func() { select {} },
		"sleeps": func() {
			for {
				time.Sleep(time.Hour)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			report, _ := failing(t, "", func(c *electiontest.Cluster) {
				c.Start(func(context.Context, *electiontest.Node) { forever() }, "a")
			}, electiontest.Grace(time.Minute))
			assert.Contains(t, report, "a goroutine of the program has not ended 1m0s after the end of the scenario, although its context was cancelled:")
			assert.Contains(t, report, "failures_test.go")
			assert.Equal(t, 1, strings.Count(report, "synctest bubble "), "only that goroutine: %s", report)
		})
	}
}

// A goroutine that does not wait for virtual time keeps it from passing. The watchdog shows it.
func TestAProgramThatBlocksTime(t *testing.T) {
	outside := make(chan struct{})
	t.Cleanup(func() { close(outside) })
	var held sync.Mutex
	held.Lock()
	t.Cleanup(held.Unlock)
	ends := make(chan struct{})
	for name, block := range map[string]func(){
		"a channel from outside": func() { <-outside },
		"a mutex":                func() { held.Lock(); defer held.Unlock() },
		"a socket": func() {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err == nil {
				go func() { <-ends; _ = l.Close() }()
				_, _ = l.Accept()
			}
		},
		"it computes": func() {
			for !isClosed(outside) {
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			report, _ := failing(t, "", func(c *electiontest.Cluster) {
				c.Start(func(context.Context, *electiontest.Node) { block() }, "a")
			}, electiontest.Patience(200*time.Millisecond))
			assert.Contains(t, report, "virtual time has stopped for 200ms, because a goroutine of the program does not wait for virtual time")
			assert.Contains(t, report, "failures_test.go")
			assert.NotContains(t, report, "(*Cluster).drive", "only what blocks")
		})
	}
	close(ends)
}

// A seed from the environment that is invalid is named.
func TestTheSeedOfTheEnvironment(t *testing.T) {
	t.Setenv("LEASELAB_SEED", "twelve")
	report, _ := failing(t, "", func(*electiontest.Cluster) {})
	assert.Contains(t, report, `LEASELAB_SEED is "twelve"; use a whole number up to 9007199254740991`)
	t.Setenv("LEASELAB_SEED", "12")
	r := electiontest.Run(t, with(t, ""), func(c *electiontest.Cluster) { c.Start(elect) })
	assert.Equal(t, uint64(12), r.Seed)
	assert.Empty(t, r.File, "a test that passes writes nothing")
}

// A test that waits for a process that never starts is told so.
func TestAProcessThatNeverStarts(t *testing.T) {
	report, _ := failing(t, "", func(c *electiontest.Cluster) { c.Node("d") })
	assert.Contains(t, report, `no process d has started by the end of the scenario`)
}

// The assertions of a scenario count, and a rule that a test allows does not.
func TestAssertions(t *testing.T) {
	text := `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 1m
candidates: [{name: a}, {name: b, startAt: 50ms}]
expect: [{changes: 3}]
`
	t.Setenv("LEASELAB_DIR", t.TempDir())
	reports := &electiontest.Reports{}
	electiontest.Run(t, electiontest.YAML(t, text), func(c *electiontest.Cluster) { c.Start(elect) }, electiontest.ReportTo(reports))
	assert.Regexp(t, `expect: .*changes`, reports.Text.String())
	electiontest.Run(t, electiontest.YAML(t, strings.Replace(text, "changes: 3", "changes: 1", 1)), func(c *electiontest.Cluster) { c.Start(elect) })
	electiontest.Run(t, with(t, ""), func(*electiontest.Cluster) {}, electiontest.Allow("leaderlessTooLong", "noRecovery"))
}

// A program that holds the Lease and never says that it works gets a hint.
func TestAProgramThatDoesNotSayThatItWorks(t *testing.T) {
	report, _ := failing(t, "", func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			for ctx.Err() == nil {
				(&program{node: n}).try(ctx)
				time.Sleep(2 * time.Second)
			}
		})
	})
	assert.Contains(t, report, "The Lease has a holder, but no program has reported that it works: call Node.Work in OnStartedLeading.")
}

// After a rollback of the store the programs go on with what is stored, and their watches end.
func TestRollback(t *testing.T) {
	alone(t, "{at: 30s, act: rollback, to: 10s}", func(c *electiontest.Cluster, n *electiontest.Node) {
		p := &program{node: n}
		require.True(t, p.try(n.Context()))
		c.Until(20 * time.Second)
		require.True(t, p.try(n.Context()))
		later := p.lease.Metadata.ResourceVersion
		c.Until(31 * time.Second)
		var now lease
		_, err := p.ask(n.Context(), "GET", aLease, nil, &now)
		require.NoError(t, err)
		assert.NotEqual(t, later, now.Metadata.ResourceVersion)
		require.True(t, p.try(n.Context()))
	})
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
