package kubectl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// kind is a kind of object, by its names and where the API has it.
type kind struct {
	plural, name, group, version string
	namespaced                   bool
}

var kinds = []kind{
	{"leases", "Lease", "coordination.k8s.io", "v1", true},
	{"leasecandidates", "LeaseCandidate", "coordination.k8s.io", "v1beta1", true},
	{"namespaces", "Namespace", "", "v1", false},
}

func kindNames() []string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.plural)
	}
	return all
}

func (k kind) singular() string { return strings.ToLower(k.name) }

func (k kind) apiVersion() string { return strings.TrimPrefix(k.group+"/"+k.version, "/") }

// full is the kind as kubectl names objects of it: "lease.coordination.k8s.io".
func (k kind) full() string { return strings.TrimSuffix(k.singular()+"."+k.group, ".") }

// findKind finds a kind by any of its names: "lease", "Leases", "leases.coordination.k8s.io",
// "leasecandidates.v1alpha2.coordination.k8s.io".
func findKind(word string) (kind, bool) {
	name, group, qualified := strings.Cut(strings.ToLower(word), ".")
	for _, k := range kinds {
		if name != k.plural && name != k.singular() && (name != "ns" || k.name != "Namespace") {
			continue
		}
		if len(group) > 1 && group[0] == 'v' && isDigit(group[1]) {
			k.version, group, _ = strings.Cut(group, ".")
		}
		return k, !qualified || group == k.group
	}
	return kind{}, false
}

// place is where a collection or an object stands. Without a namespace it is that of all of them.
type place struct {
	kind            kind
	namespace, name string
}

// target returns the path of a place with a query of name and value pairs, as kubectl writes it: sorted by name.
func (p place) target(query ...string) string {
	out := "/apis/" + p.kind.group
	if p.kind.group == "" {
		out = "/api"
	}
	out += "/" + p.kind.version
	if p.kind.namespaced && p.namespace != "" {
		out += "/namespaces/" + escape(p.namespace, "%20")
	}
	out += "/" + p.kind.plural
	if p.name != "" {
		out += "/" + escape(p.name, "%20")
	}
	return withQuery(out, query...)
}

// withQuery adds a query of name and value pairs to a path, without those that are empty.
func withQuery(path string, query ...string) string {
	var pairs []string
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			pairs = append(pairs, escape(query[i], "+")+"="+escape(query[i+1], "+"))
		}
	}
	if len(pairs) == 0 {
		return path
	}
	slices.Sort(pairs)
	return path + "?" + strings.Join(pairs, "&")
}

// escape escapes a part of a target as net/url does.
func escape(text, space string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case isLetter(c), isDigit(c), strings.IndexByte("-_.~", c) >= 0:
			out.WriteByte(c)
		case c == ' ':
			out.WriteString(space)
		default:
			out.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return out.String()
}

func isLetter(c byte) bool { return c|32 >= 'a' && c|32 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

func number(n int) string { return strconv.Itoa(n) }

// readTarget returns what a target names, if it is a kind that is served.
func readTarget(target string) (at place, query []apiserver.Param, ok bool) {
	path, _, _ := strings.Cut(target, "?")
	_, query, _ = apiserver.ParseTarget(target)
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if text, _, fine := apiserver.ParseTarget(part); fine {
			parts[i] = text
		}
	}
	group := ""
	switch {
	case len(parts) > 3 && parts[1] == "apis":
		group, parts = parts[2], parts[3:]
	case len(parts) > 2 && parts[1] == "api":
		parts = parts[2:]
	default:
		return at, nil, false
	}
	version, parts := parts[0], parts[1:]
	if len(parts) > 2 && parts[0] == "namespaces" {
		at.namespace, parts = parts[1], parts[2:]
	}
	if len(parts) == 2 {
		at.name = parts[1]
	}
	for _, k := range kinds {
		if len(parts) > 0 && len(parts) < 3 && k.plural == parts[0] && k.group == group {
			at.kind = k
			at.kind.version = version
			return at, query, true
		}
	}
	return at, nil, false
}

// value returns the first value of a parameter.
func value(query []apiserver.Param, name string) string {
	for _, p := range query {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// truth reports whether a parameter is on.
func truth(query []apiserver.Param, name string) bool {
	on := value(query, name)
	return on == "true" || on == "1"
}

// sample returns an object to start from.
func (p place) sample() wire.Map {
	metadata := wire.Map{"name": p.name}
	o := wire.Map{"apiVersion": p.kind.apiVersion(), "kind": p.kind.name, "metadata": metadata}
	if p.kind.namespaced {
		metadata["namespace"] = p.namespace
	}
	switch p.kind.name {
	case "Lease":
		o["spec"] = wire.Map{"holderIdentity": "me", "leaseDurationSeconds": 15, "leaseTransitions": 0}
	case "LeaseCandidate":
		o["spec"] = wire.Map{"leaseName": "demo", "binaryVersion": "1.36.0", "emulationVersion": "1.36.0", "strategy": "OldestEmulationVersion"}
	}
	return o
}

// managed is the sample with the fields that an apply is about.
func (p place) managed() wire.Map {
	o := p.sample()
	if p.kind.name == "Lease" {
		o["spec"] = wire.Map{"leaseDurationSeconds": 30}
	}
	return o
}
