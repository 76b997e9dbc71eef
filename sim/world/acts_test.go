package world

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/apiserver"
)

// A world knows its old acts, however many came later, and so does its clone. An insertion copies few of them.
func TestOldActsAreKnown(t *testing.T) {
	const all = 4 * mostDone
	var a, clone acts
	a.list = []Control{{AtNs: 10 * all, Source: -1}} // it stays in the future
	for i := range int32(all) {
		if i == all/2 {
			clone = a.clone()
		}
		a.insert([]Control{{AtNs: int64(i), Source: i, Request: &apiserver.Request{}}})
		assert.Equal(t, i, a.take().Source)
		assert.LessOrEqual(t, len(a.list), mostDone+2)
	}
	any := func(*Control) bool { return true }
	for i := range int32(all) {
		assert.NotNil(t, a.find(i, any), "%d", i)
		assert.Equal(t, i < all/2, clone.find(i, any) != nil, "%d", i)
	}
	clone.insert([]Control{{AtNs: all, Source: all + 1}})
	assert.Nil(t, a.find(all+1, any))
	assert.EqualValues(t, 10*all, a.dueNs())
}
