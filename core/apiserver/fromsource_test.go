package apiserver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Exchanges that no recording covers, drawn from upstream's source: each names the line that decides it.
func TestDeletionsFromUpstreamsSource(t *testing.T) {
	for _, x := range []struct {
		source  string // in k8s.io/apiserver v0.36.2 pkg/ or k8s.io/apimachinery v0.36.2 pkg/
		target  string // after leasesA; RV stands for the resourceVersion of a, which b is newer than
		body    string
		held    bool // a has a finalizer of its own
		code    int
		message string
		left    string
		marks   []string // finalizers of a, if it is left
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
