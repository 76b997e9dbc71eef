package programs

import (
	"sync"
	"time"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Turns returns the number of the driver's turns so far. A watchdog uses it to see that time passes.
func (c *Cluster) Turns() uint64 { return c.turns.Load() }

// Finish ends the waits in Node, because the scenario has ended.
func (c *Cluster) Finish() { close(c.finished) }

// Close ends the contexts of all processes. From now on nothing that programs do has any effect.
func (c *Cluster) Close() {
	c.isOver.Store(true)
	close(c.closed)
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := range c.processes() {
		n.cancel()
	}
}

// Running counts the goroutines that run programs.
func (c *Cluster) Running() *sync.WaitGroup { return &c.running }

// Quit ends the driver.
func (c *Cluster) Quit() {
	close(c.quit)
	<-c.driven
}

// Judge settles the run at an instant that has passed, and then calls the function read with the run. Nothing that
// happens later counts.
func (c *Cluster) Judge(at time.Duration, read func(r *run.Run, ns int64)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ns := max(int64(at), c.run.World.Now())
	c.apply(ns)
	c.advance(ns)
	c.run.Settle(ns)
	c.judged = true
	read(c.run, ns)
}

// ObservedScenario returns a scenario in which leaselab's candidates do what the programs did, as far as the format
// allows. The programs' waits become jitterDraws. If they contradict the format, it returns the original scenario. Call
// it inside Judge.
func (c *Cluster) ObservedScenario() scenario.Scenario {
	return c.observed.Scenario(c.scenario, c.run.World)
}
