package serve

import (
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
)

// The server releases the memory of many ended watches once; for a few watches it does not collect garbage.
func TestMemoryIsGivenBackRarely(t *testing.T) {
	mock, released := clock.NewMock(), make(chan bool, 100)
	m := memory{clock: mock, release: func() { released <- true }}
	end := func(watches int) {
		for range watches {
			m.noteUse(watchBytes)
		}
		mock.Add(2 * releaseEvery)
	}
	end(1000)
	assert.Empty(t, released)
	end(10_000)
	<-released
	assert.Empty(t, released, "one release for all")
	for periods := range mostPostponed + 1 { // of any number of long lists
		for range 10 * (periods + 1) {
			assert.Empty(t, released)
			m.noteUse(releaseAfter)
			mock.Add(releaseEvery / 10)
		}
		if periods < mostPostponed {
			assert.Empty(t, released, "the server is busy")
			mock.Add(releaseEvery)
		}
		<-released
	}
	for range 3 { // of a server that is always busy
		for range 10 * (mostPostponed + 1) {
			assert.Empty(t, released)
			m.noteUse(releaseAfter)
			mock.Add(releaseEvery / 10)
		}
		<-released
	}
	assert.Empty(t, released)
}
