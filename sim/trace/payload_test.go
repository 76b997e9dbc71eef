package trace

import (
	"testing"

	"github.com/leaselab/leaselab/sim/network"

	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/stretchr/testify/assert"
)

// Reading a payload returns what was packed.
func TestPayloads(t *testing.T) {
	read := func(p Payload) *Payload { return &p }
	for _, c := range []struct{ packed, want any }{
		{read(Exchange{1, -1, network.After(5)}.Payload()).Exchange(), Exchange{1, -1, network.After(5)}},
		{read(Retry{2, 3, true}.Payload()).Retry(), Retry{2, 3, true}},
		{read(Jitter{0.25, 7}.Payload()).Jitter(), Jitter{0.25, 7}},
		{read(Limited{3}.Payload()).Limited(), Limited{3}},
		{read(Requests{4, 5}.Payload()).Requests(), Requests{4, 5}},
		{read(Process{36, 37}.Payload()).Process(), Process{36, 37}},
		{read(Term{36, -2}.Payload()).Term(), Term{36, -2}},
		{read(Work{UntilProcessEnds}.Payload()).Work(), Work{UntilProcessEnds}},
		{read(Return{true}.Payload()).Return(), Return{true}},
		{read(Pause{9, NodeSuspended}.Payload()).Pause(), Pause{9, NodeSuspended}},
		{read(Crash{true, false}.Payload()).Crash(), Crash{true, false}},
		{read(Crash{false, true}.Payload()).Crash(), Crash{false, true}},
		{read(FaultSpan{9, network.After(0), 1 << 63}.Payload()).FaultSpan(), FaultSpan{9, network.After(0), 1 << 63}},
		{read(Cut{9, network.Down, true, network.HoldForAll, 3 << 62}.Payload()).Cut(),
			Cut{9, network.Down, true, network.HoldForAll, 3 << 62}},
		{read(Cut{0, network.Up, false, network.Drop, 0}.Payload()).Cut(), Cut{0, network.Up, false, network.Drop, 0}},
		{read(Interception{9, network.LoseAnswer, network.HeldDown, network.ResourceWriter}.Payload()).Interception(),
			Interception{9, network.LoseAnswer, network.HeldDown, network.ResourceWriter}},
		{read(Over{true}.Payload()).Over(), Over{true}},
		{read(Clock{-5, 999_000}.Payload()).Clock(), Clock{-5, 999_000}},
		{read(Write{Touch, 201}.Payload()).Write(), Write{Touch, 201}},
		{read(Candidacy{5, 6, 7}.Payload()).Candidacy(), Candidacy{5, 6, 7}},
		{read(Assignment{7}.Payload()).Assignment(), Assignment{7}},
		{read(Decision{3, coordinator.LeaseUpdated, 8}.Payload()).Decision(), Decision{3, coordinator.LeaseUpdated, 8}},
		{read(Capacity{1, 2}.Payload()).Capacity(), Capacity{1, 2}},
		{read(Restore{4}.Payload()).Restore(), Restore{4}},
		{read(Connection{NoCandidate, 4}.Payload()).Connection(), Connection{NoCandidate, 4}},
		{read(Readiness{2, 3, true}.Payload()).Readiness(), Readiness{2, 3, true}},
		{read(Tokens{2, 3}.Payload()).Tokens(), Tokens{2, 3}},
		{read(Health{true, false}.Payload()).Health(), Health{true, false}},
		{read(Skip{5, 6}.Payload()).Skip(), Skip{5, 6}},
	} {
		assert.Equal(t, c.want, c.packed)
	}
	assert.True(t, Candidacy{PingTime: 5, RenewTime: 5}.Acked())
	assert.False(t, Candidacy{PingTime: 5, RenewTime: 4}.Acked())
	assert.False(t, Candidacy{RenewTime: 4}.Acked(), "never pinged")
}
