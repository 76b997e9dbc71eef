package serve

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
)

// memory gives back to the system what many watches or long answers took, once they are over. Go's collector runs when
// more is asked for: a server that has become quiet would keep what its busiest minute needed.
type memory struct {
	clock   clock.Clock
	release func() // costs two collections, so it must be rare

	mu      sync.Mutex
	bytes   int64 // used and over since the last release
	planned bool
}

// watchBytes is what an open watch takes, mostly net/http's buffers and stacks: 10,000 of them took 400 MB.
const watchBytes = 40 << 10

// releaseAfter is how much must have been used before a release is worth it, and releaseEvery how often there is one at
// most.
const (
	releaseAfter = 64 << 20
	releaseEvery = 10 * time.Second
)

// release gives back what is free. net/http keeps its buffers in pools, which the second collection empties.
func release() {
	runtime.GC()
	debug.FreeOSMemory()
}

// used notes that something is over that took this many bytes.
func (m *memory) used(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bytes += bytes
	if m.planned || m.bytes < releaseAfter {
		return
	}
	m.planned = true
	m.clock.AfterFunc(releaseEvery, func() {
		m.mu.Lock()
		m.bytes, m.planned = 0, false
		m.mu.Unlock()
		m.release()
	})
}
