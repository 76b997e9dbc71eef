package trace

import (
	"testing"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/stretchr/testify/assert"
)

func TestEveryKindStandsInTheTableOnce(t *testing.T) {
	named, seen := map[Kind]int{}, map[string]bool{}
	for i := range events {
		e := &events[i]
		assert.False(t, seen[e.Name], "%s stands twice", e.Name)
		seen[e.Name] = true
		if e.matches == nil {
			named[e.Kind]++
			assert.Equal(t, e.Name, e.Kind.String())
		}
	}
	for k := Kind(0); k < NoKind; k++ {
		assert.Equal(t, 1, named[k], "entries without a condition for kind %d, %q", k, k)
	}
	assert.Equal(t, "noKind", NoKind.String())
}

func TestOnlyListedEventsAreNamed(t *testing.T) {
	for _, name := range EventNames() {
		e, known := EventNamed(name)
		assert.True(t, known, name)
		assert.Equal(t, name, e.Name)
	}
	for _, name := range []string{"jitterDrawn", "noKind", "", "Started"} {
		_, known := EventNamed(name)
		assert.False(t, known, name)
	}
}

// The events with a condition, each with a record that is one and one that differs in what the condition asks for.
func TestConditions(t *testing.T) {
	held := coordination.Record{HolderIdentity: 1}
	for name, pair := range map[string][2]Record{
		"requestFailed": {{Kind: RequestEnded, Result: step.Conflict}, {Kind: RequestEnded, Result: step.NotFound}},
		"requestTimedOut": {{Kind: RequestEnded, Result: step.ContextDeadline},
			{Kind: RequestEnded, Result: step.ContextCanceled}},
		"conflict": {{Kind: RequestEnded, Result: step.AlreadyExists},
			{Kind: RequestServed, Result: step.AlreadyExists}},
		"renewed": {{Kind: RequestEnded, Verb: elector.Update, Result: step.Success, Spec: held},
			{Kind: RequestEnded, Verb: elector.Update, Result: step.Success}},
		"released": {{Kind: RequestServed, Verb: elector.Update, Outcome: storage.Updated},
			{Kind: RequestServed, Verb: elector.Update, Outcome: storage.Updated, Spec: held}},
	} {
		e, known := EventNamed(name)
		if assert.True(t, known, name) {
			assert.True(t, e.Is(&pair[0]), name)
			assert.False(t, e.Is(&pair[1]), name)
		}
	}
	for i := range events {
		if e := &events[i]; e.matches == nil {
			assert.True(t, e.Is(&Record{Kind: e.Kind}), e.Name)
			assert.False(t, e.Is(&Record{Kind: (e.Kind + 1) % NoKind}), e.Name)
		}
	}
}
