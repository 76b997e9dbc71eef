package scenario

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An alias leads from a word that the format dropped to a word of now.
func TestAliasesLeadToWordsOfNow(t *testing.T) {
	for _, a := range aliases {
		if a.Field == ShippedName || a.Field == MemberName {
			continue
		}
		assert.Contains(t, Choices(a.Field), a.New)
		assert.NotContains(t, Choices(a.Field), a.Old)
	}
}
