package elector

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/core/step"
)

// Every field of a machine is in its digest, except fields that the phase does not use and what it last reported. A
// new field fails here until Digest adds it.
func TestDigestKnowsEveryField(t *testing.T) {
	symbols := coordination.NewSymbols()
	self, other := symbols.Intern("self"), symbols.Intern("other")
	record := coordination.Record{HolderIdentity: self, LeaseDurationSeconds: 15, AcquireTime: 1, RenewTime: 2,
		Present: ownFields}
	at := step.Reading{Now: 5e9, Mono: 5e9, Wall: 5e9}
	name := func(m *Machine) digest.Name {
		var d digest.Digest
		m.Digest(&d, &View{At: at, From: &coordination.Origin{WallNs: at.Wall, Symbols: symbols},
			Stored: Version{7, 1}})
		return d.Name()
	}
	read := record
	read.LeaseTransitions = 3
	base := Machine{
		drafted: true, rawApart: true,
		config: Config{Identity: self, Dialect: NoFastPath}, retryPeriodNs: 2e9, renewDeadlineNs: 10e9,
		observed: record, observedRaw: read, observedMonoNs: 4e9, hasRaw: true,
		lockVersion: 7, lockUID: 1, phase: renewing, call: get, record: record,
	}
	before := name(&base)
	for field, change := range map[string]func(m *Machine){
		"retryPeriodNs":   func(m *Machine) { m.retryPeriodNs++ },
		"renewDeadlineNs": func(m *Machine) { m.renewDeadlineNs++ },
		"observed":        func(m *Machine) { m.observed.HolderIdentity = other },
		"observedRaw":     func(m *Machine) { m.observedRaw.LeaseTransitions++ },
		"observedMonoNs":  func(m *Machine) { m.observedMonoNs++ },
		"rawApart":        func(m *Machine) { m.rawApart = false },
		"hasRaw":          func(m *Machine) { m.hasRaw = false },
		"lockVersion":     func(m *Machine) { m.lockVersion++ },
		"lockUID":         func(m *Machine) { m.lockUID++ },
		"phase":           func(m *Machine) { m.phase = releasing },
		"call":            func(m *Machine) { m.call = update },
		"cancelled":       func(m *Machine) { m.cancelled = true },
		"leading":         func(m *Machine) { m.leading = true },
		"ctxResult":       func(m *Machine) { m.ctxResult = step.ContextCanceled },
		"record":          func(m *Machine) { m.record.RenewTime++ },
		"drafted":         func(m *Machine) { m.drafted = false },
		"attemptMono":     func(m *Machine) { m.attemptMono++ },
		"pollStartNs":     func(m *Machine) { m.pollStartNs++ },
		"lastTickNs":      func(m *Machine) { m.lastTickNs++ },
		"deadlineNs":      func(m *Machine) { m.deadlineNs++ },
		"attemptWall":     func(m *Machine) { m.attemptWall++ },
		"observedWallNs":  func(m *Machine) { m.observedWallNs++ },
		"issuedNs":        func(m *Machine) { m.issuedNs++ },
		"goodSentNs":      func(m *Machine) { m.goodSentNs++ },
		"draining":        func(m *Machine) { m.draining = true },
	} {
		changed := base
		change(&changed)
		assert.NotEqual(t, before, name(&changed), field)
	}
	drawn := base
	drawn.phase = drawing
	before = name(&drawn)
	drawn.won = true
	assert.NotEqual(t, before, name(&drawn), "won")
	waits := base
	waits.phase = acquireWait
	before = name(&waits)
	waits.waitUntilNs++
	assert.NotEqual(t, before, name(&waits), "waitUntilNs")
	reads := base
	reads.drafted = false
	before = name(&reads)
	reads.attemptTime++
	assert.NotEqual(t, before, name(&reads), "attemptTime")
	// won, waitUntilNs and attemptTime, above; config, which its node has; reported, which only OnNewLeader asks
	const apart = 5
	assert.Equal(t, 25+apart, reflect.TypeFor[Machine]().NumField(), "a field that this test does not know")
}

// Machines that are the same but for their instants, resourceVersions and transitions have the same digest.
func TestDigestCountsFromNow(t *testing.T) {
	symbols := coordination.NewSymbols()
	self := symbols.Intern("self")
	name := func(shiftNs int64, version int64, transitions int32) digest.Name {
		r := coordination.Record{HolderIdentity: self, LeaseDurationSeconds: 15,
			AcquireTime: coordination.MicroTimeOf(shiftNs), RenewTime: coordination.MicroTimeOf(4e9 + shiftNs),
			LeaseTransitions: transitions, Present: ownFields}
		m := Machine{config: Config{Identity: self}, observed: r, hasRaw: true, observedMonoNs: 4e9 + shiftNs,
			lockVersion: version, lockUID: 1, phase: renewWait, waitUntilNs: 6e9 + shiftNs}
		var d digest.Digest
		at := step.Reading{Now: 5e9 + shiftNs, Mono: 5e9 + shiftNs, Wall: 5e9 + shiftNs}
		from := coordination.Origin{WallNs: at.Wall, Transitions: transitions, Symbols: symbols}
		m.Digest(&d, &View{At: at, From: &from, Stored: Version{version, 1}})
		return d.Name()
	}
	assert.Equal(t, name(0, 7, 1), name(8e9, 70, 9))
}

// Another draw gives another wait, to an elector that waits by one.
func TestRedraw(t *testing.T) {
	m := Machine{retryPeriodNs: 2e9, phase: acquireWait, waitUntilNs: 1}
	assert.True(t, m.Redraw(10e9, 0.5))
	assert.Equal(t, int64(13.2e9), m.waitUntilNs)
	m.phase = renewWait
	assert.False(t, m.Redraw(10e9, 0))
	assert.Equal(t, int64(13.2e9), m.waitUntilNs)
}
