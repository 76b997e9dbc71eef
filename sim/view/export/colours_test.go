package export

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tokens are the colours that a rule of the page's tokens sets, by name.
func tokens(t *testing.T, css, rule string) map[string]string {
	t.Helper()
	_, after, found := strings.Cut(css, "\n"+rule+" {")
	require.True(t, found, rule)
	body, _, _ := strings.Cut(after, "}")
	all := map[string]string{}
	for _, one := range regexp.MustCompile(`--([a-z]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(body, -1) {
		all[one[1]] = one[2]
	}
	return all
}

// A picture has the colours of the page, in light and in dark.
func TestColoursAreThoseOfThePage(t *testing.T) {
	css, err := os.ReadFile("../../../web/css/tokens.css")
	require.NoError(t, err)
	light, dark := tokens(t, string(css), ":root"), tokens(t, string(css), `:root[data-theme="dark"]`)
	token := map[string]string{"n0": "a", "n1": "b", "n2": "c", "n3": "d"} // the identities
	for _, c := range colours {
		name := c.class
		if token[name] != "" {
			name = token[name]
		}
		assert.Equal(t, light[name], c.light, "%s in light", c.class)
		assert.Equal(t, dark[name], c.dark, "%s in dark", c.class)
	}
}
