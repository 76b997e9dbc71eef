package leasecandidate

import (
	"github.com/leaselab/leaselab/core/step"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
)

const (
	milli  = int64(1_000_000)
	second = 1000 * milli
	minute = 60 * second
	origin = 1_700_000_000 * second
)

// bench drives one client by hand.
type bench struct {
	t   *testing.T
	m   Machine
	now int64
	out []Output
}

func newBench(t *testing.T) *bench {
	return &bench{t: t, m: New(Config{LeaseName: 1, BinaryVersion: 2, EmulationVersion: 3, Strategy: 4})}
}

func (b *bench) step(in Input) {
	b.out = b.m.Step(step.Reading{Now: b.now, Mono: b.now, Wall: origin + b.now}, in, nil)
}

func (b *bench) wakeAt(want int64) {
	b.t.Helper()
	require.Equal(b.t, want, b.m.NextWakeNs())
	b.now = want
	b.step(Input{Kind: Wake})
}

func (b *bench) micros() coordination.MicroTime { return coordination.MicroTimeOf(origin + b.now) }

// sends expects one request and returns what it carries.
func (b *bench) sends(verb elector.Verb) Object {
	b.t.Helper()
	require.Equal(b.t, []Output{{Kind: Send, Verb: verb}}, b.out)
	sent, o := b.m.Outgoing()
	require.Equal(b.t, verb, sent)
	return o
}

func (b *bench) answer(r step.Result) { b.step(Input{Kind: Answer, Result: r}) }

// running is a client whose object is there, in version 1.
func running(t *testing.T) *bench {
	b := newBench(t)
	b.step(Input{Kind: Start})
	b.step(Input{Kind: Listed})
	b.wakeAt(100 * milli)
	o := b.sends(elector.Create)
	b.answer(step.Success)
	o.ResourceVersion = 1
	b.step(Input{Kind: Seen, Object: o})
	require.Empty(t, b.out)
	return b
}

// objectWithPing is the object with a ping at an instant.
func (b *bench) objectWithPing(atNs int64) Object {
	o, _ := b.m.CachedObject()
	o.ResourceVersion++
	o.Spec.SetPing(coordination.MicroTimeOf(origin + atNs))
	return o
}

// The client notices the informer's first list at its next check, every 100 ms; the first check comes too early.
func TestSyncIsSeenAtTheNextLook(t *testing.T) {
	for _, c := range []struct{ listed, notices int64 }{{0, 100}, {1, 100}, {100, 100}, {101, 200}, {950, 1000}} {
		b := newBench(t)
		b.now = 5 * second
		b.step(Input{Kind: Start})
		assert.Equal(t, 5*second+5*minute, b.m.NextWakeNs(), "before the list only the resync is due")
		b.now += c.listed * milli
		b.step(Input{Kind: Listed})
		b.wakeAt(5*second + c.notices*milli)
		b.sends(elector.Create)
	}
}

// Without an object the client creates one as configured. With one it changes only renewTime, whatever the object
// says.
func TestCreateOrUpdate(t *testing.T) {
	b := newBench(t)
	b.step(Input{Kind: Start})
	b.step(Input{Kind: Listed})
	b.wakeAt(100 * milli)
	want := coordination.Candidate{LeaseName: 1, BinaryVersion: 2, EmulationVersion: 3, Strategy: 4}
	want.SetRenew(b.micros())
	assert.Equal(t, Object{Spec: want}, b.sends(elector.Create))

	b = newBench(t)
	b.step(Input{Kind: Start})
	there := Object{ResourceVersion: 9, UID: 8, Spec: coordination.Candidate{LeaseName: 5, BinaryVersion: 6, Strategy: 7}}
	there.Spec.SetPing(1)
	b.step(Input{Kind: Seen, Object: there})
	b.step(Input{Kind: Listed})
	b.wakeAt(100 * milli)
	there.Spec.SetRenew(b.micros())
	assert.Equal(t, there, b.sends(elector.Update))
}

// A ping counts if it is later than the renewal, and only when it comes as an update.
func TestPing(t *testing.T) {
	b := running(t)
	b.now = 10 * second
	b.step(Input{Kind: Seen, Object: b.objectWithPing(100 * milli)})
	assert.Empty(t, b.out, "the ping is as old as the renewal")
	b.step(Input{Kind: Seen, Object: b.objectWithPing(10 * second)})
	o := b.sends(elector.Update)
	assert.Equal(t, b.micros(), o.Spec.RenewTime)
	assert.Equal(t, b.micros(), o.Spec.PingTime)
	b.step(Input{Kind: Seen, Object: b.objectWithPing(10*second + milli)})
	assert.Empty(t, b.out, "one request at a time")
	b.now += 2 * milli
	b.answer(step.Success)
	b.sends(elector.Update)

	b = running(t)
	b.step(Input{Kind: Gone})
	b.now = 10 * second
	b.step(Input{Kind: Seen, Object: b.objectWithPing(10 * second)})
	assert.Empty(t, b.out, "an object that comes with its ping is an addition")
	b.wakeAt(5 * minute) // the resync shows it as an update
	b.sends(elector.Update)
}

func TestPingWithoutRenewTime(t *testing.T) {
	b := running(t)
	o := b.objectWithPing(second)
	o.Spec.RenewTime, o.Spec.Present = 0, coordination.HasPing
	b.step(Input{Kind: Seen, Object: o})
	b.sends(elector.Update)
}

// Every success asks for a renewal in five minutes; of several the earliest stays.
func TestRenewals(t *testing.T) {
	b := running(t)
	b.now = 200 * second
	b.step(Input{Kind: Seen, Object: b.objectWithPing(200 * second)})
	b.answer(step.Success)
	b.wakeAt(5 * minute) // resync
	assert.NotEmpty(t, b.out, "the ping of the cached object is unanswered still: the informer has not shown the answer")
	b.answer(step.Success)
	b.wakeAt(5*minute + 100*milli)
	b.sends(elector.Update)
	b.answer(step.Success)
	b.wakeAt(10 * minute)
	assert.NotEmpty(t, b.out)
}

// A deleted object comes back with the next renewal, not sooner.
func TestDeleted(t *testing.T) {
	b := running(t)
	b.now = second
	b.step(Input{Kind: Gone})
	assert.Empty(t, b.out)
	b.wakeAt(5 * minute)
	assert.Empty(t, b.out)
	b.wakeAt(5*minute + 100*milli)
	b.sends(elector.Create)
}

// Failures double the wait and are never forgotten; a stale cache meets conflicts until the informer catches up.
func TestFailures(t *testing.T) {
	b := running(t)
	b.now = second
	b.step(Input{Kind: Seen, Object: b.objectWithPing(second)})
	at := second
	for _, wait := range []int64{5, 10, 20, 40} {
		assert.Equal(t, int64(2), b.sends(elector.Update).ResourceVersion, "as cached")
		b.answer(step.Conflict)
		at += wait * milli
		b.wakeAt(at)
	}
	b.answer(step.Success)
	assert.Equal(t, int32(4), b.m.Failures())
	b.now = 2 * second
	b.step(Input{Kind: Seen, Object: b.objectWithPing(2 * second)})
	b.sends(elector.Update)
	b.answer(step.InternalError)
	b.wakeAt(2*second + 80*milli)
	b.sends(elector.Update)
}

// A clock behind the controller's answers one ping again and again, until it has passed the ping.
func TestClockBehind(t *testing.T) {
	b := running(t)
	b.now = 10 * second
	ping := 10*second + 50*milli
	b.step(Input{Kind: Seen, Object: b.objectWithPing(ping)})
	writes := 0
	for len(b.out) > 0 {
		writes++
		require.Less(t, writes, 100)
		o := b.sends(elector.Update)
		b.now += 10 * milli
		b.answer(step.Success)
		b.step(Input{Kind: Seen, Object: o})
	}
	assert.Equal(t, 6, writes)
}

// The end of Run gives up the request and deletes nothing.
func TestStop(t *testing.T) {
	b := running(t)
	b.step(Input{Kind: Seen, Object: b.objectWithPing(second)})
	b.step(Input{Kind: Stop})
	assert.Equal(t, []Output{{Kind: Abort}}, b.out)
	assert.Equal(t, step.Never, b.m.NextWakeNs())
	b.answer(step.Success)
	assert.Empty(t, b.out)
	b.step(Input{Kind: Seen, Object: b.objectWithPing(2 * second)})
	assert.Empty(t, b.out)
}

// A clone goes its own way.
func TestClone(t *testing.T) {
	b := running(t)
	c := b.m.Clone()
	b.wakeAt(5 * minute)
	b.wakeAt(5*minute + 100*milli)
	b.answer(step.Success)
	assert.Equal(t, 5*minute, c.NextWakeNs())
}
