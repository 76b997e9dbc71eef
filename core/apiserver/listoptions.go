package apiserver

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver/selector"
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// listOptions are the options of lists, watches and deletions of collections.
// Source: apimachinery v0.36 pkg/apis/meta/internalversion ListOptions.
type listOptions struct {
	labels           selector.Labels
	fields           selector.Fields
	watch, bookmarks bool
	revision, match  string
	timeout          int64 // timeout of a watch in seconds
	limit            int64
	token            string
	initial          *bool // sendInitialEvents
}

// selectsAll reports whether both selectors are empty.
func (o *listOptions) selectsAll() bool { return len(o.labels) == 0 && len(o.fields) == 0 }

// matches reports whether both selectors select an object.
func (o *listOptions) matches(shown object) bool {
	return o.labels.Matches(wire.Object(shown, "metadata", "labels")) && o.fields.Matches(shown)
}

// listOptions parses and validates the query.
// Source: apiserver v0.36 pkg/endpoints/handlers get.go listOpts.
func (c *call) listOptions() (*listOptions, *failure) {
	o := &listOptions{
		watch: c.r.truth("watch"), bookmarks: c.r.truth("allowWatchBookmarks"), revision: c.r.param("resourceVersion"),
		match: c.r.param("resourceVersionMatch"), token: c.r.param("continue"),
	}
	var err error
	if o.timeout, err = c.r.number("timeoutSeconds"); err != nil {
		return nil, badRequest("%s", err)
	}
	if o.limit, err = c.r.number("limit"); err != nil {
		return nil, badRequest("%s", err)
	}
	if c.r.has("sendInitialEvents") {
		value := c.r.truth("sendInitialEvents")
		o.initial = &value
	}
	for _, name := range []string{"labelSelector", "fieldSelector"} {
		if f := tooManyTerms(name, c.r.param(name)); f != nil {
			return nil, f
		}
	}
	if o.labels, err = selector.ParseLabels(c.r.param("labelSelector")); err != nil {
		return nil, badRequest("%s", err)
	}
	if o.fields, err = selector.ParseFields(c.r.param("fieldSelector")); err != nil {
		return nil, badRequest("%s", err)
	}
	o.setDefaults()
	if causes := o.validate(); len(causes) > 0 {
		return nil, invalid(metaGroup, "ListOptions", "", causes)
	}
	if err := c.res.selectable(o.fields); err != nil {
		return nil, badRequest("%s", err)
	}
	if c.name == "" {
		return o, nil
	}
	// A watch of one object has the object's name in the path; the field selector may repeat it.
	if len(o.fields) == 0 {
		o.fields = selector.Fields{{Field: "metadata.name", Value: c.name}}
	} else if name, says := o.fields.Exact("metadata.name"); !says || name != c.name {
		return nil, badRequest("fieldSelector metadata.name doesn't match requested name")
	}
	return o, nil
}

// truth parses a boolean parameter: everything but "0" and "false" is true, even "".
func (r *Request) truth(name string) bool {
	value := r.param(name)
	return r.has(name) && value != "0" && !strings.EqualFold(value, "false")
}

func (r *Request) number(name string) (int64, error) {
	if !r.has(name) {
		return 0, nil
	}
	return strconv.ParseInt(r.param(name), 10, 64)
}

// setDefaults makes a watch without a resourceVersion begin with the current state.
// Source: apimachinery v0.36 pkg/apis/meta/internalversion defaults.go SetListOptionsDefaults.
func (o *listOptions) setDefaults() {
	if !o.watch || o.initial != nil || o.match != "" || (o.revision != "" && o.revision != "0") {
		return
	}
	yes := true
	o.initial, o.match = &yes, notOlderThan
}

// The values of resourceVersionMatch.
const (
	exactly      = "Exact"
	notOlderThan = "NotOlderThan"
)

// validate returns the contradictions between options.
// Source: apimachinery v0.36 pkg/apis/meta/internalversion/validation ValidateListOptions.
func (o *listOptions) validate() []validate.Cause {
	var causes []validate.Cause
	const field = "resourceVersionMatch"
	forbid := func(field, because string) { causes = append(causes, validate.Forbidden(field, because)) }
	if o.watch {
		if o.initial != nil && o.match != notOlderThan {
			forbid(field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")
		}
		if o.match == "" {
			return causes
		}
		if o.initial == nil {
			forbid(field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")
		}
		if o.match != notOlderThan {
			causes = append(causes, validate.Unsupported(field, strconv.Quote(o.match), notOlderThan))
		}
		if o.token != "" {
			forbid(field, "resourceVersionMatch is forbidden when continue is provided")
		}
		return causes
	}
	if o.match != "" {
		if o.revision == "" {
			forbid(field, "resourceVersionMatch is forbidden unless resourceVersion is provided")
		}
		if o.token != "" {
			forbid(field, "resourceVersionMatch is forbidden when continue is provided")
		}
		if o.match != exactly && o.match != notOlderThan {
			causes = append(causes, validate.Unsupported(field, strconv.Quote(o.match), exactly, notOlderThan, ""))
		}
		if o.match == exactly && o.revision == "0" {
			forbid(field, `resourceVersionMatch "exact" is forbidden for resourceVersion "0"`)
		}
	}
	if o.initial != nil {
		forbid("sendInitialEvents", "sendInitialEvents is forbidden for list")
	}
	return causes
}

// parseListRevision parses a resourceVersion as upstream's storage does; "" is 0.
func parseListRevision(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	revision, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("resourceVersion: Invalid value: %q: %s", text, err)
	}
	return revision, nil
}

// freshWait is how long a request waits for a revision that the store has not reached yet.
const freshWait = 3 * time.Second

// tooLarge is the failure for a revision that the store does not reach within freshWait.
// Source: apiserver v0.36 pkg/storage errors.go NewTooLargeResourceVersionError, pkg/storage/cacher watch_cache.go
// waitUntilFreshAndBlock.
func (s *Server) tooLarge(revision uint64) *failure {
	f := s.futureRevision(revision)
	f.details["retryAfterSeconds"] = int64(1)
	f.hold = &Hold{Revision: int64(min(revision, math.MaxInt64)), For: freshWait}
	return f
}

// futureRevision is the same failure for reads from etcd itself. It comes at once, and does not tell the client to
// retry.
func (s *Server) futureRevision(revision uint64) *failure {
	f := fail(504, "Timeout", "Timeout: Too large resource version: %d, current: %d", revision, s.store.Revision())
	f.details = wire.Map{"causes": []any{wire.Map{"reason": "ResourceVersionTooLarge",
		"message": "Too large resource version"}}}
	return f
}

// badTimeout returns a failure for a malformed timeout. Upstream does not check it for watches.
// Source: apiserver v0.36 pkg/endpoints/filters request_deadline.go.
func (r *Request) badTimeout() *failure {
	text := r.param("timeout")
	if text == "" {
		return nil
	}
	if _, err := time.ParseDuration(text); err != nil {
		return badRequest("invalid timeout specified in the request URL - %s", err)
	}
	return nil
}
