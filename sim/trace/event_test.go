package trace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The file of names has a line for each constant of kind.go, in the same order.
func TestEveryKindHasTheNameOfItsConstant(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, 0)
	require.NoError(t, err)
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if group, is := n.(*ast.GenDecl); is && group.Tok == token.CONST {
			for _, spec := range group.Specs {
				name := spec.(*ast.ValueSpec).Names[0].Name
				names = append(names, strings.ToLower(name[:1])+name[1:])
			}
		}
		return true
	})
	assert.Equal(t, names, kindNames)
	assert.Equal(t, "noKind", NoKind.String())
	assert.Equal(t, "noKind", (NoKind + 1).String())
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
			assert.True(t, e.Is(&Record{Kind: e.kind}), e.Name)
			assert.False(t, e.Is(&Record{Kind: (e.kind + 1) % NoKind}), e.Name)
		}
	}
}
