package trace

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
)

// Event is a named set of records: all records of a kind, or only the ones that match a condition.
type Event struct {
	Name    string
	kind    Kind
	matches func(*Record) bool // nil for all records of the kind
}

// Is reports whether a record belongs to the event.
func (e *Event) Is(r *Record) bool { return r.Kind == e.kind && (e.matches == nil || e.matches(r)) }

// events is the table behind the names in the schema, assertions and filters: an event for every kind, with the
// kind's name, and the events with a condition. The schema has the same order.
var events = append(eventsOfKinds(), []Event{
	{"requestFailed", RequestEnded,
		func(r *Record) bool { return r.Result != step.Success && r.Result != step.NotFound }},
	{"requestTimedOut", RequestEnded,
		func(r *Record) bool { return r.Result == step.ClientTimeout || r.Result == step.ContextDeadline }},
	{"conflict", RequestEnded,
		func(r *Record) bool { return r.Result == step.Conflict || r.Result == step.AlreadyExists }},
	{"renewed", RequestEnded, func(r *Record) bool {
		return r.Verb == elector.Update && r.Result == step.Success && r.Spec.HolderIdentity != 0
	}},
	{"released", RequestServed, func(r *Record) bool {
		return r.Verb == elector.Update && r.Outcome == storage.Updated && r.Spec.HolderIdentity == 0
	}},
}...)

func eventsOfKinds() (all []Event) {
	for k := range NoKind {
		all = append(all, Event{Name: k.String(), kind: k})
	}
	return all
}

// unnamed are the kinds that no assertion may name.
var unnamed = []Kind{JitterDrawn, MetricLeaderOn, MetricLeaderOff, MetricSlowPath, EventBecameLeader,
	EventStoppedLeading, Probed, Asked}

// EventNames lists, in the order of the schema, the events that an assertion may name.
func EventNames() []string {
	return namesOf(func(e *Event) bool { return !slices.Contains(unnamed, e.kind) })
}

// EventNamed returns the event that an assertion names, and whether it exists.
func EventNamed(name string) (*Event, bool) {
	i := slices.IndexFunc(events, func(e Event) bool { return e.Name == name && !slices.Contains(unnamed, e.kind) })
	if i < 0 {
		return nil, false
	}
	return &events[i], true
}

// Names lists the events to which a record belongs: its kind first, then every event whose condition it meets.
func Names(r *Record) []string {
	return namesOf(func(e *Event) bool { return e.Is(r) })
}

func namesOf(fits func(*Event) bool) (names []string) {
	for i := range events {
		if fits(&events[i]) {
			names = append(names, events[i].Name)
		}
	}
	return names
}
