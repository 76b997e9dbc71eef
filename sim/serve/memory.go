package serve

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
)

// memory returns free memory to the operating system after many watches or long answers have ended. Go's collector
// runs only when the program allocates, so without this an idle server would keep the memory of its busiest minute.
type memory struct {
	clock   clock.Clock
	release func() // needs two garbage collections, so it must be rare

	mu        sync.Mutex
	bytes     int64 // memory of the watches and answers that have ended since the last release or postponement
	planned   bool
	postponed int // how often in a row the release was late
}

// watchBytes is the memory of an open watch, mostly buffers and stacks of net/http: 10,000 watches took 400 MB.
const watchBytes = 40 << 10

// releaseAfter is how many bytes the ended watches and answers must have used before a release is worth its cost.
// releaseEvery is the minimum time between two releases. A busy server would need its memory again at once, so it
// postpones a release, at most mostPostponed times.
const (
	releaseAfter  = 64 << 20
	releaseEvery  = 10 * time.Second
	mostPostponed = 5
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
	m.bytes += bytes
	if m.planned || m.bytes < releaseAfter {
		return
	}
	m.planned = true
	m.plan()
}

// plan schedules a release. If the server is busy at that time, plan postpones the release. The caller holds the lock.
// Without the limit on postponements, a server that is always busy would never give memory back.
func (m *memory) plan() {
	m.bytes = 0
	m.clock.AfterFunc(releaseEvery, func() {
		m.mu.Lock()
		if m.bytes >= releaseAfter && m.postponed < mostPostponed {
			m.postponed++
			m.plan()
			m.mu.Unlock()
			return
		}
		m.bytes, m.planned, m.postponed = 0, false, 0
		m.mu.Unlock()
		m.release()
	})
}
