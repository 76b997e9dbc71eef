package advise

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// probe is a kind of run that measures goals. Each probe draws the instant of its act from a window of one
// retryPeriod (within), so that each seed hits the leader at a different time between two renewals.
type probe uint8

const (
	crash  probe = iota // the leader crashes
	outage              // for some time, all requests of all candidates get lost
	calm                // nothing happens
	cut                 // the leader loses its network for good
	noProbe
)

// actAt is the instant of a probe's act, long after the first election.
const actAt = 30 * second

// calmNs is the length of a calm run.
const calmNs = 10 * 60 * second

// `changes` returns the changed fields of the scenario for a probe of a setting. A run must be long enough for the
// slowest takeover: leaseDuration, two polls of up to 2.2 retryPeriods each, and requests that time out. A run that
// ends without a takeover counts as "never", so a shorter run would count slow settings as failures.
func (p probe) changes(s *Setting, goals []Goal) []scenario.Change {
	all := s.changes()
	length := calmNs
	act := ""
	within := time.Duration(s.Retry)
	switch p {
	case crash:
		length = actAt + s.Retry + s.Lease + 8*s.Retry + 4*s.Timeout
		act = fmt.Sprintf(`{"at":"30s","act":"crash","target":"holder","within":"%s"}`, within)
	case outage:
		survive := boundOf(goals, Survive)
		length = actAt + 2*s.Retry + survive + s.Renew + 10*second
		act = fmt.Sprintf(`{"at":"30s","act":"cut","target":"*","mode":"drop","within":"%s","for":"%s"}`, within,
			time.Duration(survive))
	case cut:
		length = actAt + s.Retry + 2*s.Lease + 8*s.Retry + 4*s.Timeout
		act = fmt.Sprintf(`{"at":"30s","act":"cut","target":"holder","within":"%s"}`, within)
	}
	all = append(all, scenario.Change{Path: "duration", Value: time.Duration(length).String()},
		scenario.Change{Path: "actions", Value: "[" + act + "]"}, scenario.Change{Path: "expect", Value: "[]"})
	if latency := boundOf(goals, Latency); latency > 0 {
		all = append(all, scenario.Change{Path: "network.responseLatency", Value: grid.Default}, scenario.Change{
			Path:  "network.responseDistribution",
			Value: fmt.Sprintf(`{"p50":"%s","p99":"%s"}`, time.Duration(typical(latency)), time.Duration(latency)),
		})
	}
	return all
}

// typicalShare is the ratio of p99 to median that a log-normal latency has if the goal gives only the p99. Latencies
// have a long tail: for a p99 of 3 s, the median is 100 ms.
const typicalShare = 30

// `typical` returns the median of response times with the given p99, rounded to two digits.
func typical(latency int64) int64 {
	ns, unit := latency/typicalShare, int64(1)
	for ns/unit >= 100 {
		unit *= 10
	}
	return ns / unit * unit
}

// latencyText describes how long answers take. It returns "" if no goal is about latency.
func latencyText(goals []Goal) string {
	latency := boundOf(goals, Latency)
	if latency == 0 {
		return ""
	}
	return fmt.Sprintf("answers take %s at p50 and %s at p99, log-normally", time.Duration(typical(latency)),
		time.Duration(latency))
}

// `describe` describes the runs of a probe.
func (p probe) describe(goals []Goal) string {
	return [...]string{
		crash: "the leader crashes at a random phase of its renewals",
		outage: "all requests get lost for " + time.Duration(boundOf(goals, Survive)).String() +
			", beginning at a random phase of the leader's renewals",
		calm: "ten minutes without a fault",
		cut:  "the leader is cut off at a random phase of its renewals",
	}[p]
}

// measurement is the result of a probe's runs for one goal. For survive and latency, `value` is the number of runs that
// lost their leader, so 0 meets the goal.
type measurement struct {
	value int64 // in the unit of the goal's bound
	runs  int
	hits  int // number of runs that meet the goal, for goals that every run must meet
}

// measure computes the value of a goal from the runs of its probe.
func (g *Goal) measure(runs []grid.Seeded) measurement {
	m := measurement{runs: len(runs)}
	var values []int64
	total, virtual, most := int64(0), int64(0), int64(-1)
	for i := range runs {
		one := &runs[i]
		value := g.valueIn(&one.Run)
		most = max(most, value)
		values = append(values, value)
		total, virtual = total+value, virtual+one.VirtualNs
		if value == 0 {
			m.hits++
		}
	}
	switch g.Name {
	case Takeover:
		m.value = study.Quantile(sortValues(values), g.Share)
	case Overlap:
		m.value = most
	case Writes, Requests:
		m.value = int64(float64(total)*thousand/(float64(virtual)/60e9) + 0.5)
	default: // each run must keep its leader
		m.value = int64(m.runs - m.hits)
	}
	return m
}

// valueIn returns what one run measures for a goal.
func (g *Goal) valueIn(one *grid.Run) int64 {
	switch g.Name {
	case Takeover:
		if one.Changes == 0 {
			return never
		}
		return one.LeaderlessNs
	case Overlap:
		return one.DoubleNs
	case Writes:
		return one.Writes
	case Requests:
		return one.Requests
	}
	if one.Changes > 0 || one.LeaderlessNs > 0 {
		return 1 // the run lost its leader
	}
	return 0
}

// isMetBy reports whether a value meets the goal.
func (g *Goal) isMetBy(m measurement) bool {
	switch g.Name {
	case Survive, Latency:
		return m.value == 0
	}
	return m.value <= g.Bound
}

// `says` describes a measured value in words.
func (g *Goal) says(m measurement) string {
	switch g.Name {
	case Survive, Latency:
		return fmt.Sprintf("kept in %d of %d", m.hits, m.runs)
	case Takeover:
		return g.value(m.value) + " at " + g.quantile()
	case Writes:
		return g.value(m.value) + " writes/min"
	case Requests:
		return g.value(m.value) + " requests/min"
	}
	return g.value(m.value) + " at most"
}
