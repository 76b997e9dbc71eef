package grid

import (
	"fmt"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/judge/summary"
)

// Values reads the values of a path: separated by commas outside of brackets, ranges written out.
func Values(path, text string) ([]string, error) {
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
		values := []string{one}
		if strings.Contains(one, "..") {
			var rule string
			if values, rule = span(one); rule != "" {
				return nil, fmt.Errorf("%s: %q %s", path, one, rule)
			}
		}
		if all = append(all, values...); len(all) > MaxCombinations {
			return nil, fmt.Errorf("%s: more than %d values; that is the limit", path, MaxCombinations)
		}
	}
	return all, nil
}

// span writes out FROM..TO/STEP. rule is what a bad one must be.
func span(text string) (values []string, rule string) {
	from, rest, _ := strings.Cut(text, "..")
	to, step, _ := strings.Cut(rest, "/")
	for _, unit := range []struct {
		read  func(string) (int64, bool)
		write func(int64) string
	}{{readLength, func(ns int64) string { return time.Duration(ns).String() }}, {readDecimal, writeDecimal}} {
		a, isA := unit.read(from)
		b, isB := unit.read(to)
		d, isD := unit.read(step)
		if !isA || !isB || !isD {
			continue
		}
		if d <= 0 || b < a {
			return nil, "must be FROM..TO/STEP with FROM not above TO and a STEP above 0"
		}
		steps := (uint64(b) - uint64(a)) / uint64(d)
		if steps >= MaxCombinations {
			return nil, fmt.Sprintf("has %d values; the limit is %d", steps+1, MaxCombinations)
		}
		for k := range steps + 1 {
			values = append(values, unit.write(a+int64(k)*d))
		}
		return values, ""
	}
	return nil, "must be a range FROM..TO/STEP of lengths or of numbers, such as 10s..20s/1s or 0..1/0.25"
}

func readLength(text string) (int64, bool) {
	d, err := time.ParseDuration(text)
	return int64(d), err == nil
}

// readDecimal reads a number with up to nine digits before and after the point, in billionths.
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
