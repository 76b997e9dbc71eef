// Package requests runs the cases of recordings that show which requests client-go's elector sends. The recorded
// elector uses its LeaseLock and rest.Request, against an API server whose answers faults replace. The package prints
// our run in the recordings' format.
//
// Guarantee: the run depends only on the case and the recorded jitter, so every difference in an instant, a request
// or an answer shows. Non-guarantee: the recordings do not contain the jitter. The package computes it: the next
// request's instant minus the end of the attempt.
package requests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// Recording is a case with what happened. Instants are virtual nanoseconds since 2000-01-01T00:00:00Z.
type Recording struct {
	Case      Case       `json:"case"`
	Exchanges []Exchange `json:"exchanges"`
	Events    []Event    `json:"events"`
}

// Case is the recorded setup: one elector named a, which competes for the Lease default/demo, 2 ms from its API
// server.
type Case struct {
	Name            string  `json:"name"`
	Note            string  `json:"note,omitempty"`
	DurationMs      int64   `json:"durationMs"`
	LeaseDurationMs int64   `json:"leaseDurationMs"`
	RenewDeadlineMs int64   `json:"renewDeadlineMs"` // the elector gets 1 ns less, so that no tick falls on it
	RetryPeriodMs   int64   `json:"retryPeriodMs"`
	ClientTimeoutMs int64   `json:"clientTimeoutMs"` // 0: none
	QPS             float64 `json:"qps,omitempty"`   // 0: no limiter
	Burst           int64   `json:"burst,omitempty"`
	ReleaseOnCancel bool    `json:"releaseOnCancel,omitempty"`
	StopAtMs        int64   `json:"stopAtMs,omitempty"`
	DeleteAtMs      []int64 `json:"deleteAtMs,omitempty"`
	Faults          []Fault `json:"faults,omitempty"`
}

// Fault replaces the answers to requests that the elector sends from FromMs until before ToMs. If several faults fit,
// the first applies.
type Fault struct {
	FromMs     int64  `json:"fromMs"`
	ToMs       int64  `json:"toMs"`
	Method     string `json:"method,omitempty"`     // "": every method
	Status     int    `json:"status,omitempty"`     // the answer's status; the server does nothing
	RetryAfter string `json:"retryAfter,omitempty"` // with Status: the header
	// Error is one of refused, reset and eof (the server does nothing), drop (it does nothing and does not answer),
	// lost (it does the request but does not answer), broken and empty (it does the request and answers 200 with half
	// a body or none).
	Error   string `json:"error,omitempty"`
	DelayMs int64  `json:"delayMs,omitempty"` // the server does the request and answers this much later
}

// Exchange is one request as the transport got it.
type Exchange struct {
	SentNs          int64  `json:"sentNs"`
	EndNs           int64  `json:"endNs"` // the head of the answer, or the transport's error
	Method          string `json:"method"`
	URI             string `json:"uri"`
	Accept          string `json:"accept,omitempty"`
	ContentType     string `json:"contentType,omitempty"`
	RenewTime       string `json:"renewTime,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
	Status          int    `json:"status,omitempty"`
	RetryAfter      string `json:"retryAfter,omitempty"`
	Error           string `json:"error,omitempty"`
}

// Event is a callback, the stop, or the result of a deletion.
type Event struct {
	Ns   int64  `json:"ns"`
	What string `json:"what"`
}

// Parse parses a recording or an array of recordings; array reports whether it was an array. A recording may have only
// its case; then its elector draws the largest jitter.
func Parse(data []byte) (all []Recording, array bool, err error) {
	all, array, err = recorded.OneOrMany[Recording](data)
	if err != nil {
		return nil, false, fmt.Errorf("not a recording of requests: %w", err)
	}
	for i := range all {
		if err := all[i].Case.validate(); err != nil {
			return nil, false, fmt.Errorf("case %q: %w", all[i].Case.Name, err)
		}
	}
	return all, array, nil
}

var errorWords = []string{"", "refused", "reset", "eof", "drop", "lost", "broken", "empty"}

// maxMs limits every instant and length of a case to 100 days, which is far from overflow in nanoseconds.
const maxMs int64 = 100 * 24 * 3600 * 1000

func (c *Case) validate() error {
	lengths := []struct {
		name  string
		least int64
		ms    int64
	}{
		{"durationMs", 1, c.DurationMs}, {"leaseDurationMs", 1, c.LeaseDurationMs},
		{"renewDeadlineMs", 1, c.RenewDeadlineMs},
		{"retryPeriodMs", 1, c.RetryPeriodMs}, {"clientTimeoutMs", 0, c.ClientTimeoutMs}, {"stopAtMs", 0, c.StopAtMs},
	}
	for _, l := range lengths {
		if l.ms < l.least || l.ms > maxMs {
			return fmt.Errorf("%s is %d and must be from %d to %d", l.name, l.ms, l.least, maxMs)
		}
	}
	config := c.config()
	config.Identity = 1 // the name of the elector
	if err := config.Validate(); err != nil {
		return err
	}
	if c.QPS < 0 || c.QPS > 1e6 || c.QPS > 0 && c.Burst < 1 {
		return fmt.Errorf("qps is %g and must be from 0 to 1000000, with a burst of at least 1", c.QPS)
	}
	for i, at := range c.DeleteAtMs {
		if at < 0 || at > maxMs {
			return fmt.Errorf("deleteAtMs[%d] is %d and must be from 0 to %d", i, at, maxMs)
		}
	}
	for i := range c.Faults {
		if err := c.Faults[i].validate(); err != nil {
			return fmt.Errorf("faults[%d].%w", i, err)
		}
	}
	return nil
}

func (f *Fault) validate() error {
	switch _, known := statuses[f.Status]; {
	case f.FromMs < 0 || f.ToMs > maxMs:
		return fmt.Errorf("fromMs and toMs are %d and %d and must lie from 0 to %d", f.FromMs, f.ToMs, maxMs)
	case f.DelayMs < 0 || f.DelayMs > maxMs:
		return fmt.Errorf("delayMs is %d and must be from 0 to %d", f.DelayMs, maxMs)
	case f.Status != 0 && !known:
		return fmt.Errorf("status is %d and must be one of %v", f.Status, slices.Sorted(maps.Keys(statuses)))
	case verbs[f.Method] == network.Get && f.Method != "GET":
		return fmt.Errorf("method is %q and must be GET, POST or PUT", f.Method)
	case !slices.Contains(errorWords, f.Error):
		return fmt.Errorf("error is %q and must be one of refused, reset, eof, drop, lost, broken, empty", f.Error)
	}
	return nil
}

// JSON prints runs as the recordings are written, as an array or the first alone.
func JSON(runs []Recording, array bool) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	var what any = runs
	if !array {
		what = runs[0]
	}
	if err := e.Encode(what); err != nil {
		panic(err) // plain structs
	}
	return b.Bytes()
}
