package advise

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Setting is what the adviser chooses, in nanoseconds: leaseDuration, renewDeadline, retryPeriod and requestTimeout.
type Setting struct{ Lease, Renew, Retry, Timeout int64 }

const second = int64(time.Second)

// maxRenew is the longest renewDeadline to try.
const maxRenew = 3600 * second

// `never` is an infinite duration.
const never = math.MaxInt64

// `changes` returns the changes that give a scenario's elector this setting.
func (s *Setting) changes() []scenario.Change {
	write := func(ns int64) string { return time.Duration(ns).String() }
	return []scenario.Change{
		{Path: "elector.leaseDuration", Value: write(s.Lease)}, {Path: "elector.renewDeadline", Value: write(s.Renew)},
		{Path: "elector.retryPeriod", Value: write(s.Retry)}, {Path: "elector.requestTimeout", Value: write(s.Timeout)},
	}
}

// String formats the setting as in flags and files.
func (s *Setting) String() string {
	return fmt.Sprintf("leaseDuration %s, renewDeadline %s, retryPeriod %s, requestTimeout %s",
		time.Duration(s.Lease), time.Duration(s.Renew), time.Duration(s.Retry), time.Duration(s.Timeout))
}

// jitterNum / jitterDen is client-go's JitterFactor: renewDeadline must be longer than 1.2 × retryPeriod.
const jitterNum, jitterDen = 6, 5

// lattice lists the settings to measure: common settings, and settings around the bounds of the goals. renewDeadline
// is 1.3 to 8 times retryPeriod, and leaseDuration is 1 to 3 times renewDeadline. The bounds matter most, because the
// best settings for a tight goal are just inside them, and a regular lattice would miss those.
func lattice(goals []Goal, known ground) []Setting {
	latency := boundOf(goals, Latency)
	known.latencyNs += meanLatencyNs(goals)
	retries := []int64{500e6, 1 * second, 1500e6, 2 * second, 3 * second, 4 * second, 5 * second, 8 * second,
		12 * second, 20 * second, 26 * second}
	for _, least := range []bound{writing(boundOf(goals, Writes), known), asking(boundOf(goals, Requests), known)} {
		if edge := int64(least.retryNs); edge > 0 {
			retries = append(retries, ceil(edge, second/10), ceil(edge*21/20, second/10), ceil(edge*9/8, second/10),
				ceil(edge*3/2, second/10))
		}
	}
	l := settings{has: map[Setting]bool{}}
	for _, retry := range slices.Compact(sortValues(retries)) {
		renews := elements.Of([]int64{13, 20, 30, 50, 80}, func(tenths int64) int64 { return retry * tenths / 10 })
		if latency > 0 {
			renews = append(renews, 2*latency+retry, 5*latency+retry)
		}
		for _, renew := range renews {
			for _, tenths := range []int64{10, 12, 15, 20, 30} {
				l.add(Setting{Lease: renew*tenths/10 + 1, Renew: renew, Retry: retry, Timeout: timeout(renew, latency)})
			}
		}
		for _, s := range atBounds(goals, retry) {
			l.add(s)
		}
	}
	return l.all
}

// atBounds lists the settings with a given retryPeriod that just meet the goals. They have the shortest
// renewDeadlines that survive the outage and the longest leaseDurations that allow a takeover in time, each with a
// common and a short requestTimeout.
func atBounds(goals []Goal, retry int64) []Setting {
	survive, latency, takeover := boundOf(goals, Survive), boundOf(goals, Latency), boundOf(goals, Takeover)
	short := max(second, ceil(latency*4/3, second/10))
	var leases []int64 // a takeover also needs 1 to 2.2 retryPeriods and requests
	if takeover > 0 {
		for _, tenths := range []int64{10, 16, 22, 28} {
			leases = append(leases, (takeover-retry*tenths/10)/second*second)
		}
	}
	var all []Setting
	add := func(lease, renew int64) {
		usual := timeout(renew, latency)
		all = append(all, Setting{lease, renew, retry, usual}, Setting{lease, renew, retry, min(usual, short)})
	}
	for _, lease := range leases {
		for _, renew := range []int64{lease - second, lease * 4 / 5, lease * 3 / 5} {
			if renew > survive {
				add(lease, renew)
			}
		}
	}
	if survive > 0 {
		// A request that is under way when the API comes back gets lost, too; the next one starts after its
		// requestTimeout.
		for _, wait := range []int64{0, retry, 2 * retry, short + retry, max(5*second, 2*latency) + retry,
			max(5*second, 2*latency) + 2*retry} {
			renew := survive + wait + second
			add(renew+second, renew)
			for _, lease := range leases {
				if lease > renew+second {
					add(lease, renew)
				}
			}
		}
	}
	return all
}

// settings is a list of distinct settings that client-go accepts.
type settings struct {
	all []Setting
	has map[Setting]bool
}

// add rounds a setting up, because a Lease stores whole seconds, and adds it unless client-go refuses it.
func (l *settings) add(s Setting) {
	s.Lease, s.Renew = ceil(s.Lease, second), ceil(s.Renew, second/10)
	if s.Renew <= s.Retry*jitterNum/jitterDen || s.Renew > maxRenew || s.Lease <= s.Renew || l.has[s] {
		return
	}
	l.has[s] = true
	l.all = append(l.all, s)
}

// `neighbors` lists the settings near a setting: retryPeriod 8 % less or more, renewDeadline and leaseDuration 10 %
// less or more, in every combination that client-go accepts.
func neighbors(s Setting, latency int64) []Setting {
	near := settings{has: map[Setting]bool{}}
	for _, retry := range []int64{s.Retry * 23 / 25, s.Retry, s.Retry * 27 / 25} {
		for _, renew := range []int64{s.Renew * 9 / 10, s.Renew, s.Renew * 11 / 10} {
			for _, lease := range []int64{s.Lease * 9 / 10, s.Lease, s.Lease * 11 / 10 / second * second} {
				usual := timeout(ceil(renew, second/10), latency)
				near.add(Setting{lease, renew, ceil(retry, second/20), usual})
				near.add(Setting{lease, renew, ceil(retry, second/20), min(usual, s.Timeout)})
			}
		}
	}
	return near.all
}

// timeout returns five seconds, as in Kubernetes components, unless latency needs more or renewDeadline needs less.
func timeout(renew, latency int64) int64 {
	return max(min(max(5*second, 2*latency), renew/2/1e6*1e6), 1e6)
}

func ceil(v, unit int64) int64 { return (v + unit - 1) / unit * unit }

func sortValues(values []int64) []int64 {
	slices.Sort(values)
	return values
}

// boundOf returns the bound of the goal with the given name, or 0.
func boundOf(goals []Goal, name string) int64 {
	for i := range goals {
		if goals[i].Name == name {
			return goals[i].Bound
		}
	}
	return 0
}
