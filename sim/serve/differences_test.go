package serve_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/recorded/exchange"
)

// Requests that this server once answered otherwise than a real kube-apiserver get the real answer, except for those
// that exchange.Named lists.
func TestDifferences(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the page has no net/http")
	}
	all, err := exchange.Differences()
	require.NoError(t, err)
	for i := range all {
		d := &all[i]
		t.Run(d.Name, func(t *testing.T) {
			c := &exchange.Case{Server: "cluster"}
			if d.GateOff {
				c.Server = "cluster-off"
			}
			wrong := d.Replay(newOverHTTP(t, c))
			if _, named := exchange.Named[d.Name]; named {
				assert.NotEmpty(t, wrong, "it matches now: remove it from Named")
				return
			}
			assert.Empty(t, wrong, strings.Join(wrong, "\n"))
		})
	}
	for file, says := range map[string]string{
		"README.md":         "Of %d kinds of requests that random traffic about these, namespaces, and ConfigMaps found to differ, %d now",
		"web/docs/truth.md": "found %d kinds of requests with different answers. %d of them now get the real answer",
	} {
		text, err := os.ReadFile("../../" + file)
		require.NoError(t, err)
		assert.Contains(t, strings.Join(strings.Fields(string(text)), " "), fmt.Sprintf(says, len(all), len(all)-len(exchange.Named)))
	}
}
