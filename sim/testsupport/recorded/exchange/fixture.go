package exchange

import (
	"fmt"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve/kinds"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// Token is the administrator's bearer token in the recordings. StrangersToken is the token of a user without rights.
const (
	Token          = "oracle-token"
	StrangersToken = "bad"
)

// NotReplayed gives the reason for each step that no replay can reproduce, by case and step. Another test covers each
// of these steps.
var NotReplayed = map[string]string{
	"neg-accept/8": "the server does not send protobuf, a named deviation; TestProtobufIsNotSent",
	"neg-paths/27": "the other groups that upstream serves; TestOnlyServedGroupsAreListed",
}

// Began is the start of a replay.
var Began = time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)

// Config returns the configuration of the recorded servers of a mode. The caller adds YAML and OpenAPI.
func Config(mode string) apiserver.Config {
	config := apiserver.Config{
		Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, FirstRevision: 1000, Seed: 1,
		Address: "127.0.0.1:26443",
	}
	users := rbac.Config{Users: map[string]rbac.User{Token: rbac.Admin()}}
	switch mode {
	case "cluster", "cluster-off": // as the command serves it
		config.Coordinated, config.Core, config.Kinds = mode == "cluster", true, kinds.BuiltIn()
	case "cle-off":
		config.Coordinated = false
	case "default":
		config.Coordinated, config.Versions = false, nil
	case "rbac":
		users.Users[StrangersToken] = rbac.UserNamed("someuser")
		users.Anonymous, users.Policy = true, rbac.Defaults()
	}
	authority := rbac.New(users)
	if config.Guard = authority.Guard; config.Core {
		config.Reviews = authority.Reviews()
	}
	return config
}

// Fixture is the state that a case starts from: a server with its namespaces, and the manual steps of the recorder.
type Fixture struct {
	Server *apiserver.Server
	c      *Case
	body   string // body of the next request, if the recording has none
	// omitted is the part of an answer that the recording omits.
	omitted string
}

// NewFixture prepares a server for a case.
func NewFixture(c *Case, config apiserver.Config) *Fixture {
	f := &Fixture{Server: apiserver.New(config), c: c}
	namespaces := []string{"default", "kube-system", "ns-a", "ns-b", "ns-keep", "ns-term"}
	if config.Kinds != nil {
		for _, name := range namespaces[:2] {
			if err := f.Server.Load(Began, []byte(`{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"`+name+`"}}`)); err != nil {
				panic(err) // a fixture is part of the test
			}
		}
		namespaces = namespaces[2:]
	}
	for _, namespace := range namespaces {
		f.must(Began, "POST", "/api/v1/namespaces", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"`+
			namespace+`"}}`)
	}
	if c.Server == "cle-on" {
		f.must(Began, "POST", leasesOf+"kube-system/leases",
			`{"metadata":{"name":"leader-election-controller"},"spec":{"holderIdentity":"parked",`+
				`"leaseDurationSeconds":1000000,"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:00:00.000000Z","leaseTransitions":1}}`)
	}
	if c.Server == "restarted" {
		f.Server.Restart()
	}
	return f
}

const leasesOf = "/apis/coordination.k8s.io/v1/namespaces/"

// StepName returns the name of a step in tables.
func StepName(c *Case, step int) string { return fmt.Sprintf("%s/%d", c.Name, step) }

// Before does the recorder's manual step before a step of the case.
func (f *Fixture) Before(now time.Time, step int) {
	if before := byHand[StepName(f.c, step)]; before != nil {
		before(f, now)
	}
}

// Body returns the body to send: the step's, or one that the recording only describes.
func (f *Fixture) Body(recorded string) string {
	if f.body == "" {
		return recorded
	}
	body := f.body
	f.body = ""
	return body
}

// Answer returns an answer without the part that the recording omits.
func (f *Fixture) Answer(body []byte) []byte {
	if f.omitted == "" {
		return body
	}
	body = []byte(strings.ReplaceAll(string(body), f.omitted, "$omitted"))
	f.omitted = ""
	return body
}

// byHand has the recorder's manual steps, by case and step. These steps also build the bodies that a recording only
// describes.
var byHand = map[string]func(f *Fixture, now time.Time){
	"ns-terminating/1": func(f *Fixture, now time.Time) { f.must(now, "DELETE", "/api/v1/namespaces/ns-term", "") },
	// The recorder compacted etcd and restarted kube-apiserver, which itself makes a few writes.
	"expired-continue/9": func(f *Fixture, now time.Time) {
		f.must(now, "POST", "/api/v1/namespaces", `{"metadata":{"name":"kube-public"}}`)
		f.Server.Restart()
	},
	// Between two tries the recorder removed what the first one left behind.
	"del-propagation/16": (*Fixture).clearLeases, "del-propagation/20": (*Fixture).clearLeases,
	"del-propagation/32": (*Fixture).clearLeases,
	"del-propagation/40": (*Fixture).clearLeases, "del-propagation/44": (*Fixture).clearLeases,
	"del-grace/12": (*Fixture).clearLeases,
	// The watch begins at a revision, so it shows the 200 patches since then.
	"watch-burst/1": func(f *Fixture, now time.Time) {
		for _, n := range []string{"1", "2"} {
			f.must(now, "PATCH", leasesOf+"ns-a/leases/w", `{"spec":{"leaseTransitions":`+n+`}}`)
		}
	},
	"patch-json-many/1": func(f *Fixture, _ time.Time) {
		const op = `{"op": "test", "path": "/kind", "value": "Lease"}`
		f.body = "[" + strings.Repeat(op+",", 10000) + op + "]"
	},
	"val-annotation-size/0": func(f *Fixture, _ time.Time) { f.setAnnotated(262143) },
	"val-annotation-size/1": func(f *Fixture, _ time.Time) { f.setAnnotated(262144) },
	"val-body-too-large/0":  func(f *Fixture, _ time.Time) { f.setAnnotated(3145738) },
	// The recorder created the Lease while the feature gate was on.
	"off-ratchet/0": func(f *Fixture, now time.Time) {
		on := NewFixture(&Case{Server: "cle-on"}, Config("cle-on"))
		before := on.Server.Revision()
		on.must(now, "POST", leasesOf+"ns-keep/leases",
			`{"metadata":{"name":"kept"},"spec":{"holderIdentity":"holder-1",`+
				`"leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:00:10.123456Z","leaseTransitions":1,`+
				`"strategy":"OldestEmulationVersion","preferredHolder":"p"}}`)
		for _, change := range on.Server.Changes(before) {
			change.Revision = f.Server.Revision() + 1
			f.Server.Follow(change)
		}
	},
}

// setAnnotated sets the next body to one with an annotation that the recording omits.
func (f *Fixture) setAnnotated(length int) {
	f.omitted = strings.Repeat("x", length)
	f.body = `{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "v", "annotations": {"k": "` + f.omitted + `"}}}`
}

func (f *Fixture) clearLeases(now time.Time) { f.must(now, "DELETE", leasesOf+"ns-a/leases/d", "") }

// must sends a request of the recorder, and panics if the request fails.
func (f *Fixture) must(now time.Time, method, path, body string) {
	media := "application/json"
	if method == "PATCH" {
		media = "application/merge-patch+json"
	}
	r := f.Server.Handle(now, &apiserver.Request{
		Method: method, Path: path, Body: []byte(body),
		Header: map[string]string{"authorization": "Bearer " + Token, "user-agent": "simtest/1.0",
			"content-type": media},
	})
	if r.Status >= 300 {
		panic(fmt.Sprintf("%s %s: %s", method, path, r.Body)) // a fixture is part of the test, so this is a bug
	}
}
