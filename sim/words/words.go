// Package words formats lengths, instants and counts the way every text of leaselab shows them. Lengths and instants
// are nanoseconds; Seconds, Short, Instant and Count are the functions to know.
//
// Guarantee: every function rounds only once, half away from zero. Non-guarantee: the texts are for readers; nothing
// parses them.
package words

import (
	"strconv"
	"strings"
)

// Seconds formats a length in ns with three decimals: "13.165 s", "-0.250 s".
func Seconds(ns int64) string {
	if ns < 0 {
		return "-" + Seconds(-ns)
	}
	return milliseconds((ns+500_000)/1_000_000) + " s"
}

// WholeSeconds formats a length in ns without decimals if it has none: "30 s", "13.165 s".
func WholeSeconds(ns int64) string {
	if ns%1_000_000_000 == 0 {
		if ns < 0 {
			return "-" + WholeSeconds(-ns)
		}
		return Number(ns/1_000_000_000) + " s"
	}
	return Seconds(ns)
}

// Short writes a non-negative length in ns in a fitting unit: "5.0 ms", "1.250 s", "12 µs".
func Short(ns int64) string {
	switch {
	case ns >= 1_000_000_000:
		return Seconds(ns)
	case ns >= 1_000_000:
		tenths := (ns + 50_000) / 100_000
		return Number(tenths/10) + "." + Number(tenths%10) + " ms"
	case ns >= 1000:
		return Number(ns/1000) + " µs"
	}
	return Number(ns) + " ns"
}

// Instant formats a non-negative instant of a run in ns: "00:34.039", "01:00:00.000".
func Instant(ns int64) string {
	ms := (ns + 500_000) / 1_000_000
	text := two(ms/60_000%60) + ":" + two(ms/1000%60) + "." + milliseconds(ms % 1000)[2:]
	if h := ms / 3_600_000; h > 0 {
		return two(h) + ":" + text
	}
	return text
}

// Hundredths formats a number of hundredths with two decimals: "16.70".
func Hundredths(n int64) string {
	return Number(n/100) + "." + Number(n/10%10) + Number(n%10)
}

// Count formats a number with what it counts: "1 request", "2 requests".
func Count[N int | int32 | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(int64(n)) + " " + many
}

// Times writes how often something happens: "1 time", "2 times".
func Times(n int) string { return Count(n, "time", "times") }

// Number formats a whole number.
func Number(n int64) string { return strconv.FormatInt(n, 10) }

// Thousands formats a whole number with commas: "1,066,000".
func Thousands(n int64) string {
	text := Number(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func milliseconds(ms int64) string {
	return Number(ms/1000) + "." + Number(ms/100%10) + Number(ms/10%10) + Number(ms%10)
}

func two(n int64) string {
	if n < 10 {
		return "0" + Number(n)
	}
	return Number(n)
}

// Wrap breaks a text into lines of at most width bytes. A longer word gets a line.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
