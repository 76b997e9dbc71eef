package elector_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	me     = coordination.Symbol(1)
	rival  = coordination.Symbol(2)
	second = int64(time.Second)
)

func usual() elector.Config {
	return elector.Config{Identity: me, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}
}

// What client-go refuses, with its messages and in its order: of several mistakes it names the first in the list.
func TestValidate(t *testing.T) {
	for _, c := range []struct {
		lease, deadline, retry time.Duration
		nobody                 bool
		want                   string
	}{
		{15 * time.Second, 10 * time.Second, 2 * time.Second, false, ""},
		{0, 0, 0, true, "leaseDuration must be greater than renewDeadline"},
		{10 * time.Second, 10 * time.Second, 2 * time.Second, false, "leaseDuration must be greater than renewDeadline"},
		{10*time.Second + 1, 10 * time.Second, 2 * time.Second, false, ""},
		{10 * time.Second, 10 * time.Second, 9 * time.Second, true, "leaseDuration must be greater than renewDeadline"},
		{15 * time.Second, 12 * time.Second, 10 * time.Second, false, "renewDeadline must be greater than retryPeriod*JitterFactor"},
		{15 * time.Second, 12*time.Second + 1, 10 * time.Second, false, ""},
		{3, 1, 1, false, "renewDeadline must be greater than retryPeriod*JitterFactor"}, // 1.2 ns count as 1
		{3, 2, 1, false, ""},
		{1, 0, 0, true, "renewDeadline must be greater than retryPeriod*JitterFactor"},
		{0, -1, -2, true, "leaseDuration must be greater than zero"},
		{1, 0, -1, true, "renewDeadline must be greater than zero"},
		{3, 2, 0, true, "retryPeriod must be greater than zero"},
		{3, 2, -1, true, "retryPeriod must be greater than zero"},
		{15 * time.Second, 10 * time.Second, 2 * time.Second, true, "Lock identity is empty"},
		{500 * time.Millisecond, 400 * time.Millisecond, 100 * time.Millisecond, false, ""}, // less than a second becomes 0 in the Lease, and passes here
	} {
		config := elector.Config{Identity: me, LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.retry}
		if c.nobody {
			config.Identity = 0
		}
		if err := config.Validate(); c.want == "" {
			assert.NoError(t, err, "%+v", c)
		} else {
			assert.EqualError(t, err, c.want, "%+v", c)
		}
	}
}

// The wait is retryPeriod and a drawn part of 1.2 times it, by client-go's own float expression: each product rounded to
// 53 bits, no fused operation. math/big does the same without the processor's floats.
func TestJitterDelay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	byHand := func(retry int64, draw float64) int64 {
		product := func(a, b float64) float64 {
			x := new(big.Float).SetPrec(53).Mul(new(big.Float).SetFloat64(a), new(big.Float).SetFloat64(b))
			f, _ := x.Float64()
			return f
		}
		drawn, _ := new(big.Float).SetFloat64(product(product(draw, 1.2), float64(retry))).Int64()
		return retry + drawn
	}
	for range 20_000 {
		retry, draw := r.Int64N(100*second)+1, r.Float64()
		got := elector.JitterDelayNs(retry, draw, elector.JitterFactor)
		require.Equal(t, byHand(retry, draw), got, "retryPeriod %d, draw %v", retry, draw)
		require.GreaterOrEqual(t, got, retry)
		require.Less(t, float64(got), 2.2*float64(retry)+1)
	}
	assert.Equal(t, 2*second, elector.JitterDelayNs(2*second, 0, elector.JitterFactor))
	assert.Less(t, elector.JitterDelayNs(2*second, math.Nextafter(1, 0), elector.JitterFactor), 4_400_000_000+int64(1))
}

// driver runs a machine whose clocks all show the world's instant.
type driver struct {
	t   *testing.T
	m   elector.Machine
	out []elector.Output
}

func start(t *testing.T, config elector.Config) *driver {
	require.NoError(t, config.Validate())
	d := &driver{t: t, m: elector.New(config, int64(config.RetryPeriod), int64(config.RenewDeadline))}
	d.step(0, elector.Input{Kind: elector.Start})
	return d
}

func (d *driver) step(now int64, in elector.Input) {
	d.out = d.m.Step(step.Reading{Now: now, Mono: now, Wall: now}, &in, nil)
}

func (d *driver) wake(now int64) { d.step(now, elector.Input{Kind: elector.Wake, DueNs: now}) }

// ok answers the request under way with a record.
func (d *driver) ok(now int64, record coordination.Record) {
	d.step(now, elector.Input{Kind: elector.Answer, Record: record, ResourceVersion: now + 1, UID: 7})
}

func (d *driver) fails(now int64, result step.Result) {
	d.step(now, elector.Input{Kind: elector.Answer, Result: result})
}

func (d *driver) draw(now int64, draw float64) {
	d.step(now, elector.Input{Kind: elector.Draw, Draw: draw})
}

// kinds are what the last step did.
func (d *driver) kinds() []elector.OutputKind {
	all := []elector.OutputKind{}
	for _, o := range d.out {
		all = append(all, o.Kind)
	}
	return all
}

// sends asserts that the last step ended with a request.
func (d *driver) sends(verb elector.Verb) {
	d.t.Helper()
	require.NotEmpty(d.t, d.out)
	last := d.out[len(d.out)-1]
	require.Equal(d.t, elector.Send, last.Kind)
	require.Equal(d.t, verb.String(), last.Verb.String())
}

func recordOf(by coordination.Symbol) coordination.Record {
	return coordination.Record{
		HolderIdentity: by, LeaseDurationSeconds: 15, LeaseTransitions: 3,
		Present: coordination.HasHolderIdentity | coordination.HasLeaseDurationSeconds | coordination.HasLeaseTransitions,
	}
}

// leader is an elector that has taken an empty Lease at instant 2: it observed its own record then, and its first
// renewal is under way.
func leader(t *testing.T, config elector.Config) *driver {
	d := start(t, config)
	d.sends(elector.Get)
	d.fails(1, step.NotFound)
	d.sends(elector.Create)
	d.ok(2, recordOf(me))
	d.draw(2, 0.5)
	d.sends(elector.Update)
	return d
}

// A follower may take a Lease at the very nanosecond at which the published duration has passed since it saw the last
// change, and not one before; its own leaseDuration plays no part.
func TestTakeoverAtTheDeadline(t *testing.T) {
	for late, takes := range map[int64]bool{-1: false, 0: true, 1: true} {
		config := usual()
		config.LeaseDuration = 60 * time.Second
		d := start(t, config)
		d.sends(elector.Get)
		d.ok(5, recordOf(rival)) // seen at 5
		require.Equal(t, []elector.OutputKind{elector.NewLeader, elector.NeedDraw}, d.kinds())
		d.draw(5, 0)
		require.Equal(t, 5+2*second, d.m.NextWakeNs())
		now := 5 + 15*second + late
		d.wake(now)
		d.sends(elector.Get)
		d.ok(now+100, recordOf(rival)) // the time of the attempt's beginning counts, not that of the answer
		if takes {
			d.sends(elector.Update)
			record, version, uid := d.m.Outgoing()
			assert.Equal(t, me, record.HolderIdentity)
			assert.Equal(t, int32(4), record.LeaseTransitions, "one more than was read")
			assert.Equal(t, int32(60), record.LeaseDurationSeconds, "and now its own duration is published")
			assert.Equal(t, now+101, version)
			assert.Equal(t, uint64(7), uid)
		} else {
			assert.Equal(t, []elector.OutputKind{elector.NeedDraw}, d.kinds(), "%d ns", late)
		}
	}
}

// A record that changed in the read itself is new again, however long the wait was. An empty holder is free at once.
func TestWhatIsReadCounts(t *testing.T) {
	d := start(t, usual())
	d.ok(5, recordOf(rival))
	d.draw(5, 0)
	d.wake(100 * second)
	renewed := recordOf(rival)
	renewed.RenewTime, renewed.Present = 99_000_000, renewed.Present|coordination.HasRenewTime
	d.ok(100*second+1, renewed)
	assert.Equal(t, []elector.OutputKind{elector.NeedDraw}, d.kinds())

	d = start(t, usual())
	d.ok(5, recordOf(0))
	d.sends(elector.Update)
}

// The fast path is for a leader whose record still counts: at the exact end of it, it reads first.
func TestFastPathAtTheDeadline(t *testing.T) {
	for late, verb := range map[int64]elector.Verb{-1: elector.Update, 0: elector.Get, 1: elector.Get} {
		d := leader(t, usual())
		d.ok(3, recordOf(me)) // renewed: observed at 3
		require.Equal(t, 3+2*second, d.m.NextWakeNs())
		d.wake(3 + 15*second + late)
		d.sends(verb)
	}
}

// A coordinated elector may renew at the exact end of the duration, unlike a plain one that may already take it.
func TestCoordinatedExpiryAtTheDeadline(t *testing.T) {
	for late, renews := range map[int64]bool{-1: true, 0: true, 1: false} {
		config := usual()
		config.Coordinated = true
		d := start(t, config)
		d.sends(elector.Get)
		d.ok(5, recordOf(me)) // elected by the controller: the first read shows it
		d.sends(elector.Update)
		d.fails(6, step.InternalError)
		d.draw(6, 0)
		now := 5 + 15*second + late
		d.wake(now)
		d.sends(elector.Get)
		d.ok(now, recordOf(me)) // unchanged since 5
		if renews {
			d.sends(elector.Update)
		} else {
			assert.Equal(t, []elector.OutputKind{elector.NeedDraw}, d.kinds())
		}
	}
}

// A tick that falls on renewDeadline is not used: the deadline wins.
func TestDeadlineBeatsTick(t *testing.T) {
	for _, c := range []struct {
		deadline time.Duration
		last     bool // the tick at 10 s serves
	}{{10 * time.Second, false}, {10*time.Second + 1, true}, {10*time.Second - 1, false}} {
		config := usual()
		config.RenewDeadline = c.deadline
		d := leader(t, config)
		poll := int64(2) // the poll began at the instant of the draw
		used := []int64{}
		d.fails(poll, step.InternalError)
		d.fails(poll, step.InternalError) // update, then the read
		for d.m.Running() {
			at := d.m.NextWakeNs()
			d.wake(at)
			if d.m.InFlight() {
				used = append(used, (at-poll)/second)
				d.fails(at, step.InternalError)
				d.fails(at, step.InternalError)
			}
		}
		want := []int64{2, 4, 6, 8}
		if c.last {
			want = append(want, 10)
		}
		assert.Equal(t, want, used, c.deadline)
		assert.Equal(t, []elector.OutputKind{elector.MetricLeaderOff, elector.StoppedEvent, elector.LeadingDone, elector.StoppedLeading, elector.RunReturned}, d.kinds())
	}
}

// An answer at the deadline: a success still counts, a failure ends the poll, and the elector sends nothing more.
func TestAnswerAtTheDeadline(t *testing.T) {
	const deadline = int64(2) + 10_000_000_000
	d := leader(t, usual())
	d.ok(deadline, recordOf(me))
	assert.Empty(t, d.out)
	assert.Equal(t, deadline+2*second, d.m.NextWakeNs())

	d = leader(t, usual())
	d.fails(deadline, step.InternalError)
	assert.Equal(t, []elector.OutputKind{elector.NotSent, elector.MetricLeaderOff, elector.StoppedEvent, elector.LeadingDone, elector.StoppedLeading, elector.RunReturned}, d.kinds())
	assert.Equal(t, step.NotSentDeadline, d.out[0].Result)

	d = leader(t, usual())
	d.fails(deadline-1, step.InternalError)
	d.sends(elector.Get)
}

// One tick waits while an attempt is slow, and then serves at once. The ticker drops the others and keeps its phase.
func TestTickerCatchesUpOnce(t *testing.T) {
	d := leader(t, usual())
	const poll = int64(2)
	d.fails(poll, step.InternalError)
	d.fails(poll+7*second, step.InternalError) // ticks at 2, 4 and 6 s went by
	d.sends(elector.Update)                    // at once
	d.fails(poll+7*second, step.InternalError)
	d.fails(poll+7*second, step.InternalError)
	assert.Empty(t, d.out)
	assert.Equal(t, poll+8*second, d.m.NextWakeNs(), "the next tick is that at 8 s")
}

// The health check tolerates leaseDuration plus the given tolerance, to the nanosecond, and never blames a follower.
func TestHealthy(t *testing.T) {
	d := leader(t, usual())
	const seen = int64(2)
	for _, tolerance := range []int64{0, 1, 20 * second} {
		limit := seen + 15*second + tolerance
		assert.True(t, d.m.Healthy(limit-1, tolerance))
		assert.True(t, d.m.Healthy(limit, tolerance))
		assert.False(t, d.m.Healthy(limit+1, tolerance))
	}
	follower := start(t, usual())
	follower.ok(5, recordOf(rival))
	assert.True(t, follower.m.Healthy(1<<60, 0))
}

// release goes by memory: it empties a Lease that another candidate holds by now, tries again when it met a conflict, and
// leaves the Lease alone when it knows that it does not lead.
func TestRelease(t *testing.T) {
	config := usual()
	config.ReleaseOnCancel = true
	d := leader(t, config)
	d.ok(3, recordOf(me))
	d.step(4, elector.Input{Kind: elector.Cancel})
	require.Equal(t, elector.LeadingDone, d.out[0].Kind, "the leading context ends with Run's")
	d.sends(elector.Get)
	taken := recordOf(rival)
	taken.LeaseTransitions = 9
	d.ok(5, taken)
	d.sends(elector.Update)
	record, version, _ := d.m.Outgoing()
	assert.Equal(t, coordination.Symbol(0), record.HolderIdentity)
	assert.Equal(t, int32(1), record.LeaseDurationSeconds)
	assert.Equal(t, int32(9), record.LeaseTransitions)
	assert.True(t, record.Has(coordination.HasHolderIdentity), "empty, but there")
	assert.Equal(t, int64(6), version, "with the version just read, so that it succeeds")
	d.fails(6, step.Conflict)
	d.sends(elector.Get)
	d.ok(7, taken)
	d.ok(8, recordOf(0))
	assert.Equal(t, []elector.OutputKind{elector.StoppedEvent, elector.StoppedLeading, elector.RunReturned}, d.kinds())
	assert.False(t, d.m.IsLeader(), "a release that succeeded is remembered")

	d = leader(t, config)
	d.fails(3, step.Conflict)
	d.ok(4, recordOf(rival)) // the read of the same attempt shows the loss
	require.False(t, d.m.IsLeader())
	d.step(5, elector.Input{Kind: elector.Cancel})
	d.sends(elector.Get)
	d.ok(6, recordOf(rival))
	assert.False(t, d.m.InFlight(), "nothing is written")
	assert.False(t, d.m.Running())
}

// release has its own deadline: renewDeadline from its beginning, whatever remains of the poll's.
func TestReleaseDeadline(t *testing.T) {
	config := usual()
	config.ReleaseOnCancel = true
	d := leader(t, config)
	d.ok(3, recordOf(me))
	d.step(1000, elector.Input{Kind: elector.Cancel})
	assert.Equal(t, 1000+10*second, d.m.NextWakeNs())
	d.wake(1000 + 10*second)
	require.Equal(t, elector.Abort, d.out[0].Kind)
	assert.False(t, d.m.Running())
}

// A new elector believes nothing; a process that never led still calls OnStoppedLeading.
func TestNeverLed(t *testing.T) {
	d := start(t, usual())
	_, _, seen := d.m.ObservedRecord()
	assert.False(t, seen)
	assert.False(t, d.m.IsLeader())
	d.step(1, elector.Input{Kind: elector.Cancel})
	d.draw(1, 0.5)
	assert.Equal(t, []elector.OutputKind{elector.Jitter, elector.StoppedLeading, elector.RunReturned}, d.kinds())
}
