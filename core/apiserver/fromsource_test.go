package apiserver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Exchanges that no recording covers, drawn from upstream's source: each names the line that decides it.
func TestDeletionsFromUpstreamsSource(t *testing.T) {
	for _, x := range []struct {
		source  string // in k8s.io/apiserver v0.36.2 pkg/ or k8s.io/apimachinery v0.36.2 pkg/
		target  string // after leasesA; RV stands for the resourceVersion of a, which b is newer than
		body    string
		held    bool // whether a has its own finalizer
		code    int
		message string
		left    string
		marks   []string // finalizers of a, if it remains
	}{
		{source: "endpoints/handlers/delete.go:188", target: "/a?orphanDependents=false", held: true, code: 202, left: "a b", marks: []string{"example.com/x"}},
		{source: "endpoints/handlers/delete.go:188", target: "/a?orphanDependents=false", code: 200, left: "b"},
		{source: "endpoints/handlers/delete.go:188", target: "/a?propagationPolicy=Background", held: true, code: 200, left: "a b", marks: []string{"example.com/x"}},
		{source: "registry/generic/registry/store.go:1001", target: "/a?propagationPolicy=Orphan", code: 200, left: "a b", marks: []string{"orphan"}},
		{source: "registry/generic/registry/store.go:1001", target: "/a", body: `{"orphanDependents":true}`, code: 200, left: "a b", marks: []string{"orphan"}},
		{source: "registry/generic/registry/store.go:1004", target: "/a?propagationPolicy=Foreground", code: 200, left: "a b", marks: []string{"foregroundDeletion"}},
		// The query of a deletion without a body is its options, too: resourceVersion is a precondition of each object.
		{source: "apis/meta/v1/conversion.go:331", target: "/a?resourceVersion=RV", code: 200, left: "b"},
		{source: "apis/meta/v1/conversion.go:331", target: "/b?resourceVersion=RV", code: 409, message: "the ResourceVersion in the precondition", left: "a b"},
		{source: "storage/interfaces.go:377", target: "?resourceVersion=RV", code: 200, left: "b"},
		{source: "storage/interfaces.go:374", target: "?resourceVersion=RV&resourceVersionMatch=Exact", code: 200, left: "b"},
		{source: "storage/interfaces.go:371", target: "?resourceVersion=RV&resourceVersionMatch=NotOlderThan", code: 409, message: "the ResourceVersion in the precondition", left: "b"},
		{source: "storage/interfaces.go:374", target: "?resourceVersion=RV&resourceVersionMatch=Exact", body: `{}`, code: 200, left: "b"},
		{source: "storage/interfaces.go:371", target: "?resourceVersion=RV&resourceVersionMatch=NotOlderThan", body: `{}`, code: 200},
		{source: "storage/errors.go:233", target: "?resourceVersion=999&resourceVersionMatch=NotOlderThan", code: 504, message: "Too large resource version", left: "a b"},
		{source: "apis/meta/internalversion/validation/validation.go:35", target: "?resourceVersionMatch=Exact", code: 422, message: "resourceVersionMatch is forbidden unless resourceVersion is provided", left: "a b"},
		{source: "storage/interfaces.go:368", target: "?resourceVersion=x", code: 400, message: "invalid resource version", left: "a b"},
	} {
		c := newClient(t)
		finalizers := ""
		if x.held {
			finalizers = `,"finalizers":["example.com/x"]`
		}
		c.make(leasesA, `{"metadata":{"name":"a"`+finalizers+`}}`)
		target := strings.ReplaceAll(x.target, "RV", c.ask("GET", leasesA+"/a", "").Metadata.ResourceVersion)
		c.lease("b")
		said := x.source + ": DELETE " + x.target + " " + x.body
		answer := c.ask("DELETE", leasesA+target, x.body)
		assert.Equal(t, x.code, answer.Status, said)
		assert.Contains(t, answer.Message, x.message, said)
		left := c.ask("GET", leasesA, "")
		assert.Equal(t, x.left, left.names(), said)
		if strings.HasPrefix(x.left, "a") {
			a := c.ask("GET", leasesA+"/a", "")
			assert.Equal(t, x.marks, a.Metadata.Finalizers, said)
		}
	}
}

// Exchanges of LeaseCandidates in v1alpha1, which no live server offers any more, drawn from upstream's source: each names the line of
// kubernetes v1.31 pkg/apis/coordination/validation/validation.go that decides it.
func TestOldestCandidatesFromUpstreamsSource(t *testing.T) {
	const (
		list    = `"preferredStrategies":["OldestEmulationVersion"]`
		whole   = `"leaseName":"l","binaryVersion":"1.31.0","emulationVersion":"1.31.0",` + list
		needed  = "must be specified when `strategy` is 'OldestEmulationVersion'"
		invalid = `LeaseCandidate.coordination.k8s.io "a" is invalid: `
	)
	for _, x := range []struct {
		line    int
		before  string // spec of a; "" makes the request a create
		spec    string
		code    int
		message string
	}{
		{line: 97, spec: whole, code: 201},
		{line: 101, spec: strings.Replace(whole, `"leaseName":"l",`, "", 1), code: 422, message: "spec.leaseName: Required value"},
		{line: 110, spec: strings.Replace(whole, `"emulationVersion":"1.31.0"`, `"emulationVersion":"v1"`, 1), code: 422, message: `[spec.emulationVersion: Invalid value: "v1": must be a valid semantic version, spec.emulationVersion: Required value: ` + needed + `]`},
		{line: 119, spec: `"leaseName":"l","binaryVersion":"1","preferredStrategies":["a/b"]`, code: 422, message: `spec.binaryVersion: Invalid value: "1": must be a valid semantic version`},
		{line: 124, spec: strings.Replace(whole, `"binaryVersion":"1.31.0"`, `"binaryVersion":"1.30.0"`, 1), code: 422, message: "spec.binaryVersion: Invalid value: \"1.30.0\": must be greater than or equal to `emulationVersion`"},
		{line: 128, spec: `"leaseName":"l"`, code: 422, message: "spec.preferredStrategies: Required value: must contain at least one strategy"},
		{line: 128, spec: `"leaseName":"l","preferredStrategies":[]`, code: 422, message: "spec.preferredStrategies: Required value: must contain at least one strategy"},
		{line: 135, spec: `"leaseName":"l",` + list, code: 422, message: "[spec.binaryVersion: Required value: " + needed + ", spec.emulationVersion: Required value: " + needed + "]"},
		{line: 138, spec: `"leaseName":"l","binaryVersion":"1.31.0",` + list, code: 422, message: "spec.emulationVersion: Required value: " + needed},
		{line: 142, spec: `"leaseName":"l","preferredStrategies":["a/b","c/d"]`, code: 201},
		{line: 161, spec: `"leaseName":"l","preferredStrategies":["a/b","Other"]`, code: 422, message: `spec.preferredStrategies[1].strategy: Unsupported value: "Other": supported values: "OldestEmulationVersion"`},
		{line: 166, spec: `"leaseName":"l","preferredStrategies":["a/b/c"]`, code: 422, message: `spec.preferredStrategies[0].strategy: Invalid value: "a/b/c"`},
		{line: 84, before: whole, spec: strings.Replace(whole, `"leaseName":"l"`, `"leaseName":"m"`, 1), code: 422, message: `spec.leaseName: Invalid value: "m": field is immutable`},
		{line: 91, before: whole, spec: `"leaseName":"l"`, code: 422, message: "spec.preferredStrategies: Required value: must contain at least one strategy"},
		{line: 91, before: whole, spec: `"leaseName":"l","preferredStrategies":["a/b"]`, code: 200},
	} {
		c := newClient(t, func(config *apiserver.Config) { config.Versions = []string{"v1alpha1"} })
		method, path, version := "POST", oldestA, ""
		if x.before != "" {
			c.make(oldestA, `{"metadata":{"name":"a"},"spec":{`+x.before+`}}`)
			method, path = "PUT", oldestA+"/a"
			version = `,"resourceVersion":"` + c.ask("GET", path, "").Metadata.ResourceVersion + `"`
		}
		answer := c.ask(method, path, `{"metadata":{"name":"a"`+version+`},"spec":{`+x.spec+`}}`)
		assert.Equal(t, x.code, answer.Status, "line %d: %s", x.line, answer.Message)
		if x.code == 422 {
			assert.Contains(t, answer.Message, invalid+x.message, "line %d", x.line)
		}
	}
}
