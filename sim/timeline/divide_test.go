package timeline

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Dividing a segment changes nothing that the cursor shows: in a run with checkpoints far apart, in a fork of it, and
// after the run has forgotten all short segments.
func TestDividedIsAsWhole(t *testing.T) {
	day := scenario.Scenario{APIVersion: scenario.APIVersion, Kind: scenario.Kind, Seed: 3, Duration: scenario.Duration(3 * time.Hour)}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		day.Candidates = append(day.Candidates, scenario.Candidate{Name: name})
	}
	opened := func(spacing int64) *Run {
		r := New(1, day, nil)
		r.spacing = spacing
		r.Compute(int64(day.Duration))
		return r
	}
	whole, divided := opened(500), opened(7000)
	live := Cursor{T: int64(day.Duration), N: -1}
	random := rand.New(rand.NewPCG(5, 6))
	same := func(looks int) {
		for range looks {
			at := random.Int64N(int64(day.Duration))
			c := Cursor{T: at, N: -1}
			x, y := whole.Here(c), divided.Here(c)
			require.Equal(t, x.World.Hash(), y.World.Hash(), "at %d", at)
			require.Equal(t, x.Recent(), y.Recent(), "at %d", at)
			n := whole.RowsUpTo(c)
			require.Equal(t, n, divided.RowsUpTo(c), "at %d", at)
			require.Equal(t, whole.Rows(n-20, n+20), divided.Rows(n-20, n+20), "at %d", at)
			ticks, ramps := marksOf(whole, at-20e9, at+20e9)
			sameTicks, sameRamps := marksOf(divided, at-20e9, at+20e9)
			require.True(t, slices.Equal(ticks, sameTicks) && slices.Equal(ramps, sameRamps), "at %d", at)
		}
	}
	same(40)
	assert.NotZero(t, divided.shorts)
	found := whole.Matches("reads", "b", live)
	assert.NotEmpty(t, found)
	assert.Equal(t, found, divided.Matches("reads", "b", live))
	divided.undivide()
	same(10)
	crash := scenario.ResolveAction(scenario.Action{At: scenario.Duration(2*time.Hour) + 1, Act: scenario.ActCrash, Target: "c"})
	was := []*Run{whole, divided}
	for _, r := range []**Run{&whole, &divided} {
		(*r).Here(Cursor{T: int64(2 * time.Hour), N: -1})
		*r = (*r).Fork(2, int64(2*time.Hour), compile.Action((*r).Setup(), day, &crash, 1<<20))
		(*r).Compute(int64(day.Duration))
	}
	same(30)
	whole, divided = was[0], was[1]
	same(20)
}

// marksOf returns the requests and countdowns of a stretch of a run. It omits lanes without a countdown, because a
// segment does not know since when that is so, and the repeated countdowns at the start of a segment.
func marksOf(r *Run, fromNs, toNs int64) (ofTicks []LaneTick, ofRamps []LaneRamp) {
	last := map[int32]RampPoint{}
	r.Marks(max(fromNs, 0), min(toNs, r.EndNs()), func(ticks []LaneTick, ramps []LaneRamp) bool {
		for _, m := range ticks {
			if m.Tick.End >= fromNs && m.Tick.T <= toNs {
				ofTicks = append(ofTicks, m)
			}
		}
		for _, m := range ramps {
			if before, known := last[m.Lane]; m.Point.T > fromNs && m.Point.T <= toNs && known && !m.Point.Same(&before) {
				ofRamps = append(ofRamps, m)
			}
			last[m.Lane] = m.Point
		}
		return true
	})
	return ofTicks, ofRamps
}
