package evidence

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// collected shifts the stamps of one log, as a collector with a wrong clock does.
func (p pieces) collected(t *testing.T, name string, by time.Duration) pieces {
	const layout = "0102 15:04:05.000000"
	return p.change(name, func(line string) string {
		at, err := time.Parse(layout, line[1:21])
		require.NoError(t, err)
		return line[:1] + at.Add(by).Format(layout) + line[21:]
	})
}

// One log with wrong stamps brings no overlap that did not happen, none that is too long, and no false cause with a
// confidence over 0.6.
func TestAShiftedLogTellsNothingFalse(t *testing.T) {
	cases, ranges := 0, 0
	for incident, p := range allPieces(t) {
		names := slices.Sorted(maps.Keys(p.only("node")))
		right := p.rule(t, slices.Sorted(maps.Keys(p))...)
		longest := right.report.worstOverlap()
		for _, name := range names {
			for _, by := range []time.Duration{900 * time.Millisecond, 7 * time.Second, -7 * time.Second, 40 * time.Second, -40 * time.Second} {
				shifted := p.collected(t, name, by)
				for _, files := range []pieces{shifted.only("node"), shifted.only("node", "watch"), shifted.only("node", "audit")} {
					got := files.rule(t, slices.Sorted(maps.Keys(files))...)
					what := fmt.Sprintf("%s, %s by %s, %v", incident, name, by, slices.Sorted(maps.Keys(files)))
					cases++
					for _, o := range got.report.Overlaps {
						assert.LessOrEqual(t, o.LeastSeconds, longest+0.3, what)
						if o.LeastSeconds < o.Seconds {
							ranges++
						}
					}
					if right.exit == 0 {
						assert.Zero(t, got.exit, what)
					}
					if got.report.Confidence > 0.6 && got.report.Cause != "none" {
						assert.Contains(t, right.causes, got.report.Cause, what)
					}
				}
			}
		}
	}
	assert.Greater(t, cases, 1000)
	assert.Greater(t, ranges, 20)
}

func (l *LeaseReport) worstOverlap() (most float64) {
	for _, o := range l.Overlaps {
		most = max(most, o.Seconds)
	}
	return most
}

// A leader that reads that another one leads, and stops later, proves by its own clock that both led. So a wrong clock
// does not hide that.
func TestALeaderProvesAnOverlapByItsOwnClock(t *testing.T) {
	p := piecesOf(t, "pause-1").only("node")
	for by, least := range map[time.Duration]float64{0: 9.997, 40 * time.Second: 9.997, -40 * time.Second: 9.997} {
		shifted := p.collected(t, "node-a.klog", by)
		got := shifted.rule(t, slices.Sorted(maps.Keys(shifted))...)
		assert.Equal(t, 3, got.exit, by)
		assert.InDelta(t, least, got.report.Overlaps[0].LeastSeconds, 0.001, by)
	}
}
