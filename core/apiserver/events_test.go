package apiserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/openapi"
)

// The Events of events.k8s.io are the core group's Events under other names, with stricter rules for writes.
func TestEventsOfBothGroups(t *testing.T) {
	const older, newer = "/api/v1/namespaces/default/events", "/apis/events.k8s.io/v1/namespaces/default/events"
	c := newClient(t, func(config *apiserver.Config) { config.Core = true })
	said := func(code int, method, path, body string, headers ...string) map[string]any {
		t.Helper()
		if len(headers) == 0 {
			headers = []string{"content-type", "application/json"}
		}
		r := c.do(method, path, body, headers...)
		require.Equal(t, code, r.Status, "%s", r.Body)
		var object map[string]any
		require.NoError(t, json.Unmarshal(r.Body, &object))
		return object
	}
	made := said(201, "POST", newer, `{"metadata":{"name":"demo.1"},"eventTime":"2026-10-01T09:30:00.000000Z","reportingController":"leaselab.dev/a","reportingInstance":"a-1",
		"action":"Elect","reason":"LeaderElection","regarding":{"kind":"Lease","namespace":"default","name":"demo"},"note":"a leads","type":"Normal"}`)
	assert.Equal(t, "events.k8s.io/v1", made["apiVersion"])
	assert.Equal(t, map[string]any{}, made["deprecatedSource"])
	assert.NotContains(t, made, "involvedObject")
	old := said(200, "GET", older+"/demo.1", "")
	assert.Equal(t, []any{"v1", "a leads", "leaselab.dev/a"}, []any{old["apiVersion"], old["message"], old["reportingComponent"]})
	assert.Equal(t, made["regarding"], old["involvedObject"])
	said(201, "POST", older, `{"metadata":{"name":"demo.2"},"involvedObject":{"kind":"Lease","namespace":"default","name":"demo"},"source":{"component":"b"},"count":3,"lastTimestamp":"2026-10-01T09:30:00Z"}`)
	shown := said(200, "GET", newer+"/demo.2", "")
	assert.Equal(t, []any{map[string]any{"component": "b"}, 3.0, "2026-10-01T09:30:00Z"}, []any{shown["deprecatedSource"], shown["deprecatedCount"], shown["deprecatedLastTimestamp"]})
	for selector, want := range map[string]int{"": 2, "regarding.name=demo": 2, "reportingController=leaselab.dev/a": 1, "reason=LeaderElection": 1} {
		assert.Len(t, said(200, "GET", newer+"?fieldSelector="+selector, "")["items"], want, selector)
		assert.Len(t, said(200, "GET", older, "")["items"], 2, "a list in the one version leaves that in the other")
	}
	assert.Equal(t, "field label not supported: involvedObject.name", said(400, "GET", newer+"?fieldSelector=involvedObject.name=demo", "")["message"])

	series := `{"series":{"count":2,"lastObservedTime":"2026-10-01T09:31:00.000000Z"}}`
	said(200, "PATCH", newer+"/demo.1", series, "content-type", "application/merge-patch+json")
	assert.Contains(t, said(200, "GET", older+"/demo.1", ""), "series")
	refused := said(422, "PATCH", newer+"/demo.1", `{"note":"b leads","regarding":{"name":"x"}}`, "content-type", "application/merge-patch+json")["message"]
	assert.Contains(t, refused, `message: Invalid value: "b leads": field is immutable`)
	assert.Contains(t, refused, `involvedObject: Invalid value: {"kind":"Lease"`)
	refused = said(422, "POST", newer, `{"metadata":{"name":"X"},"type":"Other","series":{"count":1},"deprecatedCount":1,"deprecatedSource":{"host":"h"},"regarding":{"namespace":"default"}}`)["message"]
	for _, fault := range []string{
		"eventTime: Required value", "has invalid value: Other", `count: Invalid value: "": needs to be unset`, `source: Invalid value: "": needs to be unset`,
		"series.count: Invalid value", "series.lastObservedTime: Required value", "metadata.name: Invalid value",
	} {
		assert.Contains(t, refused, fault)
	}
	said(200, "DELETE", newer+"/demo.1", "")
	said(404, "GET", older+"/demo.1", "")
	assert.Contains(t, string(c.do("GET", "/apis", "").Body), "events.k8s.io/v1")

	c = newClient(t, func(*apiserver.Config) {})
	assert.Equal(t, 404, c.do("GET", newer, "").Status)
	assert.NotContains(t, string(c.do("GET", "/apis", "").Body), "events.k8s.io")
}

// The schema of events.k8s.io/v1 describes the members that the server reads and writes, no more and no fewer.
func TestNewEventsAreDescribed(t *testing.T) {
	var document struct {
		Paths      map[string]any
		Components struct {
			Schemas map[string]struct {
				Required   []string
				Properties map[string]any
			}
		}
	}
	require.NoError(t, json.Unmarshal(openapi.Documents()("apis/events.k8s.io/v1"), &document))
	assert.Len(t, document.Paths, 7)
	schema := document.Components.Schemas["io.k8s.api.events.v1.Event"]
	assert.Equal(t, []string{"eventTime"}, schema.Required)
	c := newClient(t, func(config *apiserver.Config) { config.Core = true })
	named, unknown := []string{}, 0
	for name := range schema.Properties {
		named = append(named, name)
	}
	for _, name := range append(named, "involvedObject", "count", "firstTimestamp", "message", "source", "reportingComponent") {
		r := c.do("POST", "/apis/events.k8s.io/v1/namespaces/default/events?fieldValidation=Strict&dryRun=All", `{"`+name+`":null}`, "content-type", "application/json")
		if strings.Contains(string(r.Body), `unknown field \"`+name) {
			unknown++
			assert.NotContains(t, named, name)
		}
	}
	assert.Equal(t, 6, unknown, "the names of the core group")
}
