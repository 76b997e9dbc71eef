package main

import (
	"errors"
	"strconv"
	"strings"
)

// size is a flag's value in bytes, written as 1048576, 256Mi or 256MiB. Units are powers of 1024, as in Kubernetes;
// "256M" is an error, because it could mean 10^6 or 2^20.
type size int64

// sizeUnits are the units, the largest first, so that String picks the shortest form.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// String implements pflag.Value. It uses a unit only if the number stays whole, so Set reads the text as the same
// size.
func (s *size) String() string {
	for _, unit := range sizeUnits {
		if n := int64(*s); n > 0 && n%unit.bytes == 0 {
			return strconv.FormatInt(n/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Set implements pflag.Value. It refuses a negative size, and a size above 2^62 bytes, which could overflow.
func (s *size) Set(text string) error {
	number, bytes := text, int64(1)
	for _, unit := range sizeUnits {
		rest, found := strings.CutSuffix(strings.TrimSuffix(text, "B"), unit.name[:2])
		if found {
			number, bytes = rest, unit.bytes
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/bytes {
		return errors.New("must be a number of bytes, or a number with the unit KiB, MiB or GiB, such as 256MiB")
	}
	*s = size(n * bytes)
	return nil
}

// Type implements pflag.Value. The help shows it after the flag.
func (s *size) Type() string { return "size" }
