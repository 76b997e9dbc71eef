package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sort"
	"time"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// SeekResult is the cost of showing any instant of a computed day. A seek moves the cursor and returns everything that
// the page draws of that instant, as the page's worker does; a filled seek adds the timeline and the events around it,
// which the page requests next.
type SeekResult struct {
	Candidates      int     `json:"candidates"`
	VirtualHours    float64 `json:"virtualHours"`
	Requests        int64   `json:"requests"`
	Seeks           int     `json:"seeks"`
	SeekP50Ms       float64 `json:"seekP50Ms"`
	SeekP99Ms       float64 `json:"seekP99Ms"`
	SeekMaxMs       float64 `json:"seekMaxMs"`
	FilledP50Ms     float64 `json:"filledP50Ms"`
	FilledP99Ms     float64 `json:"filledP99Ms"`
	ComputeSeconds  float64 `json:"computeSeconds"` // time to compute the whole day
	HeapMiB         float64 `json:"heapMiB"`        // heap of the session after a garbage collection
	Checkpoints     int     `json:"checkpoints"`
	CheckpointMiB   float64 `json:"checkpointMiB"`   // checkpoints as the session counts them
	CheckpointEvery int64   `json:"checkpointEvery"` // requests between two checkpoints
}

// Day returns a day of client-go's defaults. Every hour the holder crashes, and 20 s later it restarts.
func Day(candidates int) scenario.Scenario {
	s := scenario.Scenario{APIVersion: scenario.APIVersion, Kind: scenario.Kind, Name: "day", Seed: 1,
		Duration: scenario.Duration(24 * time.Hour)}
	for i := range candidates {
		s.Candidates = append(s.Candidates, scenario.Candidate{Name: fmt.Sprintf("n%d", i)})
	}
	for h := time.Hour; h < 24*time.Hour; h += time.Hour {
		s.Actions = append(s.Actions,
			scenario.Action{At: scenario.Duration(h), Act: scenario.ActCrash, Target: "holder"},
			scenario.Action{At: scenario.Duration(h + 20*time.Second), Act: scenario.ActRestart, Target: "*"})
	}
	return s
}

// Seek computes a day and measures seeks at random places in it.
func Seek(candidates, seeks int) (SeekResult, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	day := Day(candidates)
	l := lab.New(nil)
	if err := l.Open(lab.Opening{Whole: &day}); err != nil {
		return SeekResult{}, err
	}
	start := time.Now()
	if err := l.RunTo("end"); err != nil {
		return SeekResult{}, err
	}
	out := SeekResult{
		Candidates: candidates, VirtualHours: time.Duration(day.Duration).Hours(), Seeks: seeks,
		ComputeSeconds: time.Since(start).Seconds(),
		Requests:       int64(view.Of(l.Look(), l.Session()).Totals.Requests),
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	out.HeapMiB = float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)
	memory := l.Memory()
	out.Checkpoints, out.CheckpointEvery, out.CheckpointMiB = memory.Checkpoints, memory.Every,
		float64(memory.CheckpointBytes)/(1<<20)
	random := rand.New(rand.NewPCG(1, 2))
	var seek, filled []float64
	for range seeks {
		at := random.Int64N(int64(day.Duration))
		began := time.Now()
		l.Seek(timeline.Cursor{T: at, N: -1})
		encoded(view.Of(l.Look(), l.Session()))
		seek = append(seek, milliseconds(began))
		encoded(view.Timeline(l.Look(), at-30e9, at+30e9, 1000))
		encoded(view.Events(l.Look(), timeline.Cursor{T: at, N: -1}, -1, 60, "", ""))
		filled = append(filled, milliseconds(began))
	}
	out.SeekP50Ms, out.SeekP99Ms, out.SeekMaxMs = quantile(seek, 0.5), quantile(seek, 0.99), quantile(seek, 1)
	out.FilledP50Ms, out.FilledP99Ms = quantile(filled, 0.5), quantile(filled, 0.99)
	return out, nil
}

// encoded encodes a view, which the page pays for too.
func encoded(v any) {
	if _, err := json.Marshal(v); err != nil {
		panic(err) // views are plain structs, so encoding cannot fail
	}
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Nanoseconds()) / 1e6 }

func quantile(values []float64, share float64) float64 {
	sort.Float64s(values)
	return values[min(len(values)-1, int(share*float64(len(values))))]
}
