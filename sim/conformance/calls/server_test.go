package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"syscall"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/leaselab/leaselab/sim/testsupport/recorded/requests"
)

const oneWay = 2 * time.Millisecond

// server is an API server of one Lease, and the transport that leads to it. It notes every request that the transport gets.
type server struct {
	began  time.Time
	faults []requests.Fault

	mu        sync.Mutex
	lease     *coordinationv1.Lease
	revision  int
	uids      int
	exchanges []requests.Exchange
}

func (s *server) now() int64 { return int64(time.Since(s.began)) }

// reply is what comes back: an answer, or an error of the transport.
type reply struct {
	status     int
	retryAfter string
	body       []byte
	broken     bool // the body ends before its length
	err        error
}

// RoundTrip sends a request as client-go's transport would: it fails as soon as the request's context has ended.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	e := requests.Exchange{SentNs: s.now(), Method: r.Method, URI: r.URL.RequestURI(), Accept: r.Header.Get("Accept"), ContentType: r.Header.Get("Content-Type")}
	var sent coordinationv1.Lease
	if len(body) > 0 {
		if err := json.Unmarshal(body, &sent); err != nil {
			return nil, err
		}
		e.ResourceVersion, e.RenewTime = sent.ResourceVersion, sent.Spec.RenewTime.UTC().Format(metav1.RFC3339Micro)
	}
	s.mu.Lock()
	number := len(s.exchanges)
	s.exchanges = append(s.exchanges, e)
	s.mu.Unlock()

	replies := make(chan reply, 1)
	ended := r.Context().Err() != nil
	if !ended {
		fault := s.fault(e.SentNs, r.Method)
		go s.serve(fault, r.Method, &sent, replies)
	}
	select {
	case <-r.Context().Done():
		err := context.Cause(r.Context())
		if !errors.Is(err, context.Canceled) {
			err = context.DeadlineExceeded
		}
		s.end(number, &reply{err: err})
		return nil, err
	case a := <-replies:
		s.end(number, &a)
		if a.err != nil {
			return nil, a.err
		}
		return a.response(r), nil
	}
}

func (a *reply) response(r *http.Request) *http.Response {
	header := http.Header{"Content-Type": {"application/json"}}
	if a.retryAfter != "" {
		header.Set("Retry-After", a.retryAfter)
	}
	body := io.Reader(bytes.NewReader(a.body))
	if a.broken {
		body = io.MultiReader(bytes.NewReader(a.body[:len(a.body)/2]), failing{})
	}
	return &http.Response{
		StatusCode: a.status, Header: header, Body: io.NopCloser(body), ContentLength: int64(len(a.body)), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// refused and reset print as the errors of a socket do.
type socketError struct {
	text  string
	errno syscall.Errno
}

func (e *socketError) Error() string { return e.text }
func (e *socketError) Unwrap() error { return e.errno }

var broken = map[string]error{
	"refused": &socketError{"dial tcp 127.0.0.1:6443: connect: connection refused", syscall.ECONNREFUSED},
	"reset":   &socketError{"read tcp: read: connection reset by peer", syscall.ECONNRESET},
	"eof":     io.EOF,
}

func (s *server) fault(sentNs int64, method string) *requests.Fault {
	for i := range s.faults {
		f := &s.faults[i]
		if ms := int64(time.Millisecond); f.FromMs*ms <= sentNs && sentNs < f.ToMs*ms && (f.Method == "" || f.Method == method) {
			return f
		}
	}
	return &requests.Fault{}
}

// serve does what a request asks for as far as its fault lets it, whether or not the client still waits.
func (s *server) serve(f *requests.Fault, method string, sent *coordinationv1.Lease, replies chan<- reply) {
	time.Sleep(oneWay)
	var a reply
	switch {
	case f.Error == "drop":
		return
	case broken[f.Error] != nil:
		replies <- reply{err: broken[f.Error]}
		return
	case f.Status != 0:
		a = failure(f.Status)
		a.retryAfter = f.RetryAfter
	default:
		a = s.do(method, sent)
		a.broken = f.Error == "broken"
		if f.Error == "empty" {
			a.body = nil
		}
		if f.Error == "lost" {
			return
		}
		time.Sleep(time.Duration(f.DelayMs) * time.Millisecond)
	}
	time.Sleep(oneWay)
	replies <- a
}

// failure is an answer with a Status, as kube-apiserver gives it.
func failure(code int) reply {
	reasons := map[int]metav1.StatusReason{
		401: metav1.StatusReasonUnauthorized, 403: metav1.StatusReasonForbidden, 404: metav1.StatusReasonNotFound, 409: metav1.StatusReasonConflict,
		429: metav1.StatusReasonTooManyRequests, 500: metav1.StatusReasonInternalError, 503: metav1.StatusReasonServiceUnavailable,
		504: metav1.StatusReasonTimeout,
	}
	body, err := json.Marshal(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Message: "no", Reason: reasons[code], Code: int32(code),
	})
	if err != nil {
		panic(err)
	}
	return reply{status: code, body: body}
}

func (s *server) do(method string, sent *coordinationv1.Lease) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case method != http.MethodPost && s.lease == nil && method == http.MethodGet:
		return failure(404)
	case method == http.MethodPost && s.lease != nil:
		return failure(409)
	case method == http.MethodPost:
		s.uids++
		s.lease = &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "demo", Namespace: "default", UID: types.UID(strconv.Itoa(s.uids))}}
		s.store(sent)
		return s.leaseReply(201)
	case method == http.MethodPut && (s.lease == nil || sent.ResourceVersion != s.lease.ResourceVersion || sent.UID != s.lease.UID):
		return failure(409)
	case method == http.MethodPut && !reflect.DeepEqual(sent.Spec, s.lease.Spec):
		s.store(sent)
	}
	return s.leaseReply(200)
}

func (s *server) store(sent *coordinationv1.Lease) {
	s.revision++
	s.lease.Spec, s.lease.ResourceVersion = sent.Spec, strconv.Itoa(s.revision)
}

func (s *server) leaseReply(status int) reply {
	answer := *s.lease
	answer.TypeMeta = metav1.TypeMeta{Kind: "Lease", APIVersion: "coordination.k8s.io/v1"}
	body, err := json.Marshal(&answer)
	if err != nil {
		panic(err)
	}
	return reply{status: status, body: body}
}

// delete removes the Lease and returns the status of the answer.
func (s *server) delete() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease == nil {
		return 404
	}
	s.lease = nil
	s.revision++
	return 200
}

func (s *server) end(number int, a *reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &s.exchanges[number]
	e.EndNs, e.Status, e.RetryAfter = s.now(), a.status, a.retryAfter
	if a.err != nil {
		e.Error = a.err.Error()
	}
}
