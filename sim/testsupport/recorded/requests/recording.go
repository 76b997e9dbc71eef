// Package requests runs the cases of recordings that show what client-go's elector puts on the wire: an elector over
// its LeaseLock over rest.Request, against an API server whose answers faults replace. It prints our run in the
// recordings' format.
//
// Guarantee: the run depends on the case and the recorded jitter only, so every difference of an instant, a request or
// an answer shows. Non-guarantee: jitter is not in the recordings. It is computed from them: the next request's instant
// minus the end of the attempt.
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

// Case is what was run: one elector named a, which competes for the Lease default/demo, 2 ms from its API server.
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

// Fault replaces the answer to requests that are sent from FromMs until before ToMs. The first that fits counts.
type Fault struct {
	FromMs     int64  `json:"fromMs"`
	ToMs       int64  `json:"toMs"`
	Method     string `json:"method,omitempty"`     // "": every method
	Status     int    `json:"status,omitempty"`     // answered with it, nothing done
	RetryAfter string `json:"retryAfter,omitempty"` // with Status: the header
	// Error is refused, reset or eof (nothing done), drop (no answer, nothing done), lost (done, no answer), broken or
	// empty (done, and 200 with half a body or none).
	Error   string `json:"error,omitempty"`
	DelayMs int64  `json:"delayMs,omitempty"` // done, and answered so much later
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

// Parse reads a recording or an array of recordings, and reports which. A recording needs its case only; the jitter of
// its elector is then the largest.
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

// maxMs bounds every instant and length of a case: 100 days, in which no nanosecond overflows.
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
