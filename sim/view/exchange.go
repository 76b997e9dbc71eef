package view

import (
	"fmt"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// This file shows a request as HTTP. The simulator never builds these bytes: electors and server exchange values,
// which is much faster. This file builds the HTTP text afterward from the trace and the stored versions. It uses the
// same encoder as package sim/serve, so the text matches what curl shows for sim/serve.

// tracedRequest contains what the trace says about one request.
type tracedRequest struct {
	sent, served, ended *trace.Record
	state               *timeline.State // at the answer, or at the live cursor if the answer comes later
}

// Exchange returns, as HTTP, the request that a candidate's event belongs to. The cursor c may be where the client
// sent the request, where the server handled it, or where the answer arrived. Served, Ended and the answer are absent
// as long as the live cursor has not passed them. Exchange returns an error if the event is not a candidate's
// request, or comes after the live cursor.
func Exchange(look timeline.Look, c timeline.Cursor) (*protocol.Exchange, error) {
	if look.Live.Before(c) {
		return nil, fmt.Errorf("the session has shown the run only up to %s", words.Instant(look.Live.T))
	}
	found := recordAt(look, c)
	if found == nil || found.Candidate < 0 {
		return nil, fmt.Errorf("the event at %s is not a candidate's request", words.Instant(c.T))
	}
	sentNs := found.Exchange().SentNs
	switch found.Kind {
	case trace.RequestSent:
		sentNs = found.At
	case trace.RequestServed, trace.RequestEnded:
	default:
		return nil, fmt.Errorf("the event at %s is not a request", words.Instant(c.T))
	}
	request := traceRequest(look, sentNs, c, found)
	if request.sent == nil {
		return nil, fmt.Errorf("the request was sent before the start of the known run")
	}
	return exchangeOf(look, request), nil
}

// recordAt returns the trace record at a cursor, or nil. Records have no index, so recordAt recomputes the instant,
// starting just before it. It copies the record, because the next step reuses its memory.
func recordAt(look timeline.Look, c timeline.Cursor) *trace.Record {
	s := look.Run.At(timeline.Cursor{T: c.T - 1, N: -1})
	var found *trace.Record
	for s.Step(c.T, func(r *trace.Record, note explain.Note) {
		if r.At == c.T && note.Place.Ordinal == c.N {
			copied := *r
			found = &copied
		}
	}) {
	}
	return found
}

// traceRequest follows a request from start to end, or to the live cursor. Seq counts the requests of one process, so
// it starts over after a restart. The field Run distinguishes the processes before and after a restart.
func traceRequest(look timeline.Look, sentNs int64, c timeline.Cursor, like *trace.Record) tracedRequest {
	s := look.Run.At(timeline.Cursor{T: sentNs - 1, N: -1})
	request := tracedRequest{state: s}
	for request.ended == nil && s.Step(look.Live.T, func(r *trace.Record, _ explain.Note) {
		if r.Candidate != like.Candidate || r.Seq != like.Seq || r.Run != like.Run {
			return
		}
		copied := *r
		switch r.Kind {
		case trace.RequestSent:
			request.sent = &copied
		case trace.RequestServed:
			request.served = &copied
		case trace.RequestEnded:
			request.ended = &copied
		}
	}) {
	}
	return request
}

// exchangeOf returns the request and its answer as HTTP. A PUT has the metadata of the version that the client had
// read, and the spec that it wants to write. If the store has compacted that version, only name and namespace remain. A
// POST goes to the collection and has a name but no resourceVersion. The faults BrokenBody and EmptyBody change the
// answer on its way, so they come last.
func exchangeOf(look timeline.Look, request tracedRequest) *protocol.Exchange {
	w, r := request.state.World, request.sent
	namespace, name := w.Setup().Namespace, w.Setup().LeaseNames[0]
	kind, version, collection := coordination.KindLease, coordination.APIVersion, "/apis/"+coordination.APIVersion+
		"/namespaces/"+namespace+"/leases"
	if r.Object == elector.ConfigMap {
		kind, version, collection = world.KindConfigMap, "v1", "/api/v1/namespaces/"+namespace+"/configmaps"
	}
	e := &protocol.Exchange{
		Node: w.Node(r.Candidate).Name(), Index: int(r.Candidate), Sent: r.At, Method: "GET", Target: collection + "/" +
			name,
		Headers: []string{"Accept: application/json, */*", "User-Agent: leaselab/v1.36 leader-election"},
	}
	if r.Verb != elector.Get {
		e.Method, e.Headers = "PUT", append(e.Headers, "Content-Type: application/json")
		meta := wire.Map{"name": name, "namespace": namespace}
		if r.Verb == elector.Create {
			e.Method, e.Target = "POST", collection
		} else if before := versionTree(look, w, r.ResourceVersion); before != nil {
			meta = wire.Object(before, "metadata")
		}
		tree := wire.Map{"metadata": meta, "spec": world.SpecTree(&r.Spec, w.Setup().Symbols)}
		if r.Object == elector.ConfigMap {
			tree = w.Setup().ConfigMapTree(meta, &r.Spec)
		}
		tree["kind"], tree["apiVersion"] = kind, version
		e.Body = string(wire.Encode(nil, tree, coordination.LeaseType))
	}
	if request.served != nil {
		served := request.served.At
		e.Served = &served
		e.Status, e.Answer = answerOf(look, w, request.served, lockObject{kind, version, name})
		if after := request.served.Exchange().RetryAfter; after != 0 {
			e.AnswerHeaders = []string{fmt.Sprintf("Retry-After: %d", after.Seconds())}
		}
		switch fault := request.served.Fault; {
		case fault == network.BrokenBody:
			e.Answer = e.Answer[:len(e.Answer)/2]
		case fault == network.EmptyBody && e.Status < 300:
			e.Answer = ""
		}
	}
	if request.ended != nil {
		ended := request.ended.At
		e.Ended, e.Outcome = &ended, explain.OutcomeWord(request.ended.Result)
	}
	return e
}

// versionTree returns the Lease at a resourceVersion, with this resourceVersion in its metadata. It returns nil if
// that version does not exist, or if the store no longer keeps it.
func versionTree(look timeline.Look, w *world.World, resourceVersion int64) wire.Map {
	history := w.Store().History()
	k := history.OrdinalOf(resourceVersion)
	if k < history.First() || k >= history.Len() || history.At(k).Object.ResourceVersion != resourceVersion {
		return nil
	}
	v := history.At(k)
	tree := w.API().Tree(v.Lease, &v.Object)
	wire.Set(tree, fmt.Sprint(resourceVersion), "metadata", "resourceVersion")
	return tree
}

// lockObject is the object that a request is about.
type lockObject struct{ kind, version, name string }

// answerOf returns the status and the body of an answer. The order matters. A fault answers instead of the server, so
// the client does not see the store's outcome. With Http504Applied the server stores the write, and the client still
// sees a timeout. An error body is a Status object, which has the reason that clients check.
func answerOf(look timeline.Look, w *world.World, r *trace.Record, o lockObject) (int, string) {
	kind, version, name := o.kind, o.version, o.name
	if code := faultCode[r.Fault]; code != 0 {
		return code, string(apiserver.Failure(code, kind, name))
	}
	code := map[storage.Outcome]int{
		storage.OK: 200, storage.Created: 201, storage.Updated: 200, storage.Unchanged: 200, storage.NotFound: 404,
		storage.Conflict:      409,
		storage.AlreadyExists: 409, storage.Invalid: 422,
	}[r.Outcome]
	switch {
	case r.Outcome == storage.AlreadyExists:
		return code, string(apiserver.Exists(kind, name))
	case code >= 300:
		return code, string(apiserver.Failure(code, kind, name))
	}
	tree := versionTree(look, w, r.ResourceVersion)
	if tree == nil {
		return code, ""
	}
	tree["kind"], tree["apiVersion"] = kind, version
	return code, string(wire.Encode(nil, tree, coordination.LeaseType))
}

// faultCode maps faults to the HTTP status of the error. Http504Applied is the treacherous one: the client gets 504
// although the write succeeded. A fault without a status, such as a reset, never reaches the client as an answer.
var faultCode = map[network.FaultKind]int{
	network.Http429: 429, network.Http500: 500, network.Http503: 503, network.Http504: 504, network.HttpConflict: 409,
	network.Http504Applied: 504,
	network.Http401:        401, network.Http403: 403, network.Http502: 502,
}
