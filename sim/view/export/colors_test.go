package export

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A picture has the colors of the page, in light and in dark.
func TestColorsAreThoseOfThePage(t *testing.T) {
	css, err := os.ReadFile("../../../web/css/tokens.css")
	require.NoError(t, err)
	tokens := map[string][]string{}
	rule := regexp.MustCompile(`--([a-z]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`)
	for _, one := range rule.FindAllStringSubmatch(string(css), -1) {
		tokens[one[1]] = one[2:]
	}
	token := map[string]string{
		"panel": "card", "soft": "mute", "none": "hatch", // surfaces
		"n0": "a", "n1": "b", "n2": "c", "n3": "d", "n4": "e", "n5": "f", "n6": "g", "n7": "h", // nodes
	}
	for line := range strings.Lines(colors) {
		c := strings.Fields(line)
		assert.Equal(t, tokens[cmp.Or(token[c[0]], c[0])], c[1:], c[0])
	}
}
