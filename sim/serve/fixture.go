package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"sigs.k8s.io/yaml"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Namespaces lists the namespaces that a server starts with.
var Namespaces = []string{"default", "kube-node-lease", "kube-public", "kube-system", "ns-a", "ns-b", "ns-keep"}

// Prepare creates the Namespaces and the objects of the file fixture, "" for none. The file holds YAML documents or JSON, each
// an object, a List, or a JSON array of objects. An error names the file and the object.
func Prepare(server *apiserver.Server, now time.Time, fixture string) error {
	for _, name := range Namespaces {
		if err := server.Load(now, []byte(fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, name))); err != nil {
			return err
		}
	}
	if fixture == "" {
		return nil
	}
	data, err := os.ReadFile(fixture)
	if err != nil {
		return fmt.Errorf("--fixture: %w", err)
	}
	documents, err := split(data)
	if err != nil {
		return fmt.Errorf("--fixture %s: %w", fixture, err)
	}
	for i, document := range documents {
		if err := server.Load(now, document); err != nil {
			return fmt.Errorf("--fixture %s: object %d: %w", fixture, i+1, err)
		}
	}
	return nil
}

// split returns the objects of a file as JSON.
func split(data []byte) ([][]byte, error) {
	var objects [][]byte
	decoder := yamlv3.NewDecoder(bytes.NewReader(data))
	for {
		var node yamlv3.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			return objects, nil
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
		if objects, err = unlist(objects, turned); err != nil {
			return nil, err
		}
	}
}

// unlist appends an object, or the objects of a list.
func unlist(objects [][]byte, document []byte) ([][]byte, error) {
	var array []json.RawMessage
	if json.Unmarshal(document, &array) != nil {
		var list struct{ Items []json.RawMessage }
		if err := json.Unmarshal(document, &list); err != nil || list.Items == nil {
			if bytes.Equal(bytes.TrimSpace(document), []byte("null")) {
				return objects, nil
			}
			return append(objects, document), nil
		}
		array = list.Items
	}
	for _, item := range array {
		objects = append(objects, item)
	}
	return objects, nil
}
