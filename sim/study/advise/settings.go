package advise

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Setting is what the adviser chooses, in nanoseconds.
type Setting struct{ Lease, Renew, Retry, Timeout int64 }

const second = int64(time.Second)

// maxRenew is the longest renewDeadline that is tried.
const maxRenew = 3600 * second

// never is a length without end.
const never = math.MaxInt64

// changes sets the elector of a scenario.
func (s *Setting) changes() []scenario.Change {
	write := func(ns int64) string { return time.Duration(ns).String() }
	return []scenario.Change{
		{Path: "elector.leaseDuration", Value: write(s.Lease)}, {Path: "elector.renewDeadline", Value: write(s.Renew)},
		{Path: "elector.retryPeriod", Value: write(s.Retry)}, {Path: "elector.requestTimeout", Value: write(s.Timeout)},
	}
}

// String is the settings as flags and files have them.
func (s *Setting) String() string {
	return fmt.Sprintf("leaseDuration %s, renewDeadline %s, retryPeriod %s, requestTimeout %s",
		time.Duration(s.Lease), time.Duration(s.Renew), time.Duration(s.Retry), time.Duration(s.Timeout))
}

// jitterNum is client-go's JitterFactor: renewDeadline must be longer than 1.2 × retryPeriod.
const jitterNum, jitterDen = 6, 5

// lattice lists the settings to measure: common ones, and those around the bounds of the goals.
func lattice(goals []Goal) []Setting {
	survive, latency := boundOf(goals, Survive), boundOf(goals, Latency)
	retries := []int64{500e6, 1 * second, 1500e6, 2 * second, 3 * second, 4 * second, 5 * second, 8 * second, 12 * second, 20 * second, 26 * second}
	for _, name := range []string{Writes, Requests} {
		if perMinute := boundOf(goals, name); perMinute > 0 {
			edge := ceil(60*second*thousand/perMinute, second/10)
			retries = append(retries, edge, edge+edge/20, ceil(edge*3/2, second/10))
		}
	}
	var all []Setting
	for _, retry := range slices.Compact(sorted(retries)) {
		shortest := retry * jitterNum / jitterDen
		var renews []int64
		for _, tenths := range []int64{13, 20, 30, 50, 80} {
			renews = append(renews, retry*tenths/10)
		}
		if survive > 0 {
			renews = append(renews, survive+second, survive+retry+second, survive+2*retry+second)
		}
		if latency > 0 {
			renews = append(renews, 2*latency+retry, 5*latency+retry)
		}
		for _, renew := range slices.Compact(sorted(renews)) {
			renew = ceil(renew, second/10)
			if renew <= shortest || renew > maxRenew {
				continue
			}
			var leases []int64
			for _, tenths := range []int64{10, 12, 15, 20, 30} {
				leases = append(leases, ceil(renew*tenths/10+1, second)) // a Lease has whole seconds
			}
			for _, lease := range slices.Compact(sorted(leases)) {
				all = append(all, Setting{Lease: lease, Renew: renew, Retry: retry, Timeout: timeout(renew, latency)})
			}
		}
	}
	return all
}

// around lists the settings near one.
func around(s Setting, latency int64) []Setting {
	var all []Setting
	for _, retry := range []int64{s.Retry * 23 / 25, s.Retry, s.Retry * 27 / 25} {
		for _, renew := range []int64{s.Renew * 9 / 10, s.Renew, s.Renew * 11 / 10} {
			for _, lease := range []int64{s.Lease * 9 / 10, s.Lease, s.Lease * 11 / 10} {
				near := Setting{Lease: ceil(lease, second), Renew: ceil(renew, second/10), Retry: ceil(retry, second/20)}
				if near.Timeout = timeout(near.Renew, latency); near.Lease > near.Renew && near.Renew > near.Retry*jitterNum/jitterDen {
					all = append(all, near)
				}
			}
		}
	}
	return all
}

// timeout is five seconds, as the components of Kubernetes have it, unless latency asks for more or renewDeadline for less.
func timeout(renew, latency int64) int64 {
	return max(min(max(5*second, 2*latency), renew/2/1e6*1e6), 1e6)
}

func ceil(v, unit int64) int64 { return (v + unit - 1) / unit * unit }

func sorted(values []int64) []int64 {
	slices.Sort(values)
	return values
}

// boundOf returns the bound of the goal with a name, 0 if there is none.
func boundOf(goals []Goal, name string) int64 {
	for i := range goals {
		if goals[i].Name == name {
			return goals[i].Bound
		}
	}
	return 0
}
