package elector

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/recorded"
	"github.com/leaselab/leaselab/sim/world"
)

// runPaused runs a schedule with pauses as the simulator defines them: the whole process is stopped.
func runPaused(t *testing.T, data []byte) (Schedule, *Trace) {
	t.Helper()
	s, raw, err := Parse(data)
	require.NoError(t, err)
	setup, err := s.Setup()
	require.NoError(t, err)
	setup.FreezePoints = false
	trace := &Trace{Schedule: raw}
	c := collector{trace: trace, setup: setup, schedule: &s, open: map[int64]int{}, active: map[int32]int{}}
	w := world.New(setup)
	w.Run(s.DurationNs-1, c.observe)
	c.finish(w)
	return s, trace
}

// usedUp returns the instant at which a recorded pause ended with requests that were never sent: a timer of the frozen
// process fired inside the pause and set a deadline that had passed when the process resumed.
func usedUp(s *Schedule, t *Trace) (at int64, cand string) {
	for _, e := range t.Events {
		for _, p := range s.Pauses {
			if e.Kind == "request" && strings.HasPrefix(e.Result, "not_sent:") && e.Cand == p.Cand && e.T == p.ToNs {
				return e.T, e.Cand
			}
		}
	}
	return -1, ""
}

// eventsBefore returns the trace with only the events before an instant.
func eventsBefore(t *Trace, at int64) *Trace {
	cut := *t
	cut.Events = nil
	for _, e := range t.Events {
		if e.T < at && (e.End == nil || *e.End < at) {
			cut.Events = append(cut.Events, e)
		}
	}
	return &cut
}

// Our pause stops the process; the recordings freeze it at freeze points. A schedule runs the same both ways, unless
// the wait between two renewals ends inside the pause. Then the frozen process begins the next renewal at once, finds
// its deadline passed when it resumes, and gives up without sending a request. The stopped process begins the renewal
// when it resumes and has all of renewDeadline for it. The test names those schedules: both runs are equal up to that
// instant, and at that instant the stopped process sends a request.
func TestStoppedProcessAgainstFreezePoints(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.json.gz")
	require.NoError(t, err)
	paused := 0
	var differing []string
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
		t.Run(name, func(t *testing.T) {
			data, err := recorded.Read(path)
			require.NoError(t, err)
			frozen, err := Run(data)
			require.NoError(t, err)
			s, ours := runPaused(t, data)
			if len(s.Pauses) > 0 {
				paused++
			}
			at, cand := usedUp(&s, frozen)
			if at < 0 {
				assert.Equal(t, lines(t, frozen.JSON()), lines(t, ours.JSON()))
				return
			}
			differing = append(differing, name)
			assert.Equal(t, eventsBefore(frozen, at).Events, eventsBefore(ours, at).Events)
			asks := false
			for _, e := range ours.Events {
				if e.T == at && e.Cand == cand && e.Kind == "request" {
					asks = asks || !strings.HasPrefix(e.Result, "not_sent:")
				}
			}
			assert.True(t, asks, "the stopped process sends a request when it resumes")
		})
	}
	assert.Equal(t, 28, paused, "recorded schedules with a pause")
	assert.Equal(t, []string{"34-pause-leader-30s", "35-pause-release-clobber", "rnd-000020", "rnd-000044"}, differing)
}
