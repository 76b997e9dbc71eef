package world

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/trace"
)

const demoPath = "/apis/coordination.k8s.io/v1/namespaces/default/leases/demo"

// worldOf is a world with nothing but administrators' requests, one a second.
func worldOf(requests ...apiserver.Request) *World {
	s := &Setup{Symbols: coordination.NewSymbols(), Seed: 1, DurationNs: 3600 * sec, Namespace: "default",
		LeaseNames: []string{"demo"}}
	for i := range requests {
		s.Controls = append(s.Controls, Control{AtNs: int64(i+1) * sec, Kind: DoRequest, Request: &requests[i],
			Source: int32(i)})
	}
	return New(s)
}

func ask(method, path, agent, body string) apiserver.Request {
	r := apiserver.Request{Method: method, Body: []byte(body),
		Header: map[string]string{"user-agent": agent, "accept": "application/json"}}
	r.Path, r.Query, _ = apiserver.ParseTarget(path)
	if method == "PATCH" {
		r.Header["content-type"] = "application/merge-patch+json"
	}
	return r
}

// Typed writes and requests with the same content leave the same bytes, with managedFields.
func TestTypedWritesEqualRequests(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	agents := []string{"leaselab/1", "kubectl-edit/1"}
	for round := range 50 {
		typed := worldOf()
		symbols := typed.setup.Symbols
		var requests []apiserver.Request
		collection := "/apis/coordination.k8s.io/v1/namespaces/default/leases"
		for i := range 12 {
			by := int32(r.IntN(2)) - 1 // the administrator or candidate 0
			agent := agents[-by]
			holder, transitions := fmt.Sprint("holder-", r.IntN(3)), r.IntN(3)
			body := fmt.Sprintf(`{"spec":{"holderIdentity":%q,"leaseTransitions":%d}}`, holder, transitions)
			record := coordination.Record{
				HolderIdentity: symbols.Intern(holder), LeaseTransitions: int32(transitions),
				Present: coordination.HasHolderIdentity | coordination.HasLeaseTransitions,
			}
			at := int64(i+1) * sec
			if i == 0 {
				requests = append(requests, ask("POST", collection, agent, `{"metadata":{"name":"demo"},`+body[1:]))
				_, outcome := typed.store.Create(at, by, 0, record)
				require.Equal(t, storage.Created, outcome)
				continue
			}
			requests = append(requests, ask("PATCH", demoPath, agent, body))
			typed.store.Put(at, by, 0, record)
		}
		asked := worldOf(requests...)
		asked.Run(100*sec, func([]trace.Record) {})
		want, _ := typed.store.Get(0)
		have, _ := asked.store.Get(0)
		assert.Equal(t, leaseText(typed, &want), leaseText(asked, &have), "round %d", round)
		assert.Equal(t, want.ResourceVersion, have.ResourceVersion)
		assert.Zero(t, have.Metadata, "the compact form is enough")
	}
}

func leaseText(w *World, o *storage.Object) string {
	return string(wire.Encode(nil, w.API().Tree(0, o), coordination.LeaseType))
}

// Metadata that a request wrote survives typed writes; the owner of a field that they change loses it.
func TestMetadataOfRequestsStays(t *testing.T) {
	w := worldOf(
		ask("POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases", "kubectl/1",
			`{"metadata":{"name":"demo","labels":{"app":"x"}},"spec":{"holderIdentity":"a","leaseDurationSeconds":15}}`),
	)
	w.Run(10*sec, func([]trace.Record) {})
	o, outcome := w.store.Get(0)
	require.Equal(t, storage.OK, outcome)
	renewed := o.Spec
	renewed.HolderIdentity = w.setup.Symbols.Intern("b")
	require.Equal(t, storage.Updated,
		w.store.Update(storage.Update{AtNs: 20 * sec, ResourceVersion: o.ResourceVersion, UID: o.UID}, &renewed))
	o, _ = w.store.Get(0)
	tree := w.API().Tree(0, &o)
	assert.Equal(t, wire.Map{"app": "x"}, wire.Get(tree, "metadata", "labels"))
	text := wire.Encode(nil, wire.Get(tree, "metadata", "managedFields"), nil)
	assert.JSONEq(t, `[
		{"manager":"kubectl","operation":"Update","apiVersion":"coordination.k8s.io/v1","time":"2000-01-01T00:00:01Z","fieldsType":"FieldsV1",
			"fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:leaseDurationSeconds":{}}}},
		{"manager":"leaselab","operation":"Update","apiVersion":"coordination.k8s.io/v1","time":"2000-01-01T00:00:20Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:holderIdentity":{}}}}
	]`, string(text))
}

// The store keeps other objects beside the Leases, and they share their revisions.
func TestOtherObjects(t *testing.T) {
	path := "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	w := worldOf(
		ask("POST", path, "kubectl/1", `{"metadata":{"name":"other"}}`),
		ask("POST", path, "kubectl/1", `{"metadata":{"name":"demo"}}`),
		ask("POST", path, "kubectl/1", `{"metadata":{"name":"other"}}`),
		ask("DELETE", path+"/other", "kubectl/1", ``),
	)
	var statuses []int64
	var kinds []trace.Kind
	w.Run(100*sec, func(records []trace.Record) {
		for _, r := range records {
			statuses, kinds = append(statuses, r.Write().Status), append(kinds, r.Kind)
		}
	})
	assert.Equal(t, []int64{201, 201, 409, 200}, statuses)
	assert.Equal(t, []trace.Kind{trace.Asked, trace.Written, trace.Asked, trace.Asked}, kinds)
	assert.Equal(t, int64(3), w.store.Revision())
	list := ask("GET", path, "kubectl/1", "")
	answer, _ := w.API().Try(w.now, &list)
	require.Equal(t, 200, answer.Status)
	assert.NotContains(t, string(answer.Body), `"other"`)
	assert.Contains(t, string(answer.Body), `"demo"`)
}
