package main

import (
	"bytes"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
)

// stuck is a backend that never answers and never releases the handler's lock.
type stuck struct {
	serve.Backend
	begun, release chan bool
}

func (stuck) Revision() int64 { return 0 }

func (s stuck) Handle(time.Time, *apiserver.Request) apiserver.Response {
	s.begun <- true
	<-s.release
	return apiserver.Response{Status: 200}
}

// A server ends even if a running request holds the lock.
func TestEndsWhateverRuns(t *testing.T) {
	backend := stuck{begun: make(chan bool), release: make(chan bool)}
	defer close(backend.release)
	api := serve.New(backend, clock.New())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server, ended := &http.Server{Handler: api}, make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	failed := make(chan error, 1)
	go func() {
		_, err := http.Get("http://" + listener.Addr().String() + "/")
		failed <- err
	}()
	<-backend.begun
	var warnings bytes.Buffer
	require.NoError(t, end(server, api, 10*time.Millisecond, &warnings))
	assert.Error(t, <-failed, "cut off")
	assert.ErrorIs(t, <-ended, http.ErrServerClosed)
	assert.Contains(t, warnings.String(), "closing requests that are still running after 10ms")
	assert.Equal(t, 3*time.Second, grace, "the process must end within four seconds")
}

// A size accepts common units, and prints so that it parses again.
func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1000": 1000, "1Ki": 1 << 10, "256MiB": 256 << 20, "2Gi": 2 << 30, "1536KiB": 3 << 19, "12B": -1, "-1": -1, "1.5GiB": -1, "MiB": -1, "": -1} {
		var s size
		if want < 0 {
			assert.Error(t, s.Set(text), text)
			continue
		}
		require.NoError(t, s.Set(text), text)
		assert.Equal(t, want, int64(s))
		var again size
		require.NoError(t, again.Set(s.String()))
		assert.Equal(t, s, again)
	}
}
