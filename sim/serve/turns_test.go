package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
)

// The server writes a long list while others write: the list shows the state at its request.
func TestWritesDoNotWaitForALongList(t *testing.T) {
	_, url := serveManyLeases(t, clock.New())
	answer, err := http.Get(url)
	require.NoError(t, err)
	defer answer.Body.Close()
	first := make([]byte, 10_000) // the server encodes the rest while the client reads
	_, err = io.ReadFull(answer.Body, first)
	require.NoError(t, err)
	for _, name := range []string{"l2998", "l2999"} {
		code, body := ask(t, "DELETE", url+"/"+name, "")
		require.Equal(t, 200, code, body)
	}
	rest, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	var list struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal(append(first, rest...), &list))
	require.Len(t, list.Items, many)
	assert.Equal(t, "l2999", list.Items[many-1].Metadata.Name)
}

// counting is a backend that counts its requests and blocks the first until the test releases it.
type counting struct {
	serve.Backend
	begun chan struct{}
	held  chan struct{}
	asked int
}

func (c *counting) Handle(_ time.Time, r *apiserver.Request) apiserver.Response {
	if c.asked++; c.asked == 1 {
		close(c.begun)
		<-c.held
	}
	return apiserver.Response{Status: 200, Body: []byte(r.Path)}
}

func (c *counting) Revision() int64 { return 0 }

// The server does not start a waiting request whose client has disconnected.
func TestWhoHasLeftIsNotAnswered(t *testing.T) {
	backend := &counting{begun: make(chan struct{}), held: make(chan struct{})}
	h := serve.New(backend, clock.New())
	done := make(chan string, 12)
	send := func(ctx context.Context, body io.Reader) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "/apis", body))
		done <- w.Body.String()
	}
	go send(context.Background(), nil)
	<-backend.begun
	ctx, leave := context.WithCancel(context.Background())
	for range 10 {
		go send(ctx, bytes.NewReader(nil))
	}
	leave()
	close(backend.held)
	for range 11 {
		<-done
	}
	go send(context.Background(), strings.NewReader(""))
	assert.Equal(t, "/apis", <-done)
	assert.Equal(t, 2, backend.asked, "the first and the last")
}
