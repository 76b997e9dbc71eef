package words

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ want, got string }{
		{"13.165 s", Seconds(13_164_500_000)},
		{"13.164 s", Seconds(13_164_499_999)},
		{"-0.250 s", Seconds(-250_000_000)},
		{"0.000 s", Seconds(0)},
		{"9223372036.854 s", Seconds(math.MaxInt64 - 1_000_000)},
		{"30 s", WholeSeconds(30e9)},
		{"-30 s", WholeSeconds(-30e9)},
		{"30.001 s", WholeSeconds(30_001e6)},
		{"1.250 s", Short(1_250e6)},
		{"5.0 ms", Short(5e6)},
		{"10.0 ms", Short(9_950_000)},
		{"12 µs", Short(12_999)},
		{"999 ns", Short(999)},
		{"00:34.039", Instant(34_038_500_000)},
		{"01:00:00.000", Instant(3_599_999_500_000)},
		{"16.70", Hundredths(1670)},
		{"0.05", Hundredths(5)},
		{"1 request", Count(1, "request", "requests")},
		{"0 requests", Count(0, "request", "requests")},
		{"2 times", Times(2)},
	} {
		assert.Equal(t, c.want, c.got)
	}
}
