package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// B53: the monitor considers living nodes dead, and later ready again. The headline, the lanes and the beliefs say so.
func TestNodesTakenForDead(t *testing.T) {
	l := openAt(t, "b53-forty-five-over-forty", 50*time.Second)
	v := viewOf(l)
	assert.Equal(t, "a leads.", v.Headline.Title)
	monitor, node := v.Nodes[1], v.Nodes[2]
	assert.Equal(t, []string{"monitor", "considers 20 of 20 nodes ready"}, []string{monitor.RoleWord, monitor.Believes})
	assert.Equal(t, "ready", node.RoleWord)
	assert.Regexp(t, `^ready since 00:0\d\.\d{3}$`, node.Believes)

	l.Show(int64(98 * time.Second))
	v = viewOf(l)
	assert.Regexp(t, `^The monitor considers \d+ of 20 nodes dead\. All of them are alive\.$`, v.Headline.Title)
	assert.Empty(t, v.Headline.Question, "it is not about the leader")
	assert.Contains(t, v.Headline.Title, v.Nodes[1].Believes)
	assert.Equal(t, "not ready", v.Nodes[2].RoleWord)
	assert.Regexp(t, `^considered dead since 01:\d\d\.\d{3}$`, v.Nodes[2].Believes)
	open := view.Timeline(l.Look(), 0, 120e9, 800).Lanes[2].Ready
	require.Len(t, open, 2, "nothing after the live instant")
	assert.Equal(t, int64(98e9), open[1].To)

	l.Show(int64(4 * time.Minute))
	assert.Equal(t, "20 of 20 nodes were alive while a monitor considered them dead.", viewOf(l).Headline.Title)
	lanes := view.Timeline(l.Look(), 0, 240e9, 800).Lanes
	assert.Empty(t, lanes[0].Ready, "a candidate sends no heartbeats")
	assert.Empty(t, lanes[1].Ready)
	var words []string
	for _, s := range lanes[2].Ready {
		words = append(words, s.Role)
	}
	assert.Equal(t, []string{"ready", "notReady", "ready"}, words)
	assert.Equal(t, lanes[2].Ready[0].To, lanes[2].Ready[1].From)

	l.Seek(timeline.Cursor{T: 98e9, N: -1})
	assert.Equal(t, v.Headline.Title, viewOf(l).Headline.Title, "the same after moving back")
}

// B54: a monitor without a connection is wrong about all nodes. When two monitors disagree, the lane says so.
func TestMonitorsDisagree(t *testing.T) {
	l := openAt(t, "b54-blind-watcher", 10*time.Second)
	l.Show(l.Look().Run.EndNs())
	seen := map[string]bool{}
	for _, lane := range view.Timeline(l.Look(), 0, l.Look().Run.EndNs(), 800).Lanes {
		for _, s := range lane.Ready {
			seen[s.Role] = true
		}
	}
	assert.True(t, seen["ready"] && (seen["notReady"] || seen["disputed"]), seen)
}
