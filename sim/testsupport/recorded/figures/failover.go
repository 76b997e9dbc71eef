package figures

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

// Failover is one of the measured failovers: three electors with 20 ms per call. At CutAt plus a random part of
// Phase, the leader loses its network.
type Failover struct {
	LeaseDuration, RenewDeadline, RetryPeriod, RequestTimeout time.Duration

	CutAt, Phase time.Duration
}

// OneWay is the latency in one direction: half of the 20 ms that a call takes in a Failover.
const OneWay = 10 * time.Millisecond

// The two measured failovers: the defaults, and OpenShift's settings, whose published worst case is 163 s.
var (
	ByDefault = Failover{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		RequestTimeout: 5 * time.Second, CutAt: 60 * time.Second}
	OpenShift = Failover{LeaseDuration: 137 * time.Second, RenewDeadline: 107 * time.Second,
		RetryPeriod: 26 * time.Second, RequestTimeout: 53500 * time.Millisecond, CutAt: 600 * time.Second,
		Phase: 26 * time.Second}
)

// String returns the settings in seconds, such as "15/10/2".
func (f Failover) String() string {
	return fmt.Sprintf("%v/%v/%v", f.LeaseDuration.Seconds(), f.RenewDeadline.Seconds(), f.RetryPeriod.Seconds())
}

// Gaps returns the times from the cut to the successor's start, with seeds from 1 on.
func (f Failover) Gaps(elections int) (Spread, error) {
	s, err := decode((f.CutAt + 400*time.Second).String(), three+fmt.Sprintf(
		`,"elector":{"leaseDuration":%q,"renewDeadline":%q,"retryPeriod":%q,"requestTimeout":%q},"network":{"requestLatency":%q,"responseLatency":%[5]q}`,
		f.LeaseDuration, f.RenewDeadline, f.RetryPeriod, f.RequestTimeout, OneWay))
	if err != nil {
		return nil, err
	}
	gaps := make(Spread, 0, elections)
	for seed := uint64(1); seed <= uint64(elections); seed++ {
		phase := random.NamedStream(seed, "phase", "cut")
		at := int64(f.CutAt) + int64(phase.Float64()*float64(f.Phase))
		s.Actions = []scenario.Action{{At: scenario.Duration(at), Act: scenario.ActCut, Target: scenario.TargetHolder}}
		h := runSeed(s, seed)
		gaps = append(gaps, h.kind(at, trace.StartedLeading).At-at)
	}
	return gaps, nil
}
