package electiontest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve/kinds"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Option changes a Run.
type Option func(*options)

type options struct {
	patience time.Duration
	grace    time.Duration
	allowed  []string
	absent   []string
	report   reporter
	see      func(*run.Run, *trace.Record, explain.Note)

	definitions []wire.Map
	wrong       error // an option is wrong
}

// Patience is how long, in real time, virtual time may stay at one instant before the test fails. The default is 30 s.
func Patience(d time.Duration) Option { return func(o *options) { o.patience = d } }

// Grace is how long, in virtual time, the programs may take to return after their context has ended at the end of the
// scenario. The default is 2 min.
func Grace(d time.Duration) Option { return func(o *options) { o.grace = d } }

// Allow lets the program break a rule, such as "moreThanOneActive", without failing the test.
func Allow(rules ...string) Option {
	return func(o *options) { o.allowed = append(o.allowed, rules...) }
}

// CRDs makes the API server serve the kinds of the CustomResourceDefinitions in the YAML and JSON files of a folder,
// such as config/crd/bases. Without it, the API server has the stable kinds of a cluster, and the kinds whose
// definitions programs create.
func CRDs(folder string) Option {
	return func(o *options) {
		definitions, err := kinds.Definitions(folder, world.Clock(0))
		o.definitions, o.wrong = append(o.definitions, definitions...), errors.Join(o.wrong, err)
	}
}

// Absent lets the program look for kinds of these groups and versions, such as "example.com/v1", without failing the
// test because they are not there.
func Absent(versions ...string) Option {
	return func(o *options) { o.absent = append(o.absent, versions...) }
}

// reporter is the part of testing.T that reports.
type reporter interface {
	Helper()
	Name() string
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
	Failed() bool
}

// seedVariable is the environment variable that replaces the seed of the scenario.
const seedVariable = "LEASELAB_SEED"

// Run runs programs through a scenario in a bubble of virtual time, and checks them. body runs in the bubble from
// instant 0. It starts the programs, and may wait and assert. When body has returned and the scenario has ended, Run
// cancels the contexts of all processes, and returns when the programs have returned. The test fails if the programs
// break a rule, if an assertion under the scenario's expect fails, or if a program panics, does not end or blocks
// virtual time.
func Run(t *testing.T, s *scenario.Scenario, body func(c *Cluster), with ...Option) *Result {
	t.Helper()
	o := options{patience: 30 * time.Second, grace: 2 * time.Minute, report: t}
	for _, option := range with {
		option(&o)
	}
	of := s.Clone()
	if err := cmp.Or(o.wrong, reseed(&of), Expressible(&of)); err != nil {
		o.report.Errorf("electiontest: %v", err)
		return &Result{}
	}
	restore := seedRandom(of.Seed)
	defer restore()
	b := &bubble{options: o, began: make(chan struct{}), ended: make(chan struct{}),
		result: &Result{Seed: of.Seed, Scenario: of}}
	go b.run(t, of, body)
	result := b.watch()
	if result.report != "" {
		o.report.Errorf("%s", result.report)
	}
	return result
}

// reseed replaces the scenario's seed with the one in the environment.
func reseed(s *scenario.Scenario) error {
	text := os.Getenv(seedVariable)
	if text == "" {
		return nil
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil || seed > scenario.MaxSeed {
		return fmt.Errorf("%s is %q; use a whole number up to %d", seedVariable, text, uint64(scenario.MaxSeed))
	}
	s.Seed = seed
	return nil
}

// bubble is one Run, as seen from outside its bubble.
type bubble struct {
	options
	began   chan struct{} // set once cluster and id are known
	ended   chan struct{}
	cluster *Cluster
	id      string
	result  *Result
	remains string // what was still running at the end of the test
}

// run runs the test in a bubble. It returns when the bubble has ended.
func (b *bubble) run(t *testing.T, s scenario.Scenario, body func(*Cluster)) {
	defer close(b.ended)
	defer func() {
		if why := recover(); why != nil && b.remains == "" { // synctest's panic: all goroutines are blocked
			b.result.report += fmt.Sprintf("electiontest: the bubble of virtual time did not end: %v\n", why)
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(s, &b.options)
		b.cluster, b.id = c, bubbleOf(ownStack())
		close(b.began)
		go c.of.Drive()
		b.drive(c, body)
	})
}

// drive runs the body and the scenario to their ends, and closes everything.
func (b *bubble) drive(c *Cluster, body func(*Cluster)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			switch why := recover().(type) {
			case nil:
			case programs.TooLate:
				c.note(string(why))
			default:
				c.note(fmt.Sprintf("the test panicked at %s: %v\n%s", words.Instant(int64(c.Now())), why,
					debug.Stack()))
			}
		}()
		body(c)
	}()
	time.Sleep(time.Duration(c.scenario.Duration) + 1)
	c.of.Finish()
	c.await(done, b.grace, "the function passed to Run had not returned %s after the end of the scenario")
	time.Sleep(2 * time.Nanosecond) // the driver takes what the programs have done so far
	c.judge(b.result, b.allowed)
	c.of.Close()
	ended := make(chan struct{})
	go func() {
		c.of.Running().Wait()
		<-done
		close(ended)
	}()
	c.await(ended, b.grace, "")
	c.of.Quit()
	b.remains = remaining(b.id)
	for wait := time.Millisecond; b.remains != "" && wait < b.grace; wait *= 2 { // such as work that drains
		time.Sleep(wait)
		b.remains = remaining(b.id)
	}
	if b.remains != "" {
		c.note(
			fmt.Sprintf(
				"a goroutine of the program has not ended %s after the end of the scenario, although its context was "+
					"cancelled:\n%s", b.grace, b.remains))
	}
	c.conclude(b.result)
}

// await waits for something to end, but only for a limited virtual time. After that it records that the test failed,
// with that time.
func (c *Cluster) await(ended <-chan struct{}, most time.Duration, why string) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
		if why != "" {
			c.note(fmt.Sprintf(why, most))
		}
	}
}

// judge checks the run up to now.
func (c *Cluster) judge(result *Result, allowed []string) {
	c.of.Judge(time.Duration(c.scenario.Duration), func(r *run.Run, ns int64) { result.read(c, r, ns, allowed) })
}
