package grid

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study"
)

// Values parses values separated by commas outside brackets, and expands ranges. FROM..TO/STEP adds STEP each time,
// and FROM..TO/xFACTOR multiplies by FACTOR; both start at FROM and do not exceed TO. FROM..TO/logN gives N values
// from FROM to TO with equal ratios. Examples: "10s..20s/5s" is 10s, 15s, 20s; "1s..10s/x2" is 1s, 2s, 4s, 8s;
// "1ms..10s/log5" is 1ms, 10ms, 100ms, 1s, 10s. A value may be JSON, as in "[a,b],[a]": the commas inside its
// brackets do not separate values.
func Values(text string) ([]string, error) {
	var all []string
	depth, begin := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			switch text[i] {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			if text[i] != ',' || depth > 0 {
				continue
			}
		}
		one := text[begin:i]
		begin = i + 1
		if one == "" {
			return nil, fmt.Errorf("a value is empty; write %s for the field's default", Default)
		}
		values := []string{one}
		if strings.Contains(one, "..") {
			var rule string
			if values, rule = span(one); rule != "" {
				return nil, fmt.Errorf("%q %s", one, rule)
			}
		}
		if all = append(all, values...); len(all) > MaxCombinations {
			return nil, fmt.Errorf("more than %d values; that is the limit", MaxCombinations)
		}
	}
	return all, nil
}

// unit converts the values of one kind to whole numbers and back.
type unit struct {
	read  func(string) (int64, bool)
	write func(int64) string
}

var units = []unit{
	{readLength, func(ns int64) string { return time.Duration(ns).String() }},
	{readDecimal, writeDecimal},
}

// span expands a range. The argument rule describes what a valid range looks like.
func span(text string) (values []string, rule string) {
	from, rest, _ := strings.Cut(text, "..")
	to, step, _ := strings.Cut(rest, "/")
	for _, unit := range units {
		a, isA := unit.read(from)
		b, isB := unit.read(to)
		if !isA || !isB {
			continue
		}
		if strings.HasPrefix(step, "x") || strings.HasPrefix(step, "log") {
			return multiples(unit, a, b, step)
		}
		d, isD := unit.read(step)
		if !isD {
			continue
		}
		if d <= 0 || b < a {
			return nil, "must be FROM..TO/STEP with FROM not above TO and a STEP above 0"
		}
		steps := (uint64(b) - uint64(a)) / uint64(d)
		if steps >= MaxCombinations {
			return nil, fmt.Sprintf("has %d values; the limit is %d: use a longer STEP", steps+1, MaxCombinations)
		}
		for k := range steps + 1 {
			values = append(values, unit.write(a+int64(k)*d))
		}
		return values, ""
	}
	return nil,
		"must be a range FROM..TO/STEP of lengths or of numbers, such as 10s..20s/1s or 0..1/0.25, or 1s..64s/x2, or " +
			"1ms..10s/log9"
}

// `multiples` expands a range whose values have equal ratios. It computes each value from the first value, not from the
// previous one, so that rounding errors do not add up. It returns each rounded value only once.
func multiples(unit unit, a, b int64, step string) (values []string, rule string) {
	factor := strings.TrimPrefix(step, "x")
	count, spaced := strings.CutPrefix(step, "log")
	if a <= 0 || b < a {
		return nil, "must have FROM above 0 and not above TO"
	}
	times, err := strconv.ParseFloat(factor, 64)
	n := 0
	if spaced {
		if n, err = strconv.Atoi(count); err == nil && (n < 2 || n > MaxCombinations) {
			return nil, fmt.Sprintf("must end in logN with N from 2 to %d", MaxCombinations)
		}
		times = study.Root(float64(b)/float64(a), n-1)
	}
	if err != nil || (!spaced && (math.IsNaN(times) || times < 1.001)) {
		return nil,
			"must end in xFACTOR with a FACTOR of at least 1.001, such as x2, or in logN with a number of values, " +
				"such as log9"
	}
	for k := 0; ; k++ {
		exact := float64(a) * study.Power(times, k)
		value := round(exact)
		switch {
		case k == 0:
			value = a
		case spaced && k == n-1:
			value = b
		}
		if (spaced && k == n) || (!spaced && exact > float64(b)*(1+1e-12)) {
			return values, ""
		}
		if len(values) == MaxCombinations {
			return nil, fmt.Sprintf("has more than %d values; that is the limit: use a larger FACTOR", MaxCombinations)
		}
		if text := unit.write(value); len(values) == 0 || values[len(values)-1] != text {
			values = append(values, text)
		}
	}
}

// round keeps three digits, so that people can read and type the values of a range.
func round(exact float64) int64 {
	digits := 1.0
	for exact/digits >= 1000 {
		digits *= 10
	}
	return int64(math.Round(exact/digits) * digits)
}

func readLength(text string) (int64, bool) {
	d, err := time.ParseDuration(text)
	return int64(d), err == nil
}

// readDecimal parses a number with up to nine digits before and after the point, in billionths.
func readDecimal(text string) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, rest, _ := strings.Cut(digits, ".")
	if whole == "" || len(whole) > 9 || len(rest) > 9 || strings.Trim(whole+rest, "0123456789") != "" {
		return 0, false
	}
	n := int64(0)
	for _, digit := range whole + rest + strings.Repeat("0", 9-len(rest)) {
		n = 10*n + int64(digit-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

func writeDecimal(billionths int64) string {
	text, _ := summary.Seconds(billionths).MarshalJSON()
	return string(text)
}
