package controllers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/controllers"
	"github.com/leaselab/leaselab/sim/serve/kinds"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// cluster is a server with its controllers at a virtual time.
type cluster struct {
	t      *testing.T
	server *apiserver.Server
	set    *controllers.Set
	now    time.Time
	next   time.Time
}

func newCluster(t *testing.T, candidates string, more ...string) *cluster {
	return newClusterOf(t, nil, candidates, more...)
}

func newClusterOf(t *testing.T, kinds apiserver.Kinds, candidates string, more ...string) *cluster {
	config := apiserver.Config{Kinds: kinds, Coordinated: true, Seed: 1, FirstRevision: 1000, Core: true, IdleBookmarks: true}
	users := rbac.Config{Users: map[string]rbac.User{"secret": rbac.Admin()}, Policy: rbac.Defaults()}
	config.Guard = rbac.New(users).Guard
	for _, version := range append([]string{candidates}, more...) {
		config.Versions = append(config.Versions, strings.TrimPrefix(version, "coordination.k8s.io/"))
	}
	serve.Native(&config)
	c := &cluster{t: t, server: apiserver.New(config), now: time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)}
	require.NoError(t, serve.Prepare(c.server, c.now, ""))
	c.set = controllers.New(controllers.Alone{Server: c.server}, controllers.Options{Candidates: candidates, Core: true})
	c.next = c.set.Advance(c.now)
	return c
}

// ask sends a client's request and lets the controllers act on it.
func (c *cluster) ask(method, target, body string, more ...string) (code int, answer map[string]any) {
	c.t.Helper()
	r := apiserver.Request{Method: method, Body: []byte(body), Header: map[string]string{"content-type": "application/json", "authorization": "Bearer secret"}}
	for i := 0; i < len(more); i += 2 {
		r.Header[more[i]] = more[i+1]
	}
	r.Path, r.Query, _ = apiserver.ParseTarget(target)
	sent := c.server.Handle(c.now, &r)
	require.NoError(c.t, json.Unmarshal(sent.Body, &answer), "%s", sent.Body)
	c.next = c.set.Advance(c.now)
	return sent.Status, answer
}

func (c *cluster) do(method, target, body string, more ...string) map[string]any {
	c.t.Helper()
	code, answer := c.ask(method, target, body, more...)
	require.Less(c.t, code, 300, "%v", answer)
	return answer
}

// pass lets time pass, and the controllers act whenever they want to.
func (c *cluster) pass(d time.Duration) {
	end := c.now.Add(d)
	for !c.next.IsZero() && !c.next.After(end) {
		if c.next.After(c.now) {
			c.now = c.next
		}
		c.next = c.set.Advance(c.now)
	}
	c.now = end
	c.next = c.set.Advance(c.now)
}

// at returns the value at a path of an answer, such as spec.holderIdentity; nil if there is none.
func at(object any, path string) any {
	for _, name := range strings.Split(path, ".") {
		m, _ := object.(map[string]any)
		object = m[name]
	}
	return object
}

const (
	leases     = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	candidates = "/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates"
)

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000000Z") }

// candidate makes a LeaseCandidate as a client does.
func (c *cluster) candidate(name, lease, version string) {
	c.t.Helper()
	c.do("POST", candidates, fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"leaseName":%q,"binaryVersion":%q,"emulationVersion":%q,"strategy":"OldestEmulationVersion","renewTime":%q}}`,
		name, lease, version, version, stamp(c.now)))
}

// ack answers the ping of a candidate, if there is one that it has not answered.
func (c *cluster) ack(path string) bool {
	c.t.Helper()
	o := c.do("GET", path, "")
	pinged, _ := at(o, "spec.pingTime").(string)
	renewed, _ := at(o, "spec.renewTime").(string)
	if pinged <= renewed {
		return false
	}
	c.do("PATCH", path, `{"spec":{"renewTime":"`+stamp(c.now)+`"}}`, "content-type", "application/merge-patch+json")
	return true
}

// Candidates made by clients are elected for every leaseName, in any namespace: the oldest emulation version holds the
// Lease.
func TestElections(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	c.candidate("newer", "demo", "1.37.0")
	lease := c.do("GET", leases+"/demo", "")
	assert.Equal(t, "newer", at(lease, "spec.holderIdentity"))
	assert.Equal(t, "OldestEmulationVersion", at(lease, "spec.strategy"))
	assert.EqualValues(t, 5, at(lease, "spec.leaseDurationSeconds"))
	assert.Equal(t, "kube-apiserver", at(at(lease, "metadata.managedFields").([]any)[0], "manager"))

	c.candidate("alone", "another", "1.36.0")
	assert.Equal(t, "alone", at(c.do("GET", leases+"/another", ""), "spec.holderIdentity"))

	// A better candidate comes while the holder renews: everyone is asked for an ack, then the holder is asked to make
	// way.
	c.do("PATCH", leases+"/demo", `{"spec":{"renewTime":"`+stamp(c.now)+`","leaseDurationSeconds":60}}`, "content-type", "application/merge-patch+json")
	c.pass(20 * time.Second)
	c.candidate("older", "demo", "1.35.0")
	assert.True(t, c.ack(candidates+"/newer"), "the candidate of 20 s ago is pinged")
	c.pass(5 * time.Second)
	lease = c.do("GET", leases+"/demo", "")
	assert.Equal(t, "newer", at(lease, "spec.holderIdentity"))
	assert.Equal(t, "older", at(lease, "spec.preferredHolder"))

	// The holder releases the Lease, and the preferred holder gets it.
	c.do("PATCH", leases+"/demo", `{"spec":{"holderIdentity":""}}`, "content-type", "application/merge-patch+json")
	for range 3 {
		c.ack(candidates + "/newer")
		c.ack(candidates + "/older")
		c.pass(2 * time.Second)
	}
	lease = c.do("GET", leases+"/demo", "")
	assert.Equal(t, "older", at(lease, "spec.holderIdentity"))
	assert.Nil(t, at(lease, "spec.preferredHolder"))

	// A Lease without holderIdentity gets the electee; it crashes upstream's server.
	c.do("POST", leases, `{"metadata":{"name":"empty"},"spec":{"leaseDurationSeconds":5}}`)
	c.candidate("filler", "empty", "1.36.0")
	assert.Equal(t, "filler", at(c.do("GET", leases+"/empty", ""), "spec.holderIdentity"))
}

// A candidate that does not renew for half an hour is deleted in the collector's next round, and is not elected.
func TestOldCandidatesAreDeleted(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	c.candidate("silent", "demo", "1.36.0")
	c.pass(29 * time.Minute)
	code, _ := c.ask("GET", candidates+"/silent", "")
	assert.Equal(t, 200, code)
	c.pass(32 * time.Minute)
	code, _ = c.ask("GET", candidates+"/silent", "")
	assert.Equal(t, 404, code)
}

// In v1alpha1 a candidate has a list of strategies; the candidates elect if all agree on the best of them.
func TestElectionsInV1alpha1(t *testing.T) {
	const alpha = "/apis/coordination.k8s.io/v1alpha1/namespaces/default/leasecandidates"
	c := newCluster(t, "coordination.k8s.io/v1alpha1")
	make := func(name, version string, strategies string) {
		c.do("POST", alpha, fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"leaseName":"demo","binaryVersion":%q,"emulationVersion":%q,"preferredStrategies":[%s],"renewTime":%q}}`,
			name, version, version, strategies, stamp(c.now)))
	}
	make("a", "1.31.0", `"OldestEmulationVersion","example.com/mine"`)
	assert.Equal(t, "a", at(c.do("GET", leases+"/demo", ""), "spec.holderIdentity"))
	make("b", "1.30.0", `"OldestEmulationVersion"`)
	for range 20 { // the ack of v1alpha1 must be later than the ping
		c.pass(700 * time.Millisecond)
		c.ack(alpha + "/a")
		c.ack(alpha + "/b")
	}
	assert.Equal(t, "b", at(c.do("GET", leases+"/demo", ""), "spec.holderIdentity"))
}

// A controller that begins over stored objects acts as one that saw them come, and one without the gate does not act.
func TestControllersBeginOverStoredObjects(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	c.set = controllers.New(controllers.Alone{Server: c.server}, controllers.Options{})
	c.candidate("a", "demo", "1.36.0")
	code, _ := c.ask("GET", leases+"/demo", "")
	assert.Equal(t, 404, code)
	c.set = controllers.New(controllers.Alone{Server: c.server}, controllers.Options{Candidates: "coordination.k8s.io/v1beta1"})
	c.next = c.set.Advance(c.now)
	assert.Equal(t, "a", at(c.do("GET", leases+"/demo", ""), "spec.holderIdentity"))

	// So does one whose changes the server has forgotten.
	c.set = controllers.New(controllers.Alone{Server: c.server}, controllers.Options{Candidates: "coordination.k8s.io/v1beta1"})
	c.server.Restart()
	c.candidate("b", "more", "1.36.0")
	assert.Equal(t, "b", at(c.do("GET", leases+"/more", ""), "spec.holderIdentity"))
}

// A deleted namespace ends with all that is in it; an object with its own finalizer holds it until that is gone.
func TestNamespacesEnd(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	c.do("POST", "/api/v1/namespaces", `{"metadata":{"name":"mine"}}`)
	inMine := strings.Replace(leases, "/default/", "/mine/", 1)
	c.do("POST", inMine, `{"metadata":{"name":"held","finalizers":["example.com/mine"]}}`)
	c.do("POST", inMine, `{"metadata":{"name":"plain"}}`)
	c.do("POST", strings.Replace(candidates, "/default/", "/mine/", 1), `{"metadata":{"name":"one"},"spec":{"leaseName":"x","binaryVersion":"1.36.0","strategy":"example.com/s"}}`)
	c.do("DELETE", "/api/v1/namespaces/mine", "")
	code, o := c.ask("GET", "/api/v1/namespaces/mine", "")
	require.Equal(t, 200, code)
	assert.Equal(t, "Terminating", at(o, "status.phase"))
	assert.Nil(t, at(o, "status.conditions"))
	code, _ = c.ask("GET", inMine+"/plain", "")
	assert.Equal(t, 404, code)
	code, o = c.ask("POST", inMine, `{"metadata":{"name":"late"}}`)
	assert.Equal(t, 403, code)
	assert.Contains(t, at(o, "message"), "because it is being terminated")

	c.do("PATCH", inMine+"/held", `{"metadata":{"finalizers":null}}`, "content-type", "application/merge-patch+json")
	code, _ = c.ask("GET", "/api/v1/namespaces/mine", "")
	assert.Equal(t, 404, code)

	for _, policy := range []string{"Foreground", "Orphan"} {
		c.do("POST", "/api/v1/namespaces", `{"metadata":{"name":"again"}}`)
		c.do("DELETE", "/api/v1/namespaces/again?propagationPolicy="+policy, "")
		code, _ = c.ask("GET", "/api/v1/namespaces/again", "")
		assert.Equal(t, 404, code, policy)
	}
}

// family makes a Lease, and another that it owns.
func (c *cluster) family() {
	c.t.Helper()
	owner := c.do("POST", leases, `{"metadata":{"name":"owner"}}`)
	for _, name := range []string{"a", "b"} {
		c.do("POST", leases, fmt.Sprintf(`{"metadata":{"name":%q,"ownerReferences":[{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","name":"owner","uid":%q,"blockOwnerDeletion":true}]}}`, name, at(owner, "metadata.uid")))
	}
}

// there lists the Leases of the namespace default.
func (c *cluster) there() (names []string) {
	c.t.Helper()
	for _, o := range c.do("GET", leases, "")["items"].([]any) {
		names = append(names, at(o, "metadata.name").(string))
	}
	return names
}

// Dependents go with their owner, or before it, or stay without it, as the deletion asks. A deletion in the foreground
// waits for a dependent that blocks it. An owner of a kind that is not served counts as alive.
func TestGarbage(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	c.family()
	c.do("DELETE", leases+"/owner", "")
	assert.Empty(t, c.there(), "in the background")

	c.family()
	c.do("DELETE", leases+"/owner?propagationPolicy=Orphan", "")
	assert.Equal(t, []string{"a", "b"}, c.there())
	assert.Nil(t, at(c.do("GET", leases+"/a", ""), "metadata.ownerReferences"))
	c.do("DELETE", leases, "")

	c.family()
	c.do("PATCH", leases+"/a", `{"metadata":{"finalizers":["example.com/mine"]}}`, "content-type", "application/merge-patch+json")
	c.do("DELETE", leases+"/owner?propagationPolicy=Foreground", "")
	assert.Equal(t, []string{"a", "owner"}, c.there())
	c.do("PATCH", leases+"/a", `{"metadata":{"finalizers":null}}`, "content-type", "application/merge-patch+json")
	assert.Empty(t, c.there())

	c.do("POST", leases, `{"metadata":{"name":"alone"}}`)
	c.do("DELETE", leases+"/alone?propagationPolicy=Foreground", "")
	assert.Empty(t, c.there())

	c.do("POST", leases, `{"metadata":{"name":"of-a-node","ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"u"}]}}`)
	c.do("POST", leases, `{"metadata":{"name":"of-none","ownerReferences":[{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","name":"never","uid":"u"}]}}`)
	assert.Equal(t, []string{"of-a-node"}, c.there())
}

// Objects of kinds without a schema go with their owners and with their namespace.
func TestGarbageOfOpenKinds(t *testing.T) {
	const deployments, pods = "/apis/apps/v1/namespaces/later/deployments", "/api/v1/namespaces/later/pods"
	c := newClusterOf(t, kinds.BuiltIn(), "coordination.k8s.io/v1beta1")
	c.do("POST", "/api/v1/namespaces", `{"metadata":{"name":"later"}}`)
	owner := c.do("POST", deployments, `{"metadata":{"name":"owner"}}`)
	c.do("POST", pods, `{"metadata":{"name":"owned","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"owner","uid":"`+at(owner, "metadata.uid").(string)+`"}]}}`)
	c.do("POST", pods, `{"metadata":{"name":"alone"}}`)
	c.do("DELETE", deployments+"/owner", "")
	assert.Equal(t, 404, first(c.ask("GET", pods+"/owned", "")))
	assert.Equal(t, 200, first(c.ask("GET", pods+"/alone", "")))
	c.do("DELETE", "/api/v1/namespaces/later", "")
	assert.Equal(t, 404, first(c.ask("GET", pods+"/alone", "")))
	assert.Equal(t, 404, first(c.ask("GET", "/api/v1/namespaces/later", "")))
}

const (
	events     = "/api/v1/namespaces/default/events"
	configMaps = "/api/v1/namespaces/default/configmaps"
)

func first(code int, _ map[string]any) int { return code }

// An Event is kept for an hour after its last write, is found by the fields that kubectl describe asks for, and must be
// in the namespace of its object.
func TestEvents(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	about := `"involvedObject":{"kind":"Lease","namespace":"default","name":"demo","uid":"u"}`
	made := c.do("POST", events, `{"metadata":{"name":"demo.1"},`+about+`,"reason":"LeaderElection","message":"a became leader","type":"Normal","source":{"component":"a"},"count":1,"lastTimestamp":"2026-10-01T09:30:00Z"}`)
	assert.Equal(t, "LeaderElection", made["reason"])
	assert.NotContains(t, made, "eventTime", "no null")
	c.do("POST", events, `{"metadata":{"name":"other.1"},"involvedObject":{"kind":"Lease","namespace":"default","name":"other"},"type":"Warning"}`)
	countFound := func(selector string) (n int) {
		return len(c.do("GET", events+"?fieldSelector="+selector, "")["items"].([]any))
	}
	assert.Equal(t, 1, countFound("involvedObject.name=demo,involvedObject.namespace=default,involvedObject.kind=Lease,involvedObject.uid=u"))
	assert.Equal(t, 1, countFound("reason=LeaderElection"))
	assert.Equal(t, 1, countFound("source=a"))
	assert.Equal(t, 1, countFound("type!=Normal"))
	code, refused := c.ask("GET", events+"?fieldSelector=involvedObject.color=red", "")
	assert.Equal(t, 400, code)
	assert.Equal(t, "field label not supported: involvedObject.color", at(refused, "message"))
	code, refused = c.ask("POST", events, `{"metadata":{"name":"x"},"involvedObject":{"namespace":"kube-system"}}`)
	assert.Equal(t, 422, code)
	assert.Contains(t, at(refused, "message"), "does not match event.namespace")
	code, refused = c.ask("POST", events, `{"metadata":{"generateName":"x."},"involvedObject":{"namespace":"default"},"eventTime":"2026-10-01T09:30:00.000000Z"}`)
	assert.Equal(t, 422, code)
	for _, demanded := range []string{"reportingComponent: Required", "reportingInstance: Required", "action: Required", "reason: Required"} {
		assert.Contains(t, at(refused, "message"), demanded)
	}
	assert.Equal(t, 201, first(c.ask("POST", events, `{"metadata":{"generateName":"x."},"involvedObject":{"namespace":"default"}}`)), "the name of an Event may be any")
	c.do("DELETE", events+"?fieldSelector=reason=", "")
	c.do("POST", events, `{"metadata":{"name":"other.1"},"involvedObject":{"kind":"Lease","namespace":"default","name":"other"},"type":"Warning"}`)
	table := c.do("GET", events, "", "accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	assert.Equal(t, []any{"0s", "Normal", "LeaderElection", "lease/demo", "a became leader"}, at(table["rows"].([]any)[0], "cells"))

	c.pass(50 * time.Minute)
	c.do("PATCH", events+"/demo.1", `{"count":2}`, "content-type", "application/strategic-merge-patch+json")
	c.pass(15 * time.Minute)
	assert.Equal(t, 1, countFound(""), "the other is more than an hour old")
	c.pass(50 * time.Minute)
	assert.Equal(t, 0, countFound(""))
}

// ConfigMaps hold the locks of older clients. An immutable one keeps its data.
func TestConfigMaps(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	c.do("POST", configMaps, `{"metadata":{"name":"lock","annotations":{"control-plane.alpha.kubernetes.io/leader":"{}"}},"data":{"a":"1"},"binaryData":{"b":"AAE="}}`)
	table := c.do("GET", configMaps, "", "accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	assert.Equal(t, []any{"lock", 2.0, "0s"}, at(table["rows"].([]any)[0], "cells"))
	c.do("PATCH", configMaps+"/lock", `{"data":{"a":"2"},"immutable":true}`, "content-type", "application/merge-patch+json")
	code, refused := c.ask("PATCH", configMaps+"/lock", `{"data":{"a":"3"}}`, "content-type", "application/merge-patch+json")
	assert.Equal(t, 422, code)
	assert.Contains(t, at(refused, "message"), "field is immutable when `immutable` is set")
	code, _ = c.ask("PUT", configMaps+"/none", `{"metadata":{"name":"none"}}`)
	assert.Equal(t, 404, code)
	code, refused = c.ask("POST", configMaps, `{"metadata":{"name":"bad"},"data":{"a/b":"1"}}`)
	assert.Equal(t, 422, code)
	assert.Contains(t, at(refused, "message"), "a valid config key must consist of")

	// They go with their namespace.
	c.do("POST", "/api/v1/namespaces", `{"metadata":{"name":"mine"}}`)
	c.do("POST", strings.Replace(configMaps, "/default/", "/mine/", 1), `{"metadata":{"name":"x"}}`)
	c.do("DELETE", "/api/v1/namespaces/mine", "")
	code, _ = c.ask("GET", "/api/v1/namespaces/mine", "")
	assert.Equal(t, 404, code)
}

// A watch gets its bookmark each minute although nothing is written.
func TestIdleWatchesGetBookmarks(t *testing.T) {
	c := newCluster(t, "coordination.k8s.io/v1beta1")
	r := apiserver.Request{Method: "GET", Header: map[string]string{"authorization": "Bearer secret"}}
	r.Path, r.Query, _ = apiserver.ParseTarget(leases + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + fmt.Sprint(c.server.Revision()))
	watch := c.server.Handle(c.now, &r).Watch
	bookmarks := 0
	for range 200 {
		c.now = c.now.Add(time.Second)
		frames, _ := c.server.Poll(c.now, watch)
		for _, f := range frames {
			assert.Contains(t, string(f), `"type":"BOOKMARK"`)
			assert.Contains(t, string(f), fmt.Sprintf(`"resourceVersion":"%d"`, c.server.Revision()))
			bookmarks++
		}
	}
	assert.Equal(t, 3, bookmarks)
}
