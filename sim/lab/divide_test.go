package lab

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Dividing the way to where somebody looks changes nothing of what is seen there, in a run with checkpoints far apart, in
// a fork of it, and after all the short segments are forgotten.
func TestDividedIsAsWhole(t *testing.T) {
	day := scenario.Scenario{APIVersion: scenario.APIVersion, Kind: scenario.Kind, Seed: 3, Duration: scenario.Duration(3 * time.Hour)}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		day.Candidates = append(day.Candidates, scenario.Candidate{Name: name})
	}
	opened := func(spacing int64) *Lab {
		l := New(nil)
		require.NoError(t, l.Open(Opening{Whole: &day}))
		l.run().spacing = spacing
		require.NoError(t, l.RunTo("end"))
		return l
	}
	whole, divided := opened(500), opened(7000)
	random := rand.New(rand.NewPCG(5, 6))
	same := func(looks int) {
		for range looks {
			at := random.Int64N(int64(day.Duration))
			for _, l := range []*Lab{whole, divided} {
				l.Seek(Cursor{T: at, N: -1})
			}
			a, b := whole.View(), divided.View()
			a.Run, b.Run = 0, 0
			require.Equal(t, a, b, "at %d", at)
			x, y := whole.Timeline(at-20e9, at+20e9, 800), divided.Timeline(at-20e9, at+20e9, 800)
			x.Run, y.Run = 0, 0
			withoutNone(x)
			withoutNone(y)
			require.Equal(t, x, y, "at %d", at)
			e, f := whole.Events(Cursor{T: at, N: -1}, -1, 40, "", ""), divided.Events(Cursor{T: at, N: -1}, -1, 40, "", "")
			e.Run, f.Run = 0, 0
			require.Equal(t, e, f, "at %d", at)
		}
	}
	same(40)
	assert.NotZero(t, divided.run().shorts)
	for _, l := range []*Lab{whole, divided} {
		m := l.Events(Cursor{T: int64(time.Hour), N: -1}, -1, 5, "reads", "b")
		m.Run = 0
		assert.NotZero(t, m.Total)
		if l == divided {
			first := whole.Events(Cursor{T: int64(time.Hour), N: -1}, -1, 5, "reads", "b")
			first.Run = 0
			assert.Equal(t, first, m)
		}
	}
	divided.run().undivide()
	same(10)
	at := int64(2 * time.Hour)
	for _, l := range []*Lab{whole, divided} {
		l.Seek(Cursor{T: at, N: -1})
		require.NoError(t, l.Act(scenario.ActCrash, "c", ActOptions{}))
		require.NoError(t, l.RunTo("end"))
	}
	same(30)
	for _, l := range []*Lab{whole, divided} {
		require.NoError(t, l.Switch(0))
	}
	same(20)
}

// withoutNone forgets since when a lane has had no countdown: before a segment began it is not known, and not drawn.
func withoutNone(t *Timeline) {
	for i := range t.Lanes {
		for k := range t.Lanes[i].Ramp {
			if p := &t.Lanes[i].Ramp[k]; p.ZeroAt == p.T && p.T <= t.From {
				*p = RampPoint{}
			}
		}
	}
}
