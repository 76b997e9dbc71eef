package checkup

import (
	"cmp"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/run/summary"
)

// Stall is what happens if the API refuses all requests for a while.
type Stall struct {
	For  summary.Seconds `json:"stallSeconds"`
	Back summary.Seconds `json:"everybodyBackSeconds" jsonschema:"at most, from the start of the stall"`
	// leaders that lose come first, in the order in which they stop
	Leases []Stalled `json:"leases"`
}

// Stalled is what a stall does to one Lease. Its instants count from the start of the stall.
type Stalled struct {
	Name    string  `json:"name"`
	Kind    Kind    `json:"kind"`
	Outcome Outcome `json:"outcome"`
	// the longest stall that the leader survives in any case, and the shortest that it never does
	Survives *summary.Seconds `json:"survivesSeconds,omitempty"`
	Loses    *summary.Seconds `json:"losesSeconds,omitempty"`
	Stops    *Window          `json:"stops,omitempty" jsonschema:"when a leader that loses stops"`
	Back     summary.Seconds  `json:"backSeconds" jsonschema:"at most; until then nobody may renew"`
}

// Window is the time between two instants.
type Window struct {
	From summary.Seconds `json:"fromSeconds"`
	To   summary.Seconds `json:"toSeconds"`
}

// Outcome of a stall.
type Outcome string

const (
	Loses    Outcome = "loses"    // the leader stops, and usually its process restarts
	Either   Outcome = "either"   // it depends on when the last renewal was
	Expires  Outcome = "expires"  // a heartbeat's Lease may expire, and its holder renews it later
	Survives Outcome = "survives" // the same holder renews in time
)

var outcomes = []Outcome{Loses, Either, Expires, Survives}

// Predict returns what a stall does to the Leases with a healthy holder.
func (r *Cluster) Predict(stall time.Duration) *Stall {
	out := &Stall{For: summary.Seconds(stall), Back: summary.Seconds(stall), Leases: []Stalled{}}
	for i := range r.Leases {
		l := &r.Leases[i]
		if l.idle || l.setting.Refusal() != nil {
			continue
		}
		one := l.stalled(stall)
		out.Back = max(out.Back, one.Back)
		out.Leases = append(out.Leases, one)
	}
	slices.SortStableFunc(out.Leases, func(a, b Stalled) int {
		order := slices.Index(outcomes, a.Outcome) - slices.Index(outcomes, b.Outcome)
		if order != 0 || a.Stops == nil {
			return order
		}
		return cmp.Compare(a.Stops.From, b.Stops.From)
	})
	return out
}

func (l *Lease) stalled(stall time.Duration) Stalled {
	set, lasts := l.setting, summary.Seconds(stall)
	retry := summary.Seconds(set.RetryPeriod)
	closed := set.Closed(1)
	out := Stalled{Name: l.Name, Kind: l.Kind, Outcome: Survives, Survives: closed.APIOutage, Back: lasts + retry}
	if closed.APIOutage == nil {
		most := retry * 26 / 25 // a heartbeat's jitter is 4 %
		if out.Back = lasts + most; lasts > summary.Seconds(set.LeaseDuration)-most {
			out.Outcome = Expires
		}
		return out
	}
	loses := *out.Survives + retry
	if out.Loses = &loses; lasts <= *out.Survives {
		return out
	}
	if out.Outcome = Either; lasts >= loses {
		out.Outcome = Loses
	}
	deadline := summary.Seconds(set.RenewDeadline)
	out.Stops = &Window{deadline, deadline + retry}
	out.Back = lasts + closed.Takeover.Max
	return out
}
