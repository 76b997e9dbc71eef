package expect

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// limits are a clause's bounds in words.
func limits(e *scenario.Expect) string {
	least, most := string(e.AtLeast), string(e.AtMost)
	unit := ""
	if e.UnitOf() == scenario.UnitCount {
		unit = " times"
	}
	switch {
	case least == "" && most == "":
		return ""
	case least == most:
		return ", exactly " + least + unit
	case most == "0":
		return ", never"
	case most == "":
		return ", at least " + least + unit
	case least == "":
		return ", at most " + most + unit
	}
	return ", between " + least + " and " + most + unit
}

// amount is a figure in words: nanoseconds of a length, thousandths of a number.
func amount(n int64, unit scenario.Unit) string {
	if unit == scenario.UnitLength {
		return decimals(n, 1_000_000_000, 9) + " s"
	}
	return decimals(n, 1000, 3)
}

func decimals(n, one int64, digits int) string {
	text := strconv.FormatInt(n/one, 10)
	if rest := n % one; rest != 0 {
		fraction := strconv.FormatInt(rest, 10)
		text += "." + strings.TrimRight(strings.Repeat("0", digits-len(fraction))+fraction, "0")
	}
	return text
}
