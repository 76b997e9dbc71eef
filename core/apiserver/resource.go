package apiserver

import (
	"fmt"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/apiserver/selector"
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// resource is a resource of the API and its behavior.
type resource struct {
	group, name, singular, kind string
	goKind                      string // name of the internal type in some errors: "coordination.Lease"
	namespaced                  bool
	short, categories           string // short names in kubectl, and groups of kinds such as "all", with spaces between
	stored                      string // the first part of its keys, if that is not the name
	subresources                []string
	scalePaths                  wire.Map // the paths of a custom kind's replicas; nil for any other kind
	// names the storage version: SHA-256 over group, version and kind
	storageHash string
	versions    []version  // the first is the storage version
	columns     []string   // columns of a table
	cells       [][]string // paths of the columns between name and age
	storage     *version   // storage version, if it belongs to another resource
	review      *Review    // nil for a stored resource
	// The field unconditional allows a replace without a resourceVersion.
	unconditional bool
	onlyPosted    bool // a replace never creates an object
	// The function row returns the cells of a table row. It is nil if the cells are the texts at the paths that the
	// field "cells" lists. The function selects says whether a selector may name a field, and may rewrite the field.
	row            func(object wire.Map, now time.Time) []any
	selects        func(t *selector.Term) bool
	prepareCreate  func(c *call, object wire.Map)
	prepareUpdate  func(c *call, object, old wire.Map)
	validate       func(c *call, object wire.Map) []validate.Cause
	validateUpdate func(c *call, object, old wire.Map) []validate.Cause
}

// version is a version of a resource.
type version struct {
	name    string
	kind    *wire.Type // type of the objects to send
	warning string     // warning about the version's deprecation, without "299 - "
	// renamed pairs member names of the storage version with the names in this version.
	renamed [][2]string
}

// fullName returns the resource as errors name it: leases.coordination.k8s.io.
func (r *resource) fullName() string { return qualify(r.name, r.group) }

func qualify(name, group string) string {
	if group == "" {
		return name
	}
	return name + "." + group
}

// qualifiedKind returns the kind as validation errors name it: Lease.coordination.k8s.io.
func (r *resource) qualifiedKind() string { return qualify(r.kind, r.group) }

// listKind returns LeaseList.
func (r *resource) listKind() string { return r.kind + "List" }

// groupVersion returns the apiVersion of objects: coordination.k8s.io/v1, or v1 for the core group.
func (r *resource) groupVersion(v *version) string {
	if r.group == "" {
		return v.name
	}
	return r.group + "/" + v.name
}

// registryPrefix begins every key.
const registryPrefix = "/registry"

// prefix returns the key prefix of a namespace's objects; "" stands for all namespaces.
func (r *resource) prefix(namespace string) string {
	stored := r.stored
	if stored == "" {
		stored = r.name
	}
	p := registryPrefix + "/" + stored + "/"
	if namespace != "" {
		p += namespace + "/"
	}
	return p
}

// key returns the storage key of an object.
func (r *resource) key(namespace, name string) string {
	if !r.namespaced {
		return r.prefix("") + name
	}
	return r.prefix("") + namespace + "/" + name
}

// storageVersion returns the storage version.
func (r *resource) storageVersion() *version {
	if r.storage != nil {
		return r.storage
	}
	return &r.versions[0]
}

var leases = &resource{
	group: coordination.Group, name: "leases", singular: "lease", kind: "Lease", goKind: "coordination.Lease",
	namespaced: true, storageHash: "gqkMMb/YqFM=",
	columns: []string{"Name", "Holder", "Age"}, cells: [][]string{{"spec", "holderIdentity"}},
	versions:      []version{{name: "v1", kind: coordination.LeaseType}},
	prepareCreate: prepareLeaseCreate, prepareUpdate: prepareLeaseUpdate, validate: validateLease,
	validateUpdate: validateLeaseUpdate,
}

var leaseCandidates = &resource{
	group: coordination.Group, name: "leasecandidates", singular: "leasecandidate", kind: "LeaseCandidate",
	goKind: "coordination.LeaseCandidate", namespaced: true, storageHash: "lvME0iHWE20=",
	columns: []string{"Name", "LeaseName", "BinaryVersion", "EmulationVersion", "Age"},
	cells:   [][]string{{"spec", "leaseName"}, {"spec", "binaryVersion"}, {"spec", "emulationVersion"}},
	versions: []version{
		{name: "v1beta1", kind: coordination.CandidateV1beta1Type,
			warning: "coordination.k8s.io/v1beta1 LeaseCandidate is deprecated in v1.36+, unavailable in v1.39+"},
		{name: "v1alpha2", kind: coordination.CandidateV1alpha2Type,
			warning: "coordination.k8s.io/v1alpha2 LeaseCandidate is deprecated in v1.35+, unavailable in v1.38+"},
		{name: "v1alpha1", kind: coordination.CandidateV1alpha1Type},
	},
	validate: validateCandidate, validateUpdate: validateCandidateUpdate,
}

var namespaces = &resource{
	name: "namespaces", singular: "namespace", kind: "Namespace", goKind: "core.Namespace", short: "ns",
	storageHash: "Q3oi5N2YM8M=", subresources: []string{finalize, "status"},
	columns: []string{"Name", "Status", "Age"}, cells: [][]string{{"status", "phase"}},
	versions:      []version{{name: "v1", kind: coordination.NamespaceType}},
	unconditional: true, onlyPosted: true, prepareCreate: prepareNamespaceCreate, prepareUpdate: prepareNamespaceUpdate,
	validate: validateNamespace, validateUpdate: validateNamespaceUpdate,
}

// resources lists the served resources.
var resources = []*resource{leases, leaseCandidates, namespaces}

// find returns the resource with a name and version in a group, or nil if the server does not serve it.
func (s *Server) find(group, versionName, name string) (*resource, *version) {
	for _, r := range s.served() {
		if r.group != group || r.name != name || !s.offers(r) {
			continue
		}
		for i := range r.versions {
			if r.versions[i].name == versionName && s.serves(group, versionName) {
				return r, &r.versions[i]
			}
		}
	}
	return nil, nil
}

// serves reports whether a version of a group is enabled.
func (s *Server) serves(group, versionName string) bool {
	if group != coordination.Group || versionName == "v1" {
		return true
	}
	return slices.Contains(s.config.Versions, versionName)
}

// convert converts an object to another version. A candidate has one strategy; in v1alpha1 it has a list of
// strategies. The stored object has the list only if the list's length is not 1. Newer versions show the list's first
// strategy.
func convert(o object, from, to *version) object {
	if wire.HasOpenTypes && from.kind.Open {
		return o
	}
	if from.renamed != nil || to.renamed != nil {
		return rename(o, from, to)
	}
	oldest := from.name == "v1alpha1" || to.name == "v1alpha1"
	list := wire.List(o, "spec", "preferredStrategies")
	if from.name == "v1alpha1" && to.name == "v1alpha1" || (!oldest && list == nil) {
		return o
	}
	spec := make(wire.Map, len(wire.Object(o, "spec")))
	for name, value := range wire.Object(o, "spec") {
		spec[name] = value
	}
	switch {
	case to.name == "v1alpha1":
		delete(spec, "strategy")
		if list := strategiesOf(wire.Object(o, "spec")); list != nil {
			spec["preferredStrategies"] = list
		}
	case from.name == "v1alpha1" && len(list) != 1: // stored unchanged
	case len(list) > 0:
		delete(spec, "preferredStrategies")
		spec["strategy"] = list[0]
	}
	whole := make(object, len(o))
	for name, value := range o {
		whole[name] = value
	}
	whole["spec"] = spec
	return whole
}

// strategiesOf returns a stored candidate's list of strategies for v1alpha1.
func strategiesOf(spec wire.Map) []any {
	if strategy := wire.Text(spec, "strategy"); strategy != "" {
		return []any{strategy}
	}
	return wire.List(spec, "preferredStrategies")
}

// selectable returns a failure if a field selector names a field that the resource does not support. Source:
// apimachinery v0.36 pkg/runtime DefaultMetaV1FieldSelectorConversion; kubernetes v1.36 pkg/apis/core/v1
// conversion.go.
func (r *resource) selectable(s selector.Fields) error {
	for i, t := range s {
		known := t.Field == "metadata.name" || (r.namespaced && t.Field == "metadata.namespace") ||
			(r == namespaces && t.Field == "status.phase")
		switch {
		case known, r.selects != nil && r.selects(&s[i]):
		case r == namespaces, r.selects != nil:
			return fmt.Errorf("field label not supported: %s", t.Field)
		default:
			return fmt.Errorf("%q is not a known field selector: only %q, %q", t.Field, "metadata.name",
				"metadata.namespace")
		}
	}
	return nil
}
