package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// Namespaces lists the namespaces that a server starts with. Every cluster has them.
var Namespaces = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

// Prepare creates the Namespaces and the objects in the file fixture; "" means no file. The file may contain anything
// that kubectl and the server print: YAML documents or JSON, one object after the other, Lists, or JSON arrays. Prepare
// creates missing namespaces. An error names the file and the object.
func Prepare(server *apiserver.Server, now time.Time, fixture string) error {
	var objects []fixtureObject
	if fixture != "" {
		data, err := os.ReadFile(fixture)
		if err != nil {
			return fmt.Errorf("--fixture: %w; name a file that leaselab may read", err)
		}
		documents, err := splitObjects(data)
		if err != nil {
			return fmt.Errorf("--fixture %s: the file must contain YAML or JSON: %w", fixture, err)
		}
		objects = arrange(documents)
	}
	given := map[string]bool{}
	for i := range objects {
		if objects[i].Kind == "Namespace" {
			given[objects[i].Metadata.Name] = true
		}
	}
	needed := slices.Clone(Namespaces)
	for i := range objects {
		needed = append(needed, objects[i].Metadata.Namespace)
	}
	for _, name := range needed {
		if name == "" || given[name] {
			continue
		}
		given[name] = true
		if err := server.Load(now, []byte(fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`,
			name))); err != nil {
			return err
		}
	}
	for _, o := range objects {
		if !bytes.HasPrefix(bytes.TrimSpace(o.document), []byte("{")) {
			return fmt.Errorf("--fixture %s: entry %d is not an object with apiVersion, kind and metadata", fixture,
				o.place)
		}
		if err := server.Load(now, o.document); err != nil {
			return fmt.Errorf("--fixture %s: object %d: %w; correct it, or leave it out", fixture, o.place, err)
		}
	}
	return nil
}

// fixtureObject is an object of a fixture.
type fixtureObject struct {
	Kind     string
	Metadata struct{ Namespace, Name string }
	document []byte
	place    int // in the file, from 1
}

// arrange returns the objects of a fixture with namespaces first. It leaves out the status of namespaces, which the
// server makes.
func arrange(documents [][]byte) []fixtureObject {
	var objects []fixtureObject
	for i, document := range documents {
		o := fixtureObject{document: document, place: i + 1}
		var members map[string]json.RawMessage
		if json.Unmarshal(document, &o) == nil && json.Unmarshal(document, &members) == nil &&
			members["status"] != nil {
			delete(members, "status")
			if short, err := json.Marshal(members); err == nil {
				o.document = short
			}
		}
		objects = append(objects, o)
	}
	place := map[bool]int{true: -1} // namespaces come first
	slices.SortStableFunc(objects, func(a, b fixtureObject) int {
		return place[a.Kind == "Namespace"] - place[b.Kind == "Namespace"]
	})
	return objects
}

// splitObjects returns the objects of a file as JSON. It tries JSON first, because a YAML parser would read only the
// first value of a stream of JSON values.
func splitObjects(data []byte) ([][]byte, error) {
	documents, isJSON := stream(data)
	if !isJSON {
		var err error
		if documents, err = documentsOf(data); err != nil {
			return nil, err
		}
	}
	var objects [][]byte
	for _, document := range documents {
		objects = unlist(objects, document)
	}
	return objects, nil
}

// stream returns the values of a file that consists of JSON values, one after the other.
func stream(data []byte) (documents [][]byte, isJSON bool) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var document json.RawMessage
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return documents, true
		}
		if err != nil {
			return nil, false
		}
		documents = append(documents, document)
	}
}

// documentsOf returns the documents of YAML as JSON.
func documentsOf(data []byte) (documents [][]byte, err error) {
	decoder := yamlv3.NewDecoder(bytes.NewReader(data))
	for {
		var node yamlv3.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, err
		}
		document, err := yamlv3.Marshal(&node)
		if err != nil {
			return nil, err
		}
		turned, err := yaml.YAMLToJSON(document)
		if err != nil {
			return nil, err
		}
		documents = append(documents, turned)
	}
}

// unlist appends an object, or the objects of a list. The items of a LeaseList have no kind.
func unlist(objects [][]byte, document []byte) [][]byte {
	var array []json.RawMessage
	if json.Unmarshal(document, &array) == nil {
		for _, item := range array {
			objects = append(objects, item)
		}
		return objects
	}
	var list struct {
		Kind, APIVersion string
		Items            []json.RawMessage
	}
	if err := json.Unmarshal(document, &list); err != nil || list.Items == nil {
		if bytes.Equal(bytes.TrimSpace(document), []byte("null")) {
			return objects
		}
		return append(objects, document)
	}
	kind, _ := strings.CutSuffix(list.Kind, "List")
	for _, item := range list.Items {
		objects = append(objects, addTypeMeta(item, kind, list.APIVersion))
	}
	return objects
}

// addTypeMeta adds kind and apiVersion to an object without both.
func addTypeMeta(item []byte, kind, apiVersion string) []byte {
	var members map[string]json.RawMessage
	if kind == "" || json.Unmarshal(item, &members) != nil || members == nil || members["kind"] != nil ||
		members["apiVersion"] != nil {
		return item
	}
	members["kind"], members["apiVersion"] = wire.Quote(nil, kind), wire.Quote(nil, apiVersion)
	whole, err := json.Marshal(members)
	if err != nil {
		return item
	}
	return whole
}
