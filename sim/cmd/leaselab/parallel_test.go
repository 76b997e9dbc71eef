package main

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/study"
)

// work is a plan whose runs call a function.
type work struct {
	runs int
	run  func(number int) int
}

func (w work) Runs() int { return w.runs }

func (w work) Run(number int) int { return w.run(number) }

// Each run is made once, on any number of cores, and kept before it is done.
func TestOnAllCores(t *testing.T) {
	for _, cores := range []int{1, 2, 4} {
		before := runtime.GOMAXPROCS(cores)
		var made, kept atomic.Int32
		s := study.New(work{100, func(number int) int { made.Add(1); return number }}, study.Shard{})
		var taken []int
		require.NoError(t, onAllCores(t.Context(), s, func(int, int) error { kept.Add(1); return nil }, func(int, int) error {
			assert.GreaterOrEqual(t, int(kept.Load()), s.Done())
			for _, one, more := s.Take(); more; _, one, more = s.Take() {
				taken = append(taken, one)
			}
			return nil
		}))
		runtime.GOMAXPROCS(before)
		assert.Equal(t, int32(100), made.Load())
		for i, one := range taken {
			require.Equal(t, i, one)
		}
		assert.Len(t, taken, 100)
	}
}

// A panic on another core is reported like any crash of the command.
func TestWorkThatCrashes(t *testing.T) {
	s := study.New(work{100, func(number int) int {
		if number == 40 {
			panic("at 40")
		}
		return number
	}}, study.Shard{})
	assert.PanicsWithValue(t, "at 40", func() {
		defer func() {
			cause := recover().(string)
			assert.Contains(t, cause, "parallel_test.go")
			panic(strings.SplitN(cause, "\n", 2)[0])
		}()
		_ = onAllCores(t.Context(), s, nil, nil)
	})
	assert.GreaterOrEqual(t, s.Done(), 40-3*runtime.GOMAXPROCS(0))
}

// A run that cannot be kept ends the study with the error.
func TestWorkThatCannotBeKept(t *testing.T) {
	full := errors.New("no space left")
	s := study.New(work{100, func(number int) int { return number }}, study.Shard{})
	err := onAllCores(t.Context(), s, func(number, _ int) error {
		if number == 50 {
			return full
		}
		return nil
	}, nil)
	assert.ErrorIs(t, err, full)
	assert.Less(t, s.Done(), 100)
}

// A cancelled study keeps the runs under way that end soon, and does not wait for one that does not.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := study.New(work{1000, func(number int) int {
		if number == 10 {
			cancel()
		}
		return number
	}}, study.Shard{})
	assert.ErrorIs(t, onAllCores(ctx, s, nil, nil), context.Canceled)
	assert.Greater(t, s.Done(), 9)
	assert.Less(t, s.Done(), 1000)

	ctx, cancel = context.WithCancel(t.Context())
	endless := make(chan bool)
	defer close(endless)
	s = study.New(work{2, func(number int) int {
		cancel()
		<-endless
		return number
	}}, study.Shard{})
	assert.ErrorIs(t, onAllCores(ctx, s, nil, nil), context.Canceled)
	assert.Zero(t, s.Done())
}

// Runs that have ended are kept when others take too long to wait for.
func TestCancelKeepsWhatIsMade(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	endless := make(chan bool)
	defer close(endless)
	var made atomic.Int64
	s := study.New(work{100_000, func(number int) int {
		if number > 2000 && number%40 == 39 {
			cancel()
			<-endless
		}
		made.Add(1)
		return number
	}}, study.Shard{})
	assert.ErrorIs(t, onAllCores(ctx, s, nil, nil), context.Canceled)
	assert.EqualValues(t, made.Load(), s.Done())
}

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		done, of, made int
		took           time.Duration
		says           string
	}{
		{0, 10, 0, 0, "0 of 10 runs"},
		{57114, 106600, 57114, 10 * time.Second, "57,114 of 106,600 runs, 5,711/s, 9s left"},
		{900, 1000, 100, 100 * time.Second, "900 of 1,000 runs, 1.0/s, 1m40s left"},
	} {
		assert.Equal(t, c.says, doneOf{c.done, c.of, c.made}.text(c.took, "runs"))
	}
}
