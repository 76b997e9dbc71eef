package view_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/words"
)

func story(t *testing.T, l *lab.Lab, change int) string {
	t.Helper()
	y, err := view.ExplainChange(l.Look(), change)
	require.NoError(t, err)
	var lines []string
	for _, line := range y.Story {
		lines = append(lines, line.Text)
	}
	return strings.Join(lines, "\n") + "\n" + y.Surprise
}

// The comparison with the real library's 600 runs appears only for a crash of their kind, with the same settings.
func TestTheSurpriseIsOfItsKind(t *testing.T) {
	assert.Contains(t, story(t, openAt(t, "a-leader-dies", 60*time.Second), 1), "13.8 to 20.4 s")
	assert.NotContains(t, story(t, openAt(t, "api-outage-30s", 80*time.Second), 1), "13.8")

	l := openAt(t, "a-leader-dies", 40*time.Second)
	require.NoError(t, l.Edit("elector.leaseDuration", "30s", "restart", "b"))
	l.Show(int64(80 * time.Second))
	s := l.Look().Here()
	require.NoError(t, l.Act("crash", s.World.Node(s.Checks.Active()[0]).Name(), protocol.ActOptions{}))
	require.NoError(t, l.RunTo("leaderChange"))
	assert.NotContains(t, story(t, l, viewOf(l).Change.Index), "The lease is 15 s")
}

// The panel shows the holder's settings and safety margin.
func TestThePanelAgreesWithItself(t *testing.T) {
	l := openAt(t, "a-leader-dies", 40*time.Second)
	require.NoError(t, l.Edit("elector.leaseDuration", "30s", "restart", "b"))
	l.Show(int64(60 * time.Second))
	v := viewOf(l)
	require.Equal(t, "b", v.Lease.Holder)
	values := map[string]time.Duration{}
	for _, k := range v.Knobs {
		if d, err := time.ParseDuration(k.Value); err == nil {
			values[k.Path] = d
		}
	}
	assert.Equal(t, 30*time.Second, values["elector.leaseDuration"])
	margin := values["elector.leaseDuration"] - values["elector.renewDeadline"] - values["elector.retryPeriod"]
	assert.InDelta(t, float64(margin), float64(v.MarginNs), float64(4*time.Millisecond)) // minus an answer's way from the server
}

// The headline of two leaders has the sum of its length below it, as that of a gap: in tenths while it grows, as the
// length in its title, and to the millisecond when it is over.
func TestTheHeadlineOfTwoLeadersIsASum(t *testing.T) {
	for name, cause := range map[string]string{"paused-leader": "a was paused", "b06-slow-stop-hook": "its work went on"} {
		s, shipped := shipped.ByName(name)
		if !assert.True(t, shipped, name) {
			continue
		}
		r := run.WithClauses(s)
		r.To(r.EndNs(), nil)
		k := slices.IndexFunc(r.Checks.Violations, func(v check.Violation) bool { return v.Rule == rules.MoreThanOneActive })
		require.GreaterOrEqual(t, k, 0, name)
		v := &r.Checks.Violations[k]
		for _, at := range []int64{v.FromNs + 1, v.FromNs/2 + v.UntilNs/2, v.UntilNs - 1, v.UntilNs + 1e6} {
			h := viewOf(openAt(t, name, time.Duration(at))).Headline
			what := fmt.Sprintf("%s at %d: %s", name, at, h.Title)
			length, unit := min(at, v.UntilNs)-v.FromNs, int64(1e8)
			if at > v.UntilNs {
				unit = 1e6
				require.Equal(t, "overlap", h.Kind, what)
				require.Equal(t, fmt.Sprintf("Two led at once for %s.", words.Seconds(v.UntilNs-v.FromNs)), h.Title)
			} else {
				require.Equal(t, "two", h.Kind, what)
				require.Equal(t, v.FromNs, *h.SinceT, what)
			}
			assert.Equal(t, "How could that be?", h.Question, what)
			sum, shown := int64(0), int64(0)
			for _, a := range h.Addends {
				sum += a.Ns
				figure, err := strconv.ParseInt(strings.Replace(a.Shown, ".", "", 1), 10, 64)
				require.NoError(t, err, what)
				shown += figure
			}
			assert.Equal(t, length, sum, what)
			assert.Equal(t, (length+unit/2)/unit, shown, what)
			assert.Contains(t, h.Addends[0].Text, cause, what)
		}
	}
}

// The explanation of two leaders at once names the cause.
func TestTwoLeadersAreExplained(t *testing.T) {
	for name, cause := range map[string]string{
		"paused-leader": "a had been paused since 00:20.000",
		"clock-rate":    "0.600 of the true rate",
		"same-name":     "the same holderIdentity",
	} {
		l := openAt(t, name, 59*time.Second)
		v := viewOf(l)
		require.NotNil(t, v.Change, name)
		assert.Equal(t, "How could that be?", v.Headline.Question, name)
		assert.Contains(t, story(t, l, v.Change.Index), cause, name)
	}
}

// The story includes how the previous leader ended.
func TestTheStoryBeginsWithTheCause(t *testing.T) {
	cut := story(t, openAt(t, "partition-leader", 60*time.Second), 1)
	assert.Contains(t, cut, "a is cut off from the API server (both ways).")
	assert.Contains(t, cut, "renewDeadline had passed")
	assert.Contains(t, story(t, openAt(t, "graceful-stop", 50*time.Second), 1), "a was asked to stop at 00:20.000.")

	l := openAt(t, "graceful-stop-release", 15*time.Second)
	require.NoError(t, l.Act("cut", "a", protocol.ActOptions{Direction: "both"}))
	require.NoError(t, l.Act("stop", "a", protocol.ActOptions{}))
	require.NoError(t, l.RunTo("leaderChange"))
	assert.Contains(t, story(t, l, 1), "Its release never arrived")
}

// A leader that is paused leads by every figure, and the headline says that it does no work, since when; the holder's
// lane shows what the Lease says where two candidates go by one identity.
func TestAFrozenLeaderIsSaidToBe(t *testing.T) {
	v := viewOf(openAt(t, "paused-leader", 30*time.Second))
	assert.Equal(t, "a leads, but is paused and does no work: {elapsed} so far.", v.Headline.Title)
	require.NotNil(t, v.Headline.SinceT)
	assert.Equal(t, int64(20*time.Second), *v.Headline.SinceT)
	assert.Less(t, v.Totals.LeaderlessNs, int64(time.Second), "it is active all the same")
	assert.Equal(t, "a leads.", viewOf(openAt(t, "paused-leader", 19*time.Second)).Headline.Title)

	l := openAt(t, "same-name", 30*time.Second)
	spans := view.Timeline(l.Look(), 0, int64(30*time.Second), 0).Holder
	require.NotEmpty(t, spans)
	assert.Equal(t, viewOf(l).Lease.Holder, spans[len(spans)-1].Holder)
	assert.Equal(t, "worker-1", spans[len(spans)-1].Holder)
}

// The row of gaps tells a paused leader apart: alone it does no work, beside another one of the two does none.
func TestBandsOfAPausedLeader(t *testing.T) {
	l := openAt(t, "paused-leader", 70*time.Second)
	kinds := map[string]protocol.Band{}
	for _, b := range view.Timeline(l.Look(), 0, int64(70*time.Second), 0).Bands {
		kinds[b.Kind] = b
	}
	idle, two := kinds["idle"], kinds["two"]
	assert.Equal(t, int64(20*time.Second), idle.From)
	assert.Equal(t, two.From, idle.To, "then another one leads")
	assert.Equal(t, int64(50*time.Second)-two.From, two.PausedNs)
	assert.Greater(t, two.To-two.From, two.PausedNs)
	assert.False(t, idle.Open)

	spans := map[string]protocol.RoleSpan{}
	for _, s := range view.Timeline(l.Look(), 0, int64(70*time.Second), 0).Lanes[0].Spans {
		spans[s.Role] = s
	}
	assert.True(t, spans["paused"].Active, "a paused leader is active")
	assert.False(t, spans["leading"].Active, "said of a pause only")
	assert.Equal(t, "paused leader", viewOf(openAt(t, "paused-leader", 30*time.Second)).Nodes[0].RoleWord)
	follower := openAt(t, "a-leader-dies", 10*time.Second)
	require.NoError(t, follower.Act("pause", "c", protocol.ActOptions{}))
	follower.Show(int64(12 * time.Second))
	paused := view.Timeline(follower.Look(), 0, int64(12*time.Second), 0).Lanes[2].Spans
	assert.Equal(t, "paused", paused[len(paused)-1].Role)
	assert.False(t, paused[len(paused)-1].Active)
	assert.Equal(t, "paused", viewOf(follower).Nodes[2].RoleWord)

	open := view.Timeline(openAt(t, "paused-leader", 30*time.Second).Look(), 0, int64(30*time.Second), 0).Bands
	assert.Equal(t, "idle", open[len(open)-1].Kind)
	assert.True(t, open[len(open)-1].Open)
}
