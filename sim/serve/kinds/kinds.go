// Package kinds has the kinds of a cluster that core/apiserver serves without a schema.
//
// Guarantee: discovery shows these kinds as kube-apiserver v1.36 does, in the same order. Non-guarantee: only the
// stable versions are there, and only the subresources status and scale.
package kinds

import (
	_ "embed"
	"sync"

	"github.com/leaselab/leaselab/core/apiserver"
)

// kinds.txt is the table that apiserver.ParseKinds describes. TestKindsAreUpstreams, in sim/conformance/types, compares
// it with upstream's discovery, and writes it.
//
//go:embed kinds.txt
var table string

// BuiltIn returns the kinds of a cluster without CustomResourceDefinitions.
var BuiltIn = sync.OnceValue(func() apiserver.Kinds { return apiserver.ParseKinds(table) })
