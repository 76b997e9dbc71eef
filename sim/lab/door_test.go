package lab

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Buttons and forms ask for acts through one function, so they get the same refusals.
func TestAButtonAndAFormAreRefusedAlike(t *testing.T) {
	for _, one := range []struct{ act, node, want string }{
		{"crash", "zed", `The run has no node named "zed" now.`},
		{"resume", "a", "a is not paused."},
		{"restart", "holder", "a is running. Crash or stop it first."},
		{"crash", "holder", ""},
		{"crash", "a", ""},
		{"cut", "*", ""},
	} {
		button, form := openShipped(t, "a-leader-dies"), openShipped(t, "a-leader-dies")
		for _, l := range []*Lab{button, form} {
			l.Show(8e9)
		}
		byButton := button.Act(one.act, one.node, protocol.ActOptions{})
		byForm := form.Inject(scenario.Action{Act: one.act, Target: one.node}, true)
		if one.want != "" {
			assert.EqualError(t, byButton, one.want)
			assert.EqualError(t, byForm, one.want)
			continue
		}
		require.NoError(t, byButton, "%s %s", one.act, one.node)
		require.NoError(t, byForm, "%s %s", one.act, one.node)
		assert.Equal(t, button.View().Hash, form.View().Hash, "%s %s", one.act, one.node)
		assert.Equal(t, button.View().Undo, form.View().Undo, "%s %s", one.act, one.node)
	}
	l := openShipped(t, "a-leader-dies")
	l.Show(0)
	assert.EqualError(t, l.Act("crash", "holder", protocol.ActOptions{}), "Nobody holds the Lease now.")
}
