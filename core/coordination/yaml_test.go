package coordination_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/coordination"
)

// Keys that are too long for a line, or hold a line break, stand after a question mark; what they lead to begins on the
// line of the colon. sim/conformance compares it with sigs.k8s.io/yaml over random objects.
func TestYAMLOfLongKeys(t *testing.T) {
	long := strings.Repeat("k", 129)
	for object, want := range map[string]string{
		`{"` + long + `":{"a":"b","c":"d"}}`:   "? " + long + "\n: a: b\n  c: d\n",
		`{"` + long + `":["a",{"b":"c"}]}`:     "? " + long + "\n: - a\n  - b: c\n",
		`{"` + long + `":{},"x\ny":"z"}`:       "? " + long + "\n: {}\n? |-\n  x\n  y\n: z\n",
		`{"x\u2028y":{"a":{"b":1}},"z":[1,2]}`: "? 'x\u2028  y'\n: a:\n    b: 1\nz:\n- 1\n- 2\n",
	} {
		assert.Equal(t, want, string(coordination.YAML([]byte(object))))
	}
}
