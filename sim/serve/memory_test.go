package serve

import (
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
)

// What many watches took is given back once, when they are over; a few watches are worth no collection.
func TestMemoryIsGivenBackRarely(t *testing.T) {
	mock, released := clock.NewMock(), make(chan bool, 100)
	m := memory{clock: mock, release: func() { released <- true }}
	end := func(watches int) {
		for range watches {
			m.used(watchBytes)
		}
		mock.Add(2 * releaseEvery)
	}
	end(1000)
	assert.Empty(t, released)
	end(10_000)
	<-released
	assert.Empty(t, released, "one release for all")
	for range 5 { // however many long lists there are
		for range 10 {
			assert.Empty(t, released)
			m.used(releaseAfter)
			mock.Add(releaseEvery / 10)
		}
		<-released
	}
	assert.Empty(t, released)
}
