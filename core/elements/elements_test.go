package elements_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/elements"
)

func TestOf(t *testing.T) {
	assert.Equal(t, []string{"3", "1"}, elements.Of([]int{3, 1}, strconv.Itoa))
	assert.NotNil(t, elements.Of(nil, strconv.Itoa))
}

func TestIf(t *testing.T) {
	all := []int{3, 1, 4}
	assert.Equal(t, []int{3, 4}, elements.If(all, func(n int) bool { return n > 2 }))
	assert.Nil(t, elements.If(all, func(n int) bool { return n > 9 }))
	assert.Equal(t, []int{3, 1, 4}, all)
}
