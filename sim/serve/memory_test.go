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
	}
	end(1000)
	mock.Add(2 * releaseDelay)
	assert.Empty(t, released)
	end(10_000)
	mock.Add(releaseDelay)
	<-released
	end(1000)
	mock.Add(2 * releaseDelay)
	assert.Empty(t, released, "one release for all")
	for range 7 { // of long lists, on a busy server
		end(10_000)
		mock.Add(releaseDelay - 1)
	}
	assert.Empty(t, released, "it needs its memory again at once")
	end(10_000)
	mock.Add(releaseDelay - 1)
	assert.Len(t, released, 1, "but it does not keep it forever")
}
