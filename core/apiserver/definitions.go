//go:build !page

package apiserver

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// The server serves the kinds of the CustomResourceDefinitions that it stores.
//
// Deviation: it keeps no schemas, and a deleted definition leaves its objects in the store, where no request reaches
// them. Pinned by TestDefinitions.

// definitionsPrefix begins the storage keys of CustomResourceDefinitions.
const (
	definitionsKey    = "customresourcedefinitions.apiextensions.k8s.io"
	definitionsPrefix = registryPrefix + "/" + definitionsKey + "/"
)

// Definition returns a CustomResourceDefinition as the server stores it, for Config.Definitions. The error names the
// first field that is wrong.
func Definition(now time.Time, o wire.Map) (wire.Map, error) {
	stored := wire.CopyMap(o)
	delete(stored, "kind")
	delete(stored, "apiVersion")
	c := &call{Server: New(Config{}), now: now}
	if causes := validateDefinition(c, stored); len(causes) > 0 {
		return nil, DefinitionError(causes[0])
	}
	establish(c, stored)
	wire.Set(stored, c.instant(), "metadata", "creationTimestamp")
	wire.Set(stored, c.uidFor(""), "metadata", "uid")
	return stored, nil
}

// DefinitionError says which field of a CustomResourceDefinition is wrong.
type DefinitionError validate.Cause

// Error returns the field and what is wrong with it.
func (e DefinitionError) Error() string { return e.Field + ": " + e.Message }

// placeDefinitions stores the definitions of the configuration, as if they had existed before.
func (s *Server) placeDefinitions() {
	for _, o := range s.config.Definitions {
		key := definitionsPrefix + wire.Text(o, "metadata", "name")
		s.store.Place(key, s.config.FirstRevision, &objectVersion{tree: o})
	}
}

// definedKinds returns the kinds of the stored definitions.
func (s *Server) definedKinds() (all []*resource) {
	s.store.Range(definitionsPrefix, "", func(e storage.Entry[*objectVersion]) bool {
		all = append(all, kindOf(wire.Object(e.Value.read(), "spec")))
		return true
	})
	return all
}

// kindOf returns the kind that the spec of a valid definition describes.
func kindOf(spec wire.Map) *resource {
	names := wire.Object(spec, "names")
	r := &resource{
		group: wire.Text(spec, "group"), name: wire.Text(names, "plural"), kind: wire.Text(names, "kind"),
		goKind: wire.Text(names, "kind"), singular: wire.Text(names, "singular"),
		namespaced: wire.Text(spec, "scope") == "Namespaced",
		short:      joined(wire.List(names, "shortNames")), categories: joined(wire.List(names, "categories")),
		scalePaths: wire.Map{},
	}
	if r.singular == "" {
		r.singular = strings.ToLower(r.kind)
	}
	var served []string
	for _, item := range wire.List(spec, "versions") {
		v, _ := item.(wire.Map)
		if v["served"] == true {
			served = append(served, wire.Text(v, "name"))
		}
		for _, name := range []string{"scale", "status"} {
			if has := wire.Object(v, "subresources", name); has != nil && !r.has(name) {
				r.subresources = append(r.subresources, name)
			}
		}
		if paths := wire.Object(v, "subresources", "scale"); paths != nil {
			r.scalePaths = paths
		}
	}
	slices.SortStableFunc(served, compareVersions)
	r.open(served)
	return r
}

func joined(list []any) string {
	var all []string
	for _, item := range list {
		text, _ := item.(string)
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// compareVersions orders versions as upstream prefers them: v2, v1, v1beta2, v1alpha1, and then other names.
// Source: apimachinery v0.36 pkg/version helpers.go CompareKubeAwareVersionStrings.
func compareVersions(a, b string) int {
	x, y := versionRank(a), versionRank(b)
	if c := slices.Compare(y[:], x[:]); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// versionRank returns the stability, the major and the minor number of a version like v1beta2; zeros if it has another
// form.
func versionRank(name string) (rank [3]int) {
	rest, is := strings.CutPrefix(name, "v")
	major, minor, stability := rest, "", 3
	for i, word := range []string{"alpha", "beta"} {
		if before, after, has := strings.Cut(rest, word); has {
			major, minor, stability = before, after, i+1
		}
	}
	m, err := strconv.Atoi(major)
	n, wrong := strconv.Atoi(minor)
	if !is || err != nil || wrong != nil && stability < 3 {
		return rank
	}
	return [3]int{stability, m, n}
}

// validateDefinition checks the members that the server reads.
// Source: apiextensions-apiserver v0.36 pkg/apis/apiextensions/validation validation.go.
func validateDefinition(_ *call, o object) (causes []validate.Cause) {
	require := func(path ...string) string {
		text := wire.Text(o, path...)
		if text == "" {
			causes = append(causes, validate.Required(strings.Join(path, "."), ""))
		}
		return text
	}
	group, plural := require("spec", "group"), require("spec", "names", "plural")
	require("spec", "names", "kind")
	if scope := wire.Text(o, "spec", "scope"); scope != "Namespaced" && scope != "Cluster" {
		causes = append(causes, validate.Unsupported("spec.scope", strconv.Quote(scope), "", "Cluster", "Namespaced"))
	}
	if name, want := wire.Text(o, "metadata", "name"), plural+"."+group; len(causes) == 0 && name != want {
		causes = append(causes, validate.Invalid("metadata.name", strconv.Quote(name), "must be "+want))
	}
	served := false
	for i, item := range wire.List(o, "spec", "versions") {
		v, _ := item.(wire.Map)
		if wire.Text(v, "name") == "" {
			causes = append(causes, validate.Required("spec.versions["+strconv.Itoa(i)+"].name", ""))
		}
		served = served || v["served"] == true
	}
	if !served {
		causes = append(causes, validate.Required("spec.versions", "must have a version with served: true"))
	}
	return causes
}

// establish completes a new definition: the server accepts its names and serves its kind at once, and keeps no schema.
// Source: apiextensions-apiserver v0.36 pkg/controller/status naming_controller.go, pkg/controller/establish.
func establish(c *call, o object) {
	var versions []any
	for _, item := range wire.List(o, "spec", "versions") {
		v := wire.CopyMap(item.(wire.Map))
		delete(v, "schema")
		versions = append(versions, v)
	}
	wire.Set(o, versions, "spec", "versions")
	wire.Set(o, int64(1), "metadata", "generation")
	condition := func(kind, reason, message string) wire.Map {
		return wire.Map{"type": kind, "status": "True", "reason": reason, "message": message,
			"lastTransitionTime": c.instant()}
	}
	stored := []any{}
	for _, item := range versions {
		if v := item.(wire.Map); v["storage"] == true {
			stored = append(stored, v["name"])
		}
	}
	o["status"] = wire.Map{"acceptedNames": wire.Copy(wire.Get(o, "spec", "names")), "storedVersions": stored,
		"conditions": []any{condition("NamesAccepted", "NoConflicts", "no conflicts found"),
			condition("Established", "InitialNamesAccepted", "the initial names have been accepted")}}
}

// establishAgain keeps the conditions of a changed definition, and accepts its new names.
func establishAgain(c *call, o, old object) {
	status := o["status"]
	establish(c, o)
	if c.subresource == "status" {
		o["status"] = status
	} else {
		wire.Set(o, wire.Copy(wire.Get(old, "status", "conditions")), "status", "conditions")
	}
	wire.Set(o, wire.Get(old, "metadata", "generation"), "metadata", "generation")
	c.res.countGeneration(c, o, old)
}
