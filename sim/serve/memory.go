package serve

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
)

// memory returns free memory to the operating system after many watches or long answers have ended. Go's collector runs
// only when the program allocates, so without this an idle server would keep the memory of its busiest minute.
type memory struct {
	clock   clock.Clock
	release func() // needs two garbage collections, so it must be rare

	mu    sync.Mutex
	bytes int64 // memory of the watches and answers that have ended since the last release
	timer *clock.Timer
	began time.Time // when the timer started first
}

// watchBytes is the memory of an open watch, mostly buffers and stacks of net/http: 10,000 watches took 400 MB.
const watchBytes = 40 << 10

// releaseAfter is how many bytes the ended watches and answers must have used before a release is worth its cost.
// releaseDelay is how long the server must be idle before it: a busy server would need its memory again at once. A
// server that is always busy waits no longer than mostDelay.
const (
	releaseAfter = 64 << 20
	releaseDelay = 10 * time.Second
	mostDelay    = time.Minute
)

// release returns free memory to the operating system. FreeOSMemory then collects a second time, which empties
// net/http's pools of buffers.
func release() {
	runtime.GC()
	debug.FreeOSMemory()
}

// noteUse records that a watch or an answer has ended, and how many bytes of memory it used.
func (m *memory) noteUse(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch m.bytes += bytes; {
	case m.bytes < releaseAfter:
	case m.timer != nil:
		if m.clock.Since(m.began) < mostDelay {
			m.timer.Reset(releaseDelay)
		}
	default:
		m.began = m.clock.Now()
		m.timer = m.clock.AfterFunc(releaseDelay, func() {
			m.mu.Lock()
			m.bytes, m.timer = 0, nil
			m.mu.Unlock()
			m.release()
		})
	}
}
