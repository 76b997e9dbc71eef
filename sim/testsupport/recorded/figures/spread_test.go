package figures

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFisher(t *testing.T) {
	assert.InDelta(t, 0.4857, Fisher(3, 1, 4), 1e-4, "the lady tasting tea, one error each way")
	assert.InDelta(t, 0.0286, Fisher(4, 0, 4), 1e-4, "and none")
	assert.InDelta(t, 1, Fisher(7, 7, 20), 1e-9)
}

func TestApart(t *testing.T) {
	ramp := func(n int, from int64) (d Spread) {
		for i := range n {
			d = append(d, from+int64(i))
		}
		return d
	}
	distance, p := Apart(ramp(1000, 0), ramp(1000, 0))
	assert.Zero(t, distance)
	assert.EqualValues(t, 1, p)
	distance, p = Apart(ramp(1000, 0), ramp(1000, 1000))
	assert.EqualValues(t, 1, distance)
	assert.Less(t, p, 1e-12)
	distance, p = Apart(ramp(1000, 0), ramp(1000, 61))
	assert.InDelta(t, 0.061, distance, 1e-9)
	assert.InDelta(t, 0.0486, p, 0.001, "the tables have 1.358 x sqrt(2/1000) = 0.0607 for 5 %")
}
