package serve

import (
	"crypto/subtle"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/openapi"
)

// ObjectBytes is how long the JSON of an object may be: etcd takes no longer requests unless it is told to.
// Source: etcd v3.6 server/embed config.go DefaultMaxRequestBytes.
const ObjectBytes = 3 << 19

// documents are made once: a simulation has a server for each write.
var documents = sync.OnceValue(openapi.Documents)

// Native adds to a configuration what only the command carries, and the page does not: YAML bodies, the OpenAPI documents
// and a comparison of tokens that takes as long for any two.
func Native(config *apiserver.Config) {
	config.YAML, config.OpenAPI = yaml.YAMLToJSON, documents()
	config.SameToken = func(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
	config.StrictYAML = func(data []byte) error {
		_, err := yaml.YAMLToJSONStrict(data)
		return err
	}
}
