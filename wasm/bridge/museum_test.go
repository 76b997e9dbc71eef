package bridge

import (
	"encoding/json"
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// The exhibits are not in the menu, open by name, and the page judges their assertions without changing the open run.
func TestExhibits(t *testing.T) {
	b := New(clock.NewMock(), nil)
	var hello Greeting
	answer := ask(t, b, "hello", map[string]any{"scenarios": json.RawMessage(shipped.JSON())})
	require.True(t, answer.OK)
	reread(t, answer.Result, &hello)
	for _, s := range hello.Hello.Scenarios {
		assert.NotEqual(t, "b02-three-second-margin", s.Name)
	}
	require.True(t, ask(t, b, "open", map[string]any{"scenario": "b02-three-second-margin"}).OK)
	before := b.view().Hash

	var expected Expected
	for name, met := range map[string]bool{"b02-three-second-margin": true, "b02-three-second-margin-fixed": true,
		"a-leader-dies": true} {
		answer := ask(t, b, "expect", map[string]any{"scenario": name})
		require.True(t, answer.OK, name)
		reread(t, answer.Result, &expected)
		require.NotEmpty(t, expected.Outcomes, name)
		for _, o := range expected.Outcomes {
			assert.Equal(t, met, o.Met, "%s: %s, %s", name, o.Clause, o.Measured)
		}
	}
	assert.Equal(t, before, b.view().Hash)

	sides := map[string]any{"a": map[string]any{"scenario": "b02-three-second-margin"},
		"b": map[string]any{"scenario": "b36-half-open-connection"}}
	assert.True(t, ask(t, b, "compare", sides).OK)

	refused := ask(t, b, "expect", map[string]any{"scenario": "b00-nothing"})
	require.False(t, refused.OK)
	assert.Equal(t, `no shipped scenario has the name "b00-nothing"`, refused.Error.Message)
	day, _ := shipped.ByName("many")
	long := day
	long.Duration *= 400
	refused = ask(t, b, "expect", map[string]any{"scenario": long})
	require.False(t, refused.OK)
	assert.Contains(t, refused.Error.Message, "too long for the page to check")
}

// An invalid scenario on the shelf fails with its error on opening; the others still open.
func TestBrokenExhibit(t *testing.T) {
	b := New(clock.NewMock(), nil)
	var all []json.RawMessage
	require.NoError(t, json.Unmarshal(shipped.JSON(), &all))
	all = append(all,
		json.RawMessage(
			`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","name":"bad","summary":"x","nonsense":1}`))
	require.True(t, ask(t, b, "hello", map[string]any{"scenarios": all}).OK)
	require.True(t, ask(t, b, "open", map[string]any{"scenario": "crash"}).OK)
	side := map[string]any{"scenario": "bad"}
	for op, params := range map[string]any{"open": side, "expect": side,
		"compare": map[string]any{"a": side, "b": map[string]any{"scenario": "crash"}}} {
		refused := ask(t, b, op, params)
		require.False(t, refused.OK, op)
		assert.Equal(t, "nonsense", refused.Error.Path, "%s: %s", op, refused.Error.Message)
	}
	assert.Equal(t, "crash", b.view().Scenario)
}

// The runtime's needs stay in the page's module: recover stops a panic only when the deferred function itself calls it,
// not a function that was inlined into it. With run.mjs --whole the test fails if a pass removes the records of
// inlining.
func TestRecoverInTheDeferredCallOnly(t *testing.T) {
	assert.Equal(t, "outer", whoRecovers())
}

//go:noinline
func whoRecovers() (who string) {
	defer func() {
		if recover() != nil {
			who = "outer"
		}
	}()
	panics(&who)
	return who
}

//go:noinline
func panics(who *string) {
	defer inline(who)
	panic("boom")
}

func inline(who *string) { recovers(who) }

//go:noinline
func recovers(who *string) {
	if recover() != nil {
		*who = "inner"
	}
}

func reread(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, to))
}
