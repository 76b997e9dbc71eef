package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/world"
)

// seconds is a length with three decimals, half up: "13.165 s".
func seconds(ns int64) string { return milli(ns) + " s" }

func milli(ns int64) string {
	if ns < 0 { // the offset of a clock that is behind
		return "-" + milli(-ns)
	}
	ms := (ns + 500_000) / 1_000_000
	return fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
}

// instant is a place on the run's clock, half up: "00:34.039".
func instant(ns int64) string {
	ms := (ns + 500_000) / 1_000_000
	if h := ms / 3_600_000; h > 0 {
		return fmt.Sprintf("%02d:%02d:%02d.%03d", h, ms/60_000%60, ms/1000%60, ms%1000)
	}
	return fmt.Sprintf("%02d:%02d.%03d", ms/60_000, ms/1000%60, ms%1000)
}

// Instant is an instant as every text shows it: "00:34.039".
func Instant(ns int64) string { return instant(ns) }

// Seconds is a length as every text shows it: "13.165 s".
func Seconds(ns int64) string { return seconds(ns) }

// short is a length in the unit that suits it: "5.0 ms", "1.250 s".
func short(ns int64) string {
	switch {
	case ns >= 1_000_000_000:
		return seconds(ns)
	case ns >= 1_000_000:
		return fmt.Sprintf("%d.%d ms", (ns+50_000)/1_000_000, (ns+50_000)/100_000%10)
	case ns >= 1000:
		return fmt.Sprintf("%d µs", ns/1000)
	}
	return strconv.FormatInt(ns, 10) + " ns"
}

func percent(draw float64) string { return fmt.Sprintf("%d %% of the range", int(draw*100+0.5)) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func resultWord(r elector.Result) string {
	switch r {
	case elector.ConnRefused:
		return "connection refused"
	case elector.ClientTimeout:
		return "no answer in time"
	case elector.ContextDeadline, elector.NotSentDeadline:
		return "its deadline passed"
	case elector.ContextCanceled, elector.NotSentCanceled:
		return "it was asked to stop"
	case elector.RateLimited:
		return "the client's rate limiter would keep it beyond its deadline"
	case elector.Conflict:
		return "the Lease had changed meanwhile"
	case elector.AlreadyExists:
		return "somebody else had created it"
	case elector.NotFound:
		return "there is no Lease"
	case elector.Invalid:
		return "the API refuses the record"
	case elector.TooManyRequests:
		return "429 too many requests"
	case elector.InternalError:
		return "500 internal error"
	case elector.Unavailable:
		return "503 unavailable"
	case elector.GatewayTimeout:
		return "504 timeout"
	}
	return "ok"
}

// LargestRemainder rounds parts of a sum to milliseconds so that they add up to the rounded total.
func LargestRemainder(partsNs []int64) []int64 {
	total := int64(0)
	for _, p := range partsNs {
		total += p
	}
	want := (total + 500_000) / 1_000_000
	shown := make([]int64, len(partsNs))
	sum := int64(0)
	for i, p := range partsNs {
		shown[i] = p / 1_000_000
		sum += shown[i]
	}
	for ; sum < want; sum++ {
		best := -1
		for i, p := range partsNs {
			if best < 0 || p-shown[i]*1_000_000 > partsNs[best]-shown[best]*1_000_000 {
				best = i
			}
		}
		shown[best]++
	}
	return shown
}

// lockWords are what a lock's record is kept in, in a word.
var lockWords = [...]string{elector.Leases: "Lease", elector.ConfigMaps: "ConfigMap", elector.ConfigMapsLeases: "lock"}

// ofLock is a text about the Lease, as it reads of what a candidate's lock keeps.
func ofLock(w *world.World, i int32, text string) string {
	if w == nil || w.Lock(i) == elector.Leases {
		return text
	}
	return strings.ReplaceAll(text, "Lease", lockWords[w.Lock(i)])
}
