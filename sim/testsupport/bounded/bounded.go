// Package bounded holds tests and fuzz targets to what an input may cost: memory that the work allocates, how the work
// grows with its input, and an end at all.
//
// Guarantee: what is counted, bytes allocated and processor time of the thread, does not depend on what else the machine
// does. Non-guarantee: memory is counted for the whole process, and a megabyte may be counted late.
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

// Hang is how much processor time work may take before it counts as endless, a thousand times what inputs of a fuzz target
// need. Work that waits for something counts as endless after hangAsleep by the wall clock.
const (
	Hang       = 5 * time.Second
	hangAsleep = time.Minute
)

// Limit is how many bytes an input of n bytes may make the code under test allocate: Fixed + PerByte·n·log₂(n).
type Limit struct{ Fixed, PerByte int64 }

// others is what a fuzzing engine may allocate meanwhile.
const others = 4 << 20

// Of is the limit for an input of a size.
func (l Limit) Of(size int) int64 { return others + l.Fixed + l.PerByte*nLogN(size) }

// nLogN is n·log₂(n), rounded up.
func nLogN(n int) int64 { return int64(n) * int64(bits.Len(uint(n))) }

// Do does work on an input of a size. The test fails when it allocates more than the limit, and the process ends when it
// hangs, so that a fuzzing engine keeps the input.
func (l Limit) Do(t testing.TB, size int, work func()) {
	t.Helper()
	if used, limit := measure(work).bytes, l.Of(size); used > limit {
		t.Fatalf("%d bytes of input made it allocate %d bytes; the limit is %d", size, used, limit)
	}
}

// Ends does work and ends the process when it hangs.
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

// cost is what work took.
type cost struct {
	bytes int64         // allocated
	cpu   time.Duration // of the thread; 0 where the system does not tell
}

// measure does work and tells what it took.
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

// Growth does the same work with few things and with many. What many cost must be what few cost times the quotient of
// their n·log(n), and half more of it; the quotient of their squares is far more.
//
// prepare readies work with n things; only the work counts.
func Growth(t testing.TB, few, many int, prepare func(n int) (work func())) {
	t.Helper()
	if why := growth(few, many, func(n int) cost { return measure(prepare(n)) }); why != "" {
		t.Fatal(why)
	}
}

// Below these, many things cost too little to tell how they grow.
const (
	littleMemory = 1 << 20
	littleTime   = 4 * time.Millisecond
)

// tries is how often a cost that seems too high is measured. Other programs interrupt a thread and empty its caches: they add to
// what it measures and never take away, so the least of all tries is nearest to the cost of the work.
const tries = 6

// growth says what grows too fast, "" if nothing does. Few things are measured as often as they go into many. What seems to
// grow too fast must do so from many to twice as many as well: few may be refused where many are worked on.
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
		time := much.cpu > littleTime+scaled(little.cpu, 1.5*quotient)
		if !memory && !time {
			return ""
		}
		least(&more, measured(2*many))
		quotient = float64(nLogN(2*many)) / float64(nLogN(many))
		memory = memory && more.bytes > int64(1.3*quotient*float64(much.bytes))
		time = time && more.cpu > scaled(much.cpu, 1.3*quotient)
		if !memory && !time {
			return ""
		}
		why = fmt.Sprintf("%s grows faster than n·log(n): %d times %d things allocated %d bytes in %s, %d things %d in %s, %d things %d in %s",
			map[bool]string{true: "memory", false: "time"}[memory], many/few, few, little.bytes, little.cpu, many, much.bytes, much.cpu, 2*many, more.bytes, more.cpu)
	}
	return why
}

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(by * float64(d)) }
