// Package bounded limits the cost of inputs in tests and fuzz targets: the memory that the work allocates, how the work
// grows with its input, and that it ends.
//
// Guarantee: the measures (allocated bytes, and the thread's processor time) do not depend on other load on the
// machine. Non-guarantee: the measured memory is that of the whole process, and up to a megabyte of it may show up
// late.
package bounded

import (
	"fmt"
	"math/bits"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"
)

// Hang is the processor time after which work counts as endless: a thousand times what the inputs of a fuzz target
// need. For work that waits, hangAsleep is the limit in wall-clock time.
const (
	Hang       = 5 * time.Second
	hangAsleep = time.Minute
)

// Limit is the memory in bytes that an input of n bytes may make the tested code allocate: Fixed + PerByte·n·log₂(n).
type Limit struct{ Fixed, PerByte int64 }

// others is how much memory a fuzzing engine may allocate while the work runs.
const others = 4 << 20

// Of returns the limit in bytes for an input of size bytes.
func (l Limit) Of(size int) int64 { return others + l.Fixed + l.PerByte*nLogN(size) }

// nLogN returns n·log₂(n), with the logarithm rounded up.
func nLogN(n int) int64 { return int64(n) * int64(bits.Len(uint(n))) }

// Do runs work on an input of size bytes. The test fails if work allocates more than the limit. The process ends if
// work hangs, so that a fuzzing engine keeps the input.
func (l Limit) Do(t testing.TB, size int, work func()) {
	t.Helper()
	if used, limit := measure(work).bytes, l.Of(size); used > limit {
		t.Fatalf("%d bytes of input made it allocate %d bytes; the limit is %d", size, used, limit)
	}
}

// Ends runs work and ends the process if it hangs.
func Ends(work func()) {
	begun, cpu := time.Now(), processTime()
	var over atomic.Bool
	var look func()
	look = func() {
		switch {
		case over.Load():
		case processTime()-cpu >= Hang || time.Since(begun) >= hangAsleep:
			panic(fmt.Sprintf("the work did not end within %s of processor time, or %s of waiting", Hang, hangAsleep))
		default:
			time.AfterFunc(Hang/4, look)
		}
	}
	guard := time.AfterFunc(Hang, look)
	defer func() {
		over.Store(true)
		guard.Stop()
	}()
	work()
}

// cost is the memory and the time that a piece of work used.
type cost struct {
	bytes int64         // allocated bytes
	cpu   time.Duration // of the thread; 0 if the system does not report it
}

// measure runs work and returns its cost.
func measure(work func()) cost {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(allocated)
	bytes, cpu := allocated[0].Value.Uint64(), threadTime()
	Ends(work)
	cpu = threadTime() - cpu
	metrics.Read(allocated)
	return cost{int64(allocated[0].Value.Uint64() - bytes), cpu}
}

// Growth runs the same work with few and with many things. The test fails if many things cost more than 1.5 times
// what n·log(n) predicts from few. Work that grows with the square costs far more than that.
//
// prepare sets up the work with n things. Growth measures only the returned function.
func Growth(t testing.TB, few, many int, prepare func(n int) (work func())) {
	t.Helper()
	if why := growth(few, many, func(n int) cost { return measure(prepare(n)) }); why != "" {
		t.Fatal(why)
	}
}

// If a cost is below these limits, a measurement says nothing about growth.
const (
	littleMemory = 1 << 20
	littleTime   = 4 * time.Millisecond
)

// tries is how many times Growth repeats a measurement that seems too high. Other programs interrupt a thread and
// evict its caches, which only increases the result. So the minimum of all tries is closest to the true cost.
const tries = 6

// growth returns a sentence about what grows too fast, or "". It repeats the small measurement until it has handled as
// many things as the large one. If a cost seems to grow too fast from few to many, it must also do so from many to
// twice as many, because the code may refuse few things and process many.
func growth(few, many int, measured func(n int) cost) (why string) {
	var little, much, more cost
	for try := range tries {
		least := func(so *cost, now cost) {
			if try == 0 {
				*so = now
			}
			so.bytes, so.cpu = min(so.bytes, now.bytes), min(so.cpu, now.cpu)
		}
		least(&much, measured(many))
		if much.bytes <= littleMemory && much.cpu <= littleTime {
			return ""
		}
		var sum cost
		for range many / few {
			one := measured(few)
			sum.bytes, sum.cpu = sum.bytes+one.bytes, sum.cpu+one.cpu
		}
		least(&little, sum)
		quotient := float64(nLogN(many)) / float64(nLogN(few)) / float64(many/few)
		memory := much.bytes > littleMemory+int64(1.5*quotient*float64(little.bytes))
		time := much.cpu > littleTime+scale(little.cpu, 1.5*quotient)
		if !memory && !time {
			return ""
		}
		least(&more, measured(2*many))
		quotient = float64(nLogN(2*many)) / float64(nLogN(many))
		memory = memory && more.bytes > int64(1.3*quotient*float64(much.bytes))
		time = time && more.cpu > scale(much.cpu, 1.3*quotient)
		if !memory && !time {
			return ""
		}
		why = fmt.Sprintf("%s grows faster than n·log(n): %d times %d things allocated %d bytes in %s, %d things %d in %s, %d things %d in %s",
			map[bool]string{true: "memory", false: "time"}[memory], many/few, few, little.bytes, little.cpu, many, much.bytes, much.cpu, 2*many, more.bytes, more.cpu)
	}
	return why
}

func scale(d time.Duration, by float64) time.Duration { return time.Duration(by * float64(d)) }
