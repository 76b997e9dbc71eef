package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/scenario/rules"
)

func TestNames(t *testing.T) {
	seen, last := map[string]bool{}, 0
	for _, r := range rules.All() {
		found, known := rules.ByName(r.Name)
		assert.True(t, known)
		assert.Equal(t, r, *found, "the name leads back to its rule, so no two share it")
		assert.GreaterOrEqual(t, r.Number, last, "by number")
		assert.NotEmpty(t, r.Title, r.Name)
		seen[r.Name], last = true, r.Number
	}
	assert.Len(t, rules.Names(), len(seen))
	_, known := rules.ByName("MoreThanOneActive")
	assert.False(t, known)
	assert.Equal(t, []string{"safety", "liveness", "observation"}, []string{rules.Safety.String(), rules.Liveness.String(), rules.Observation.String()})
}
