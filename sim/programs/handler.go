package programs

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

// askHandler asks the user's handler, in a goroutine of the bubble. The answer streams through a pipe, so a handler
// may write a little, sleep in virtual time, and write more.
func (c *Cluster) askHandler(r *http.Request, body []byte) (*http.Response, error) {
	reader, writer := io.Pipe()
	w := &handlerWriter{header: http.Header{}, body: writer, begun: make(chan struct{})}
	request := r.Clone(r.Context())
	request.Body, request.RequestURI, request.RemoteAddr = io.NopCloser(bytes.NewReader(body)), r.URL.RequestURI(),
		"192.0.2.1:1234"
	if request.Host == "" {
		request.Host = r.URL.Host
	}
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		c.handler().ServeHTTP(w, request)
		w.WriteHeader(http.StatusOK)
		_ = writer.Close() // Close of a pipe never fails
	}()
	select {
	case <-w.begun:
	case <-r.Context().Done():
		_ = reader.CloseWithError(r.Context().Err())
		return nil, r.Context().Err()
	case <-c.closed:
		_ = reader.CloseWithError(errOver)
		return nil, errOver
	}
	response := respond(r, w.status, nil, nil)
	response.Header, response.ContentLength = w.sent, -1
	response.Body = &handlerBody{PipeReader: reader, end: c.closed}
	return response, nil
}

// handlerBody is the body of a handler's answer. Its reads fail once the test has ended.
type handlerBody struct {
	*io.PipeReader
	end  chan struct{}
	once sync.Once
}

func (b *handlerBody) Read(p []byte) (int, error) {
	b.once.Do(func() {
		go func() {
			<-b.end
			_ = b.CloseWithError(errOver)
		}()
	})
	return b.PipeReader.Read(p)
}

// handlerWriter is the http.ResponseWriter of a handler.
type handlerWriter struct {
	header, sent http.Header
	status       int
	once         sync.Once
	begun        chan struct{}
	body         *io.PipeWriter
}

func (w *handlerWriter) Header() http.Header { return w.header }

func (w *handlerWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

func (w *handlerWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Flush implements http.Flusher. It does nothing, because writes go out at once.
func (w *handlerWriter) Flush() { w.WriteHeader(http.StatusOK) }
