package serve

import (
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/openapi"
)

// ObjectBytes is the maximum length of an object's JSON: by default etcd refuses longer requests.
// Source: etcd v3.6 server/embed config.go DefaultMaxRequestBytes.
const ObjectBytes = 3 << 19

// `documents` builds the OpenAPI documents only once, because a simulation makes a new server for each write.
var documents = sync.OnceValue(openapi.Documents)

// Native sets the parts of config that only the command has: YAML bodies and the OpenAPI documents. The page leaves
// them out.
func Native(config *apiserver.Config) {
	config.YAML, config.OpenAPI = yaml.YAMLToJSON, documents()
	config.StrictYAML = func(data []byte) error {
		_, err := yaml.YAMLToJSONStrict(data)
		return err
	}
}
