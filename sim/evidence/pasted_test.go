package evidence

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What looks like grep's prefix in a line of another kind stays: the name of a pod may end in a number.
func TestGrepped(t *testing.T) {
	const klog = `I1120 19:16:38.465675   17779 leaderelection.go:258] "Attempting"`
	for line, want := range map[string]struct {
		name string
		n    int
	}{
		"12:" + klog:                      {"", 3},
		"a/b.log:12:" + klog:              {"a/b.log", 11},
		"b-2026-11-20.log-12-" + klog:     {"b-2026-11-20.log", 20},
		"b.log:" + klog:                   {"b.log", 6},
		`C:\logs\b.log:7:` + klog:         {`C:\logs\b.log`, 16},
		"12\t" + klog:                     {"", 3},
		"manager-7-x manager " + klog:     {},
		"manager-7 " + klog:               {},
		"kube-system/manager[m]: " + klog: {},
		`{pod="a:12:b"} ` + klog:          {},
		klog[:len(klog)-12]:               {},
	} {
		name, n := grepped([]byte(line))
		assert.Equal(t, want.name, name, line)
		assert.Equal(t, want.n, n, line)
	}
}

// A line that contains quotation marks keeps its escape sequences: HTML would escape the marks, too.
func TestUnquoted(t *testing.T) {
	for line, want := range map[string]string{
		`> > a`:                             `a`,
		`>a`:                                `a`,
		`&#34;a&quot; &lt;b&gt; &amp;quot;`: `"a" <b> &quot;`,
		`err="status &quot;503&quot;"`:      `err="status &quot;503&quot;"`,
		`a & b`:                             `a & b`,
	} {
		assert.Equal(t, want, string(unquoted([]byte(line))))
	}
}

// A fence ends a YAML document, and the document ends before the sentence after it.
func TestFencedYAML(t *testing.T) {
	report := readFiles(map[string]string{"x": "The Lease:\n```yaml\napiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n" +
		"  name: demo\n  namespace: ns-a\nspec:\n  holderIdentity: node-a\n  renewTime: \"2026-11-20T19:16:38.000000Z\"\n```\nWhat now: wait?\n"}, 1<<20)
	assert.Empty(t, report.Problems)
	require.Len(t, report.Leases, 1)
}
