package view

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/wire/yaml"
	"github.com/leaselab/leaselab/sim/protocol"
)

// Changes are marked field by field, at any depth and over any number of lines: labels and list items have paths of
// their own.
func TestChangedLinesAreThoseOfTheirFields(t *testing.T) {
	before := []byte(`{"metadata":{"finalizers":["x/one","x/two"],"labels":{"app":"a","name":"demo"},"name":"demo"},"spec":{"holderIdentity":"a"}}`)
	now := []byte(`{"metadata":{"finalizers":["x/one","x/three"],"labels":{"app":"b","name":"demo"},"managedFields":[{"manager":"m"}],"name":"demo"},"spec":{}}`)
	var o protocol.ObjectView
	require.NoError(t, show(&o, now, before))
	assert.Equal(t, string(yaml.Print(now)), o.Text)
	assert.Equal(t, []protocol.YamlLine{
		{Text: "metadata:", Field: "metadata"},
		{Text: "  finalizers:", Field: "metadata.finalizers"},
		{Text: "  - x/one", Field: "metadata.finalizers[0]"},
		{Text: "  - x/two", Mark: "old", Field: "metadata.finalizers[1]"},
		{Text: "  - x/three", Mark: "new", Field: "metadata.finalizers[1]"},
		{Text: "  labels:", Field: "metadata.labels"},
		{Text: "    app: a", Mark: "old", Field: "metadata.labels.app"},
		{Text: "    app: b", Mark: "new", Field: "metadata.labels.app"},
		{Text: "    name: demo", Field: "metadata.labels.name"},
		{Text: "  managedFields: # folded; JSON and copy show them", Mark: "new", Field: "metadata.managedFields"},
		{Text: "  name: demo", Field: "metadata.name"},
		{Text: "spec:", Mark: "old", Field: "spec"},
		{Text: "spec: {}", Mark: "new", Field: "spec"},
		{Text: "  holderIdentity: a", Mark: "old", Field: "spec.holderIdentity"},
	}, o.YAML)
}
