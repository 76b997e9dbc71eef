package elector_test

import (
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func speaking(d elector.Dialect) elector.Config {
	c := usual()
	c.Dialect = d
	return c
}

// renewedAt is a record with a renewTime by a wall clock in ns.
func renewedAt(by coordination.Symbol, wallNs int64) coordination.Record {
	r := recordOf(by)
	r.RenewTime, r.Present = coordination.MicroTimeOf(wallNs), r.Present|coordination.HasRenewTime
	return r
}

// takesAt reports whether a follower that saw a record at 5 ns tries to take the Lease when it reads it again at an instant, its wall
// clock being so far ahead then.
func takesAt(t *testing.T, d elector.Dialect, record coordination.Record, now, jump int64) bool {
	f := start(t, speaking(d))
	f.ok(5, record)
	if sent := f.out[len(f.out)-1]; sent.Kind == elector.Send {
		return true
	}
	f.draw(5, 0)
	reading := step.Reading{Now: now, Mono: now, Wall: now + jump}
	f.out = f.m.Step(reading, &elector.Input{Kind: elector.Wake, DueNs: now}, nil)
	f.sends(elector.Get)
	f.out = f.m.Step(reading, &elector.Input{Kind: elector.Answer, Record: record, ResourceVersion: 1, UID: 7}, nil)
	return f.out[len(f.out)-1].Kind == elector.Send
}

// When a follower takes the Lease: each dialect that judges expiry, beside client-go and beside a neighbor that it leaves
// alone.
func TestExpiryOfDialects(t *testing.T) {
	longer := recordOf(rival)
	longer.LeaseDurationSeconds = 60
	free := recordOf(0)
	for name, c := range map[string]struct {
		dialect   elector.Dialect
		record    coordination.Record
		now, jump int64
		takes     bool
		clientGo  bool
	}{
		"a record of 60 s after 15 s, own 15 s":      {elector.OwnLeaseDuration, longer, 16 * second, 0, true, false},
		"the same before 15 s":                       {elector.OwnLeaseDuration, longer, 14 * second, 0, false, false},
		"an empty holder at once":                    {elector.ReleaseIgnored, free, 3 * second, 0, false, true},
		"an empty holder after its duration":         {elector.ReleaseIgnored, free, 16 * second, 0, true, true},
		"a held one, released or not":                {elector.ReleaseIgnored, recordOf(rival), 16 * second, 0, true, true},
		"a wall clock an hour ahead, counted by it":  {elector.WallClockObservation, recordOf(rival), 3 * second, 3600 * second, true, false},
		"a wall clock that stays":                    {elector.WallClockObservation, recordOf(rival), 14 * second, 0, false, false},
		"and its duration":                           {elector.WallClockObservation, recordOf(rival), 16 * second, 0, true, true},
		"renewTime long ago, read by the wall":       {elector.WallClockExpiry, renewedAt(rival, -600*second), 3 * second, 0, true, false},
		"renewTime years ahead":                      {elector.WallClockExpiry, renewedAt(rival, 1e9*second), 1000 * second, 0, false, true},
		"renewTime now":                              {elector.WallClockExpiry, renewedAt(rival, 0), 14 * second, 0, false, false},
		"the first sight is as old as it says":       {elector.TrustRenewTime, renewedAt(rival, -600*second), 3 * second, 0, true, false},
		"one that says it is new":                    {elector.TrustRenewTime, renewedAt(rival, 5), 14 * second, 0, false, false},
		"one from the future counts from its sight":  {elector.TrustRenewTime, renewedAt(rival, 1e9*second), 16 * second, 0, true, true},
		"a holder for life":                          {elector.ForLife, recordOf(rival), 1e6 * second, 0, false, true},
		"no holder for life":                         {elector.ForLife, free, 3 * second, 0, true, true},
		"a lock whose server has not let it go":      {elector.TTLLock, recordOf(rival), 1000 * second, 0, false, true},
		"no request timeout changes no expiry":       {elector.NoRequestTimeout, recordOf(rival), 14 * second, 0, false, false},
		"nor does any rule of renewal":               {elector.NoDeadline | elector.NoFastPath, recordOf(rival), 16 * second, 0, true, true},
		"the age counts from the attempt's sending":  {elector.ObserveFromSend, recordOf(rival), 15 * second, 0, true, false},
		"client-go counts from the answer, 5 ns on ": {0, recordOf(rival), 15 * second, 0, false, false},
	} {
		assert.Equal(t, c.takes, takesAt(t, c.dialect, c.record, c.now, c.jump), name)
		assert.Equal(t, c.clientGo, takesAt(t, 0, c.record, c.now, c.jump), "client-go: %s", name)
	}
}

// A known record that changes later counts from when the elector sees the change: trustRenewTime is only about the
// first record.
func TestTrustIsForTheFirstSight(t *testing.T) {
	d := start(t, speaking(elector.TrustRenewTime))
	d.ok(5, renewedAt(rival, 0))
	d.draw(5, 0)
	d.wake(10 * second)
	d.ok(10*second, renewedAt(rival, -600*second))
	assert.Equal(t, []elector.OutputKind{elector.NeedDraw}, d.kinds())
}

// The server's word frees a TTL lock, however young the record is.
func TestTTLLockAsksTheServer(t *testing.T) {
	d := start(t, speaking(elector.TTLLock))
	d.step(5, elector.Input{Kind: elector.Answer, Record: recordOf(rival), ResourceVersion: 1, UID: 7, Expired: true})
	d.sends(elector.Update)
}

// A hanging renewal: client-go cancels it when renewDeadline has passed. Before #65094 it waited for the answer and
// noticed the deadline afterwards.
func TestNoRequestTimeout(t *testing.T) {
	d := leader(t, usual())
	require.Equal(t, 2+10*second, d.m.NextWakeNs())
	d = leader(t, speaking(elector.NoRequestTimeout))
	require.Equal(t, step.Never, d.m.NextWakeNs())
	require.Equal(t, step.Never, d.m.RequestDeadlineNs())
	d.step(30*second, elector.Input{Kind: elector.Cancel})
	require.Equal(t, []elector.OutputKind{elector.LeadingDone}, d.kinds(), "its context ends, its request does not")

	d = leader(t, speaking(elector.NoRequestTimeout))
	d.fails(60*second, step.InternalError)
	d.sends(elector.Get) // the attempt goes on, long after the deadline
	d.ok(61*second, recordOf(rival))
	assert.Contains(t, d.kinds(), elector.LeadingDone)
	assert.False(t, d.m.Running())

	d = leader(t, speaking(elector.NoRequestTimeout))
	d.fails(second, step.InternalError)
	d.fails(3*second, step.InternalError)
	d.sends(elector.Update) // the tick at 2 s has been waiting
	d.fails(3*second, step.InternalError)
	d.fails(3*second+1, step.InternalError)
	require.Equal(t, 4*second+2, d.m.NextWakeNs(), "between two tries nothing has changed: the tick")
}

// A leader reads before each renewal, as it did before #122069; a follower does what it does today.
func TestNoFastPath(t *testing.T) {
	d := start(t, speaking(elector.NoFastPath))
	d.sends(elector.Get)
	d.fails(1, step.NotFound)
	d.sends(elector.Create)
	d.ok(2, recordOf(me))
	d.draw(2, 0.5)
	d.sends(elector.Get)
	d.ok(3, recordOf(me))
	d.sends(elector.Update)
}

// leaseTransitions of a renewal and of a takeover.
func TestMiscounts(t *testing.T) {
	for dialect, want := range map[elector.Dialect]int32{0: 3, elector.TransitionsReset: 0, elector.TransitionsInflated: 4, elector.NoFastPath: 3} {
		d := start(t, speaking(dialect))
		d.ok(5, recordOf(me)) // left over from the process before
		d.sends(elector.Update)
		record, _, _ := d.m.Outgoing()
		assert.Equal(t, want, record.LeaseTransitions, "renewal, %b", dialect)

		d = start(t, speaking(dialect))
		d.ok(5, recordOf(0))
		d.sends(elector.Update)
		record, _, _ = d.m.Outgoing()
		assert.Equal(t, int32(4), record.LeaseTransitions, "takeover, %b", dialect)
	}
}

// The leader calls back when it reads its own name, and takes that back when the write fails and it reads another
// name.
func TestCallbackBeforeWrite(t *testing.T) {
	d := start(t, speaking(elector.CallbackBeforeWrite))
	d.ok(5, recordOf(me))
	require.Contains(t, d.kinds(), elector.StartedLeading)
	d.sends(elector.Update)
	d.fails(6, step.Conflict)
	d.draw(6, 0)
	d.wake(6 + 2*second)
	d.fails(7+2*second, step.Conflict)
	d.ok(8+2*second, recordOf(rival))
	assert.Subset(t, d.kinds(), []elector.OutputKind{elector.LeadingDone, elector.StoppedLeading})
	assert.False(t, d.m.Leading())
	assert.True(t, d.m.Running(), "and it goes on trying")

	d = start(t, speaking(elector.CallbackBeforeWrite))
	d.ok(5, recordOf(me))
	d.ok(6, recordOf(me))
	d.draw(6, 0)
	assert.NotContains(t, d.kinds(), elector.StartedLeading, "once is enough")
	assert.True(t, d.m.Leading())

	d = start(t, usual())
	d.ok(5, recordOf(me))
	assert.NotContains(t, d.kinds(), elector.StartedLeading)
}

// What a leader that cannot write and reads something makes of its deadline.
func TestDeadlinesOfDialects(t *testing.T) {
	read := func(config elector.Config, holder coordination.Symbol) *driver {
		d := leader(t, config) // its poll began at 2 ns
		d.fails(5*second, step.InternalError)
		d.sends(elector.Get)
		d.ok(5*second, recordOf(holder))
		if holder == me {
			d.sends(elector.Update)
			d.fails(5*second, step.InternalError)
		}
		return d
	}
	// It reads its own name: only a read that restarts the deadline makes a difference.
	for dialect, want := range map[elector.Dialect]int64{
		0: 2 + 10*second, elector.ReadsResetDeadline: 15 * second, elector.NoDeadline: step.Never, elector.StopAtOtherHolder: 2 + 10*second,
	} {
		d := read(speaking(dialect), me)
		assert.True(t, d.m.Leading())
		assert.Equal(t, want, d.m.MustStopNs(), "%b", dialect)
	}
	// It reads another's name: client-go works on.
	for dialect, leads := range map[elector.Dialect]bool{
		0: true, elector.ReadsResetDeadline: true, elector.NoDeadline: false, elector.StopAtOtherHolder: false,
	} {
		assert.Equal(t, leads, read(speaking(dialect), rival).m.Leading(), "%b", dialect)
	}
}

// The answer to a renewal sent at 2 ns comes at 4 s: client-go gives up 12 s after the answer, the fixed elector 12 s after sending.
func TestDeadlineFromSend(t *testing.T) {
	for dialect, want := range map[elector.Dialect]int64{0: 16 * second, elector.DeadlineFromSend: 2 + 12*second} {
		d := leader(t, speaking(dialect))
		d.ok(4*second, recordOf(me))
		require.Equal(t, want, d.m.MustStopNs(), "%b", dialect)
		d.wake(6 * second)
		d.sends(elector.Update)
		require.Equal(t, want, d.m.NextWakeNs(), "%b", dialect)
	}
}

// A holder for life neither renews nor stops until something asks it to.
func TestForLife(t *testing.T) {
	d := start(t, speaking(elector.ForLife))
	d.ok(5, recordOf(0))
	d.ok(6, recordOf(me))
	d.draw(6, 0.5)
	require.Equal(t, elector.StartedLeading, d.out[len(d.out)-1].Kind)
	require.Equal(t, step.Never, d.m.NextWakeNs())
	require.Equal(t, step.Never, d.m.ExpiresMonoNs())
	d.step(second, elector.Input{Kind: elector.Cancel})
	assert.False(t, d.m.Running())
}

// The release of a leader that stops between two renewals: what it sends, and after which answers it sends again.
func TestReleases(t *testing.T) {
	for name, c := range map[string]struct {
		dialect  elector.Dialect
		checks   bool
		reads    bool // first
		duration int32
		retries  bool
	}{
		"client-go v0.37.2":          {0, false, true, 1, true},
		"before #132849":             {elector.BlindRelease, false, false, 1, false},
		"between it and #137988":     {elector.ReleaseWithoutRetry, false, true, 1, false},
		"before #80954":              {elector.BlindRelease | elector.ZeroDurationRelease, false, false, 0, false},
		"with a check of the holder": {0, true, true, 1, true},
	} {
		config := speaking(c.dialect)
		config.ReleaseOnCancel, config.ReleaseChecksHolder = true, c.checks
		d := leader(t, config)
		d.ok(3, recordOf(me))
		version := int64(4)
		d.step(second, elector.Input{Kind: elector.Cancel})
		if c.reads {
			d.sends(elector.Get)
			d.ok(2*second, recordOf(me))
			version = 2*second + 1
		}
		d.sends(elector.Update)
		record, sent, _ := d.m.Outgoing()
		assert.Equal(t, version, sent, "the version read, or the one last seen: %s", name)
		assert.Zero(t, record.HolderIdentity, name)
		assert.Equal(t, c.duration, record.LeaseDurationSeconds, name)
		d.fails(3*second, step.Conflict)
		if c.retries {
			d.sends(elector.Get)
			d.ok(4*second, recordOf(rival))
			if c.checks {
				assert.False(t, d.m.Running(), "it is another's by now")
			} else {
				d.sends(elector.Update) // and wipes it
			}
		} else {
			assert.False(t, d.m.Running(), name)
		}
	}
}

// With releaseAfterWork a stopped leader renews until its work has ended; one that lost waits and no longer renews.
func TestReleaseAfterWork(t *testing.T) {
	config := usual()
	config.ReleaseOnCancel, config.ReleaseAfterWork = true, true
	d := leader(t, config)
	d.ok(3, recordOf(me))
	d.step(second, elector.Input{Kind: elector.Cancel})
	require.Equal(t, []elector.OutputKind{elector.LeadingDone, elector.AwaitWork}, d.kinds())
	require.True(t, d.m.Cancelled())
	d.wake(3 + 2*second)
	d.sends(elector.Update)
	d.ok(4+2*second, recordOf(me))
	d.step(3*second, elector.Input{Kind: elector.WorkOver})
	d.sends(elector.Get)
	d.ok(4*second, recordOf(me))
	d.sends(elector.Update)

	d = leader(t, config)
	d.wake(2 + 10*second)
	require.Equal(t, elector.AwaitWork, d.out[len(d.out)-1].Kind)
	require.False(t, d.m.Cancelled(), "it lost")
	require.Equal(t, step.Never, d.m.NextWakeNs())
	d.step(20*second, elector.Input{Kind: elector.WorkOver})
	d.sends(elector.Get)

	config.ReleaseAfterWork = false
	d = leader(t, config)
	d.step(second, elector.Input{Kind: elector.Cancel})
	d.sends(elector.Get)
}

// The callback and the first renewal wait for the delay; an input during it takes effect after it.
func TestCallbackDelay(t *testing.T) {
	config := usual()
	config.CallbackDelayNs = 16 * second
	wins := func() *driver {
		d := start(t, config)
		d.ok(5, recordOf(0))
		d.ok(6, recordOf(me))
		d.draw(6, 0)
		require.Equal(t, 6+16*second, d.m.NextWakeNs())
		require.False(t, d.m.Leading())
		return d
	}
	d := wins()
	d.wake(6 + 16*second)
	require.Equal(t, elector.StartedLeading, d.out[0].Kind)
	d.sends(elector.Get) // its own record has expired
	d = wins()
	d.step(second, elector.Input{Kind: elector.Cancel})
	require.Empty(t, d.out)
	d.wake(6 + 16*second)
	assert.Subset(t, d.kinds(), []elector.OutputKind{elector.StartedLeading, elector.LeadingDone, elector.RunReturned})
}

// jitterFactor 0 means no jitter, 1.2 is client-go's. The check of renewDeadline always uses client-go's constant.
func TestJitterFactor(t *testing.T) {
	for factor, want := range map[float64]int64{0: 2 * second, 0.5: 2*second + second/2, 1.2: elector.JitterDelayNs(2*second, 0.5, elector.JitterFactor)} {
		config := usual()
		config.OwnJitter, config.JitterFactor = true, factor
		d := start(t, config)
		d.ok(5, recordOf(rival))
		d.draw(5, 0.5)
		assert.Equal(t, 5+want, d.m.NextWakeNs())
	}
	config := usual()
	config.OwnJitter, config.RenewDeadline = true, 2300*time.Millisecond
	assert.Equal(t, elector.ErrRenewDeadline, config.Validate())
}

// A node that slept: every timer is later by that.
func TestShift(t *testing.T) {
	d := leader(t, usual())
	d.m.Shift(7 * second)
	assert.Equal(t, 2+17*second, d.m.NextWakeNs())
}

// Every dialect has one bit and one name, contradiction is mutual, and none contradicts itself.
func TestDialectTable(t *testing.T) {
	all, names := elector.Dialect(0), map[string]bool{}
	for _, d := range elector.Dialects() {
		assert.Zero(t, all&d.Dialect, d.Name)
		all |= d.Dialect
		assert.False(t, names[d.Name], d.Name)
		names[d.Name] = true
		assert.Equal(t, d.Dialect, elector.DialectNamed(d.Name))
		assert.Zero(t, d.Contradicts&d.Dialect, d.Name)
		for _, other := range elector.Dialects() {
			assert.Equal(t, d.Contradicts&other.Dialect != 0, other.Contradicts&d.Dialect != 0, "%s and %s", d.Name, other.Name)
		}
	}
	assert.Equal(t, elector.NoRetries, all&^(all>>1), "no bit is left out")
	assert.Zero(t, elector.DialectNamed("current"))
}
