package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/view"
)

// openAt returns a session with a shipped scenario, shown up to an instant.
func openAt(t *testing.T, name string, at time.Duration) *lab.Lab {
	t.Helper()
	l := lab.New(shipped.List())
	require.NoError(t, l.Open(lab.Opening{Name: name}))
	l.Show(int64(at))
	return l
}

// viewOf returns what the page draws.
func viewOf(l *lab.Lab) *protocol.View { return view.Of(l.Look(), l.Session()) }
