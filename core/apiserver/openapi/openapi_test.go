package openapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// Package apiserver's replay compares the documents with recorded ones. Here they must be complete and describe the
// objects that the server reads.
func TestDocuments(t *testing.T) {
	find := Documents()
	for path, spec := range map[string]*wire.Type{
		"v1": coordination.LeaseType, "v1beta1": coordination.CandidateV1beta1Type, "v1alpha2": coordination.CandidateV1alpha2Type, "v1alpha1": coordination.CandidateV1alpha1Type,
	} {
		data := find("apis/coordination.k8s.io/" + path)
		var document struct {
			Paths      map[string]any
			Components struct {
				Schemas map[string]struct {
					Description string
					Properties  map[string]struct{ Description string }
				}
			}
		}
		require.NoError(t, json.Unmarshal(data, &document), path)
		assert.Len(t, document.Paths, 7, path)
		schemas := document.Components.Schemas
		for _, part := range strings.Split(string(data), `"$ref":"#/components/schemas/`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			assert.Contains(t, schemas, name, path)
		}
		for name, s := range schemas {
			assert.NotEmpty(t, s.Description, name)
			for member, p := range s.Properties {
				assert.NotEmpty(t, p.Description, "%s.%s", name, member)
			}
		}
		described := schemas["io.k8s.api.coordination."+path+"."+versions["apis/coordination.k8s.io/"+path][0].name+"Spec"].Properties
		fields := spec.Field("spec").Type.Fields
		assert.Len(t, described, len(fields), path)
		for _, field := range fields {
			assert.Contains(t, described, field.Name, path)
		}
	}
	for _, path := range []string{"api", "api/v1", "apis/events.k8s.io", "apis/events.k8s.io/v1"} {
		data := string(find(path))
		require.True(t, json.Valid([]byte(data)), path)
		for _, part := range strings.Split(data, `"$ref":"#/components/schemas/`)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			assert.Contains(t, data, `"`+name+`":{"description":`, path)
		}
	}
	assert.NotNil(t, find("apis/coordination.k8s.io"))
	assert.Nil(t, find("apis/coordination.k8s.io/v2"))
}
