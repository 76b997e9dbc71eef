package lab_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/run/pacer"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// direct returns the hash of a run at an instant, computed without a lab.
func direct(s scenario.Scenario, ns int64) string {
	w := world.New(compile.Scenario(s))
	w.Run(ns, func([]trace.Record) {})
	return w.Hash().String()
}

// open opens a scenario in a new lab.
func open(t testing.TB, s scenario.Scenario) *lab.Lab {
	t.Helper()
	l := lab.New(nil)
	require.NoError(t, l.Open(lab.Opening{Whole: &s}))
	return l
}

// play paces a lab from one instant to another with a mock wall clock: slices of any length up to most, long stalls,
// and jumps forward and back.
func play(l *lab.Lab, from, to int64, speed float64, most time.Duration) error {
	mock := clock.NewMock()
	mock.Set(time.Unix(1e9, 0))
	r := rand.New(rand.NewPCG(uint64(from), uint64(most)))
	p := pacer.New(mock)
	l.Show(from)
	l.Play(speed, to)
	last := l.Cursor().T
	for k := 0; l.Playing(); k++ {
		switch {
		case k%97 == 50:
			mock.Add(time.Duration(r.Int64N(int64(10 * time.Minute)))) // a stall
		case k%211 == 100:
			mock.Set(mock.Now().Add(-time.Duration(r.Int64N(int64(time.Hour))))) // a jump back
		case k%211 == 200:
			mock.Set(mock.Now().Add(time.Hour)) // and forward
		default:
			mock.Add(most - time.Duration(r.Int64N(int64(most/10)+1)))
		}
		l.Advance(p)
		now := l.Cursor().T
		if now < last || now > to || k > 200_000 {
			return fmt.Errorf("step %d went from %d to %d on the way to %d", k, last, now, to)
		}
		last = now
	}
	if l.Cursor() != (timeline.Cursor{T: to, N: -1}) {
		return fmt.Errorf("it stopped at %+v, not at %d", l.Cursor(), to)
	}
	return nil
}

// However a mock wall clock drives, stalls and jumps, all of "A leader dies" is the same run. At a hundredth of the
// speed it takes twelve thousand seconds of wall time; its parts play in parallel, because every step of the mock
// sleeps for a millisecond.
func TestEveryPaceShowsTheSameRun(t *testing.T) {
	s, ok := shipped.ByName("a-leader-dies")
	require.True(t, ok)
	end := int64(s.Duration)
	var parts sync.WaitGroup
	for _, c := range []struct {
		name  string
		speed float64
		most  time.Duration
		parts int64
	}{
		{"a hundredth", 0.01, pacer.MostWall, 40}, {"real time", 1, pacer.MostWall, 1}, {"real time in short slices", 1, 16 * time.Millisecond, 6},
		{"a thousand", 1000, 2 * time.Millisecond, 1}, {"story", 0, pacer.MostWall, 1},
	} {
		for part := range c.parts {
			if testing.Short() && c.parts > 10 && part%4 != 2 { // with the takeover, in part 22
				continue
			}
			from, to := end/c.parts*part, end/c.parts*(part+1)
			l, want := open(t, s), direct(s, to)
			parts.Go(func() {
				err := play(l, from, to, c.speed, c.most)
				assert.NoError(t, err, "%s, from %d", c.name, from)
				assert.Equal(t, want, l.View().Hash, "%s, from %d", c.name, from)
			})
		}
	}
	parts.Wait()
}

// Story speed is fast in uneventful stretches and slow around events: the requests that make a leader take longer on
// screen than the seconds around them, and the whole story is shorter than at normal speed.
func TestStorySpeed(t *testing.T) {
	s, ok := shipped.ByName("a-leader-dies")
	require.True(t, ok)
	l := open(t, s)
	l.Show(int64(s.Duration))
	wall := 0.0
	spans := l.PaceSpans(0, int64(s.Duration))
	at := func(ns int64) float64 {
		factor := 0.0
		for _, p := range spans {
			if p.T <= ns {
				factor = p.Factor
			}
		}
		return factor
	}
	for i, p := range spans {
		until := int64(s.Duration)
		if i+1 < len(spans) {
			until = spans[i+1].T
			require.Greater(t, until, p.T)
		}
		wall += float64(until-p.T) / 1e9 / p.Factor
	}
	assert.Less(t, wall, 60.0, "two minutes in less than one")
	assert.Equal(t, 0.02, at(34_035_000_000), "b reads and writes the Lease")
	assert.Equal(t, 1.0, at(19_500_000_000), "a is about to crash")
	assert.Equal(t, 4.0, at(27_000_000_000), "nothing happens")
}
