package httpapi

import (
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/openapi"
)

// Native adds to a configuration what only the command carries, and the page does not: YAML bodies and the OpenAPI
// documents.
func Native(config *apiserver.Config) {
	config.YAML, config.OpenAPI = yaml.YAMLToJSON, openapi.Documents()
	config.StrictYAML = func(data []byte) error {
		_, err := yaml.YAMLToJSONStrict(data)
		return err
	}
}
