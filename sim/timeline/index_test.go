package timeline

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Coarser counts keep every request and every worst countdown, wherever the window begins.
func TestBucketsOfAWindow(t *testing.T) {
	b := newBuckets(1)
	var requests int
	for k := range int64(1000) {
		if k%3 == 0 {
			continue
		}
		worst := int64(12_000_000_000)
		switch k {
		case 500:
			worst = 1
		case 700:
			worst = -1
		}
		requests += int(k % 7)
		b.lanes[0] = append(b.lanes[0], bucket{atNs: k * b.widthNs, requests: int(k % 7), worstNs: worst})
	}
	sum := func(w *Buckets) (n int) {
		for _, r := range w.Requests {
			n += r
		}
		return n
	}
	for _, pixelNs := range []int64{0, 1, 999_999_999, 1_000_000_000, 3_700_000_000, 1 << 60} {
		w := b.window(0, 0, 1000*b.widthNs, pixelNs)
		assert.Equal(t, requests, sum(w), "%d ns a pixel", pixelNs)
		assert.Contains(t, w.WorstNs, int64(1))
		assert.Len(t, w.WorstNs, len(w.Requests))
		moved := b.window(0, 400_500_000_000, 1000*b.widthNs, pixelNs)
		assert.Zero(t, (moved.From-w.From)%w.WidthNs)
		assert.LessOrEqual(t, moved.From, int64(400_500_000_000))
		skipped := (moved.From - w.From) / w.WidthNs
		assert.Equal(t, w.Requests[skipped:], moved.Requests)
	}
	// The live cursor's bucket may count requests that the page has not shown yet.
	assert.Len(t, b.window(0, 0, 10_999_999_999, 0).Requests, 10)
	assert.Empty(t, b.window(0, 5_000_000_000, 5_500_000_000, 0).Requests)
	assert.Empty(t, b.window(0, 2_000_000_000_000, 0, 0).Requests)
}
