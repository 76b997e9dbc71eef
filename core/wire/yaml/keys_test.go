package yaml_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/wire/yaml"
)

// A key that is too long for a line, or that holds a line break, follows a question mark; its value begins on the line
// of the colon. sim/conformance compares random objects with sigs.k8s.io/yaml.
func TestYAMLOfLongKeys(t *testing.T) {
	long := strings.Repeat("k", 129)
	for object, want := range map[string]string{
		`{"` + long + `":{"a":"b","c":"d"}}`:   "? " + long + "\n: a: b\n  c: d\n",
		`{"` + long + `":["a",{"b":"c"}]}`:     "? " + long + "\n: - a\n  - b: c\n",
		`{"` + long + `":{},"x\ny":"z"}`:       "? " + long + "\n: {}\n? |-\n  x\n  y\n: z\n",
		`{"x\u2028y":{"a":{"b":1}},"z":[1,2]}`: "? 'x\u2028  y'\n: a:\n    b: 1\nz:\n- 1\n- 2\n",
	} {
		assert.Equal(t, want, string(yaml.Print([]byte(object))))
	}
}

// Each line names its field, even if the field takes several lines or is an item of a list.
func TestLinesNameTheirFields(t *testing.T) {
	const object = `{"a":{"b":"one\ntwo","c":[{"d":1,"e":2},"f",[]],"g":{}},"h":"` + "x" + `"}`
	assert.Equal(t, []yaml.Line{
		{Path: "a", Text: "a:"}, {Path: "a.b", Text: "  b: |-"}, {Path: "a.b", Text: "    one"}, {Path: "a.b", Text: "    two"},
		{Path: "a.c", Text: "  c:"}, {Path: "a.c[0]", Text: "  - d: 1"}, {Path: "a.c[0].e", Text: "    e: 2"}, {Path: "a.c[1]", Text: "  - f"},
		{Path: "a.c[2]", Text: "  - []"}, {Path: "a.g", Text: "  g: {}"}, {Path: "h", Text: "h: x"},
	}, yaml.Lines([]byte(object)))
	long := `{"text":"` + strings.Repeat("word ", 40) + `end"}`
	var texts []string
	for _, l := range yaml.Lines([]byte(long)) {
		assert.Equal(t, "text", l.Path)
		texts = append(texts, l.Text)
	}
	assert.Greater(t, len(texts), 2)
	assert.Equal(t, string(yaml.Print([]byte(long))), strings.Join(texts, "\n")+"\n")
}
