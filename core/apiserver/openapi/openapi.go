// Package openapi has the OpenAPI v3 documents of coordination.k8s.io, events.k8s.io and the core group, which kubectl
// explain and kubectl apply request. Documents serves them by path, and as "v2" the older document for kubectl's
// validation. Only the HTTP server links it; the page does not.
//
// The folder documents has the text: the paths of a namespaced kind, of namespaces and of a group, and all schemas. A
// word such as $KIND in it stands for a name of the kind.
//
// Guarantee: paths, parameters and schemas equal kube-apiserver v1.36's, member by member in the same order.
// Non-guarantee: descriptions differ from upstream's and are shorter; operations and parameters have none. Source:
// kube-openapi pkg/builder3, k8s.io/api v0.36 and apimachinery v0.36 zz_generated.openapi.go.
package openapi

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
)

//go:embed documents
var files embed.FS

// events is the group of the newer Event.
const events = "events.k8s.io"

// versions maps the path of each version's document to the kinds that the version serves.
var versions = map[string][]kind{
	"apis/" + coordination.Group + "/v1":       {{coordination.Group, "v1", "Lease", "leases"}},
	"apis/" + coordination.Group + "/v1beta1":  {{coordination.Group, "v1beta1", "LeaseCandidate", "leasecandidates"}},
	"apis/" + coordination.Group + "/v1alpha2": {{coordination.Group, "v1alpha2", "LeaseCandidate", "leasecandidates"}},
	"apis/" + coordination.Group + "/v1alpha1": {{coordination.Group, "v1alpha1", "LeaseCandidate", "leasecandidates"}},
	"apis/" + events + "/v1":                   {{events, "v1", "Event", "events"}},
	"api/v1": {{"", "v1", "ConfigMap", "configmaps"}, {"", "v1", "Event", "events"},
		{"", "v1", "Namespace", "namespaces"}},
}

// kind is a kind of a version. The core group's name is empty.
type kind struct{ group, version, name, plural string }

// Documents returns a function from a path, such as apis/coordination.k8s.io/v1, to its document, or nil.
func Documents() func(path string) []byte {
	documents := map[string][]byte{"v2": v2(), "api": document(kind{}, kind{}.read("core"))}
	for _, group := range []string{coordination.Group, events} {
		k := kind{group: group}
		documents["apis/"+group] = document(k, k.read("group"))
	}
	for path, kinds := range versions {
		paths := map[string]json.RawMessage{}
		for _, k := range kinds {
			maps.Copy(paths, k.paths())
		}
		documents[path] = document(kinds[0], paths)
	}
	return func(path string) []byte { return documents[path] }
}

// paths returns the paths of a kind, as upstream's installer makes them.
func (k kind) paths() map[string]json.RawMessage {
	if k.name != "Namespace" {
		return k.read("namespaced")
	}
	all := k.read("namespace")
	const named = "/api/v1/namespaces/{name}"
	all[named+"/status"] = ofStatus(all[named])
	return all
}

// ofStatus returns the operations of an object's status, which resemble the object's own.
func ofStatus(object json.RawMessage) json.RawMessage {
	var path struct {
		Get        json.RawMessage `json:"get"`
		Put        json.RawMessage `json:"put"`
		Patch      json.RawMessage `json:"patch"`
		Parameters json.RawMessage `json:"parameters"`
	}
	wrong := json.Unmarshal(object, &path)
	text, err := json.Marshal(path)
	if err := errors.Join(wrong, err); err != nil {
		panic(err) // the program contains the file
	}
	return operation.ReplaceAll(text, []byte(`${1}Status"`))
}

var operation = regexp.MustCompile(`("operationId":"\w+)"`)

// read returns the members of an embedded object, with the names of a kind.
func (k kind) read(file string) map[string]json.RawMessage {
	short, _, _ := strings.Cut(cmp.Or(k.group, "core"), ".")
	root := "/apis/" + k.group + "/" + k.version + "/"
	if k.group == "" {
		root = "/api/" + k.version + "/"
	}
	names := strings.NewReplacer("$GROUP", k.group, "$VERSION", k.version, "$KIND", k.name, "$PLURAL", k.plural,
		"$ROOT", root, "$ID", title(short)+title(k.version), "$TAG", strings.TrimSuffix(short+"_"+k.version, "_"),
		"$SCHEMA", "io.k8s.api."+short+"."+k.version+".")
	text, err := files.ReadFile("documents/" + file + ".json")
	if err != nil {
		panic(err) // the file is embedded
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(names.Replace(string(text))), &all); err != nil {
		panic(err)
	}
	return all
}

func title(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// document returns one complete document: the paths, and the schemas that they use.
func document(k kind, paths map[string]json.RawMessage) []byte {
	used, all := map[string]json.RawMessage{}, k.read("schemas")
	for _, path := range paths {
		collect(used, all, path)
	}
	var d struct {
		OpenAPI    string                     `json:"openapi"`
		Info       json.RawMessage            `json:"info"`
		Paths      map[string]json.RawMessage `json:"paths"`
		Components struct {
			Schemas  map[string]json.RawMessage `json:"schemas"`
			Security json.RawMessage            `json:"securitySchemes"`
		} `json:"components"`
	}
	d.OpenAPI, d.Paths, d.Components.Schemas = "3.0.0", paths, used
	d.Info = json.RawMessage(`{"title":"Kubernetes","version":"1.36"}`)
	d.Components.Security = json.RawMessage(
		`{"BearerToken":{"type":"apiKey","description":"Bearer token","name":"authorization","in":"header"}}`)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		panic(err) // the members are valid JSON
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

var references = regexp.MustCompile(`#/components/schemas/([^"]+)`)

// collect adds the schemas to which a text refers, and those to which these refer.
func collect(used, all map[string]json.RawMessage, text []byte) {
	for _, found := range references.FindAllSubmatch(text, -1) {
		name := string(found[1])
		if used[name] == nil {
			used[name] = all[name]
			collect(used, all, all[name])
		}
	}
}
