package elector

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
)

const (
	me      = coordination.Symbol(1)
	other   = coordination.Symbol(2)
	unknown = coordination.Symbol(3)
)

func heldBy(holder coordination.Symbol) coordination.Record {
	return coordination.Record{HolderIdentity: holder, LeaseDurationSeconds: 15, RenewTime: 7_400_000, Present: ownFields}
}

// Each call makes the requests of the source, in its order, and ends as the source ends it. The test scripts the
// answers, and fails if the lock asks for more or fewer.
func TestMultiLockCalls(t *testing.T) {
	const cm, lease = 10, 20 // resourceVersions
	ok := func(holder coordination.Symbol, version int64) Input {
		return Input{Kind: Answer, Record: heldBy(holder), ResourceVersion: version, UID: uint64(version)}
	}
	fails := func(r step.Result) Input { return Input{Kind: Answer, Result: r} }
	for _, c := range []struct {
		name    string
		call    Verb
		answers []Input
		asked   string
		result  step.Result
		holder  coordination.Symbol // of a Get that succeeds
	}{
		{"both name one", Get, []Input{ok(other, cm), ok(other, lease)}, "get ConfigMap, get Lease", step.Success, other},
		{"the primary is not there", Get, []Input{fails(step.NotFound)}, "get ConfigMap", step.NotFound, 0},
		{"the primary fails", Get, []Input{fails(step.InternalError)}, "get ConfigMap", step.InternalError, 0},
		{"an old client holds the primary alone", Get, []Input{ok(other, cm), fails(step.NotFound)}, "get ConfigMap, get Lease", step.Success, other},
		{"its own primary alone is nothing", Get, []Input{ok(me, cm), fails(step.NotFound)}, "get ConfigMap, get Lease", step.NotFound, 0},
		{"the secondary fails", Get, []Input{ok(other, cm), fails(step.ClientTimeout)}, "get ConfigMap, get Lease", step.ClientTimeout, 0},
		{"two names are nobody's", Get, []Input{ok(me, cm), ok(other, lease)}, "get ConfigMap, get Lease", step.Success, unknown},

		{"both created", Create, []Input{ok(me, cm), ok(me, lease)}, "create ConfigMap, create Lease", step.Success, 0},
		{"a primary that is there does not matter", Create, []Input{fails(step.AlreadyExists), ok(me, lease)}, "create ConfigMap, create Lease", step.Success, 0},
		{"the primary cannot be created", Create, []Input{fails(step.Unavailable)}, "create ConfigMap", step.Unavailable, 0},
		{"the secondary is there", Create, []Input{ok(me, cm), fails(step.AlreadyExists)}, "create ConfigMap, create Lease", step.AlreadyExists, 0},

		{"both updated", Update, []Input{ok(me, cm+1), ok(other, lease+1), ok(me, lease+2)}, "update ConfigMap 10, get Lease, update Lease 21", step.Success, 0},
		{"the primary has changed", Update, []Input{fails(step.Conflict)}, "update ConfigMap 10", step.Conflict, 0},
		{"the secondary is made", Update, []Input{ok(me, cm+1), fails(step.NotFound), ok(me, lease)}, "update ConfigMap 10, get Lease, create Lease", step.Success, 0},
		{"the secondary cannot be read", Update, []Input{ok(me, cm+1), fails(step.InternalError), ok(me, lease+1)}, "update ConfigMap 10, get Lease, update Lease 20", step.Success, 0},
		{"the secondary has changed", Update, []Input{ok(me, cm+1), ok(me, lease+1), fails(step.Conflict)}, "update ConfigMap 10, get Lease, update Lease 21", step.Conflict, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := MultiLock{Identity: me, Unknown: unknown}
			if c.call == Update { // the elector has read before
				l.Begin(Get, &coordination.Record{}, false)
				for _, version := range []int64{cm, lease} {
					in := ok(me, version)
					l.Answer(&in)
				}
			}
			var asked []string
			record := heldBy(me)
			l.Begin(c.call, &record, false)
			var answer Input
			over := false
			for k := 0; !over; k++ {
				if !assert.Less(t, k, len(c.answers), "asked more than the source does: %v", asked) {
					return
				}
				next := *l.Part()
				asked = append(asked, strings.TrimSuffix(fmt.Sprint(next.Verb, " ", [...]string{"Lease", "ConfigMap"}[next.Object], " ", next.ResourceVersion), " 0"))
				if next.Verb != Get {
					assert.Equal(t, next.Object.AsStored(heldBy(me)), next.Record)
				}
				assert.Equal(t, next.ResourceVersion, int64(next.UID), "a version goes with its uid")
				answer = c.answers[k]
				over = l.Answer(&answer)
			}
			assert.Equal(t, c.asked, strings.Join(asked, ", "))
			assert.Equal(t, c.result, answer.Result)
			if c.call == Get && c.result == step.Success {
				assert.Equal(t, c.holder, answer.Record.HolderIdentity)
				assert.EqualValues(t, cm, answer.ResourceVersion)
			}
		})
	}
}

// A failed create leaves an object without a version. Its update goes out without one, which conflicts with any
// stored object.
func TestUpdateAfterAFailedCreate(t *testing.T) {
	l := MultiLock{Identity: me, Unknown: unknown}
	record := heldBy(me)
	l.Begin(Create, &record, false)
	require.False(t, l.Answer(&Input{Kind: Answer, ResourceVersion: 10, UID: 10}), "the Lease must be created, too")
	require.True(t, l.Answer(&Input{Kind: Answer, Result: step.InternalError}))

	l.Begin(Update, &record, false)
	require.False(t, l.Answer(&Input{Kind: Answer, ResourceVersion: 11, UID: 10}))
	require.False(t, l.Answer(&Input{Kind: Answer, Result: step.InternalError}), "the Lease cannot be read")
	sent := *l.Part()
	assert.Equal(t, Update, sent.Verb)
	assert.Equal(t, Lease, sent.Object)
	assert.Zero(t, sent.ResourceVersion)
	assert.Zero(t, sent.UID)
	conflict := Input{Kind: Answer, Result: step.Conflict}
	assert.True(t, l.Answer(&conflict))
	assert.Equal(t, step.Conflict, conflict.Result)
}

// The elector sees a change when either object changes, whichever it is, and none when neither does.
func TestMultiLockChangeOfEitherCounts(t *testing.T) {
	m := New(Config{Identity: me, LeaseDuration: 15e9, RenewDeadline: 10e9, RetryPeriod: 2e9}, 2e9, 10e9)
	at := step.Reading{}
	m.Step(at, &Input{Kind: Start}, nil)
	l := MultiLock{Identity: me, Unknown: unknown}
	read := func(monoNs int64, primary, secondary coordination.Record) int64 {
		l.Begin(Get, &coordination.Record{}, false)
		assert.False(t, l.Answer(&Input{Kind: Answer, Record: primary}))
		in := Input{Kind: Answer, Record: secondary}
		assert.True(t, l.Answer(&in))
		at.Now, at.Mono = monoNs, monoNs
		m.Step(at, &in, nil)
		m.Step(at, &Input{Kind: Draw}, nil)
		at.Now = m.NextWakeNs()
		m.Step(at, &Input{Kind: Wake, DueNs: at.Now}, nil)
		_, seenNs, _ := m.ObservedRecord()
		return seenNs
	}
	renewed := heldBy(other)
	renewed.RenewTime += 1_000_000
	assert.EqualValues(t, 1e9, read(1e9, heldBy(other), heldBy(other)))
	assert.EqualValues(t, 1e9, read(3e9, heldBy(other), heldBy(other)), "nothing has changed")
	assert.EqualValues(t, 5e9, read(5e9, heldBy(other), renewed), "the Lease has")
	assert.EqualValues(t, 7e9, read(7e9, renewed, renewed), "the ConfigMap has")
	assert.EqualValues(t, 9e9, read(9e9, renewed, heldBy(me)), "and the names differ now")
	record, _, _ := m.ObservedRecord()
	assert.Equal(t, unknown, record.HolderIdentity)
	assert.False(t, m.IsLeader(), "although the Lease names it")
}

// An annotation keeps whole seconds, a Lease microseconds.
func TestKept(t *testing.T) {
	r := heldBy(me)
	r.AcquireTime = -1
	assert.Equal(t, r, Lease.AsStored(r))
	kept := ConfigMap.AsStored(r)
	assert.EqualValues(t, 7_000_000, kept.RenewTime)
	assert.EqualValues(t, -1_000_000, kept.AcquireTime, "rounded down, as a format does")
}

// A release reads and does not observe: what it has seen is still new to the elector that runs again.
func TestWhatAReleaseReadsIsNotSeen(t *testing.T) {
	l := MultiLock{Identity: me, Unknown: unknown}
	changed := func(releasing bool, secondary coordination.Record) bool {
		l.Begin(Get, &coordination.Record{}, releasing)
		l.Answer(&Input{Kind: Answer, Record: heldBy(other)})
		in := Input{Kind: Answer, Record: secondary}
		assert.True(t, l.Answer(&in))
		return in.Changed
	}
	assert.True(t, changed(false, heldBy(other)))
	assert.False(t, changed(false, heldBy(other)))
	assert.False(t, changed(true, heldBy(me)))
	assert.True(t, changed(false, heldBy(me)))
}
