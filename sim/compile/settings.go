package compile

import (
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/process"
)

// change is what a set act changes of a candidate's settings.
type change struct {
	elector *scenario.Elector
	network *scenario.Network
}

// SetElector changes what an elector reads when it starts.
func (c change) SetElector(to *world.Candidate) {
	if c.elector != nil {
		setElector(to, c.elector)
	}
}

// SetNetwork changes what holds from the next request on.
func (c change) SetNetwork(to *world.Candidate) {
	if c.network != nil {
		setNetwork(to, c.network)
	}
}

// setElector takes over the settings that e gives and leaves the others as they are.
func setElector(to *world.Candidate, e *scenario.Elector) {
	duration(&to.LeaseDuration, e.LeaseDuration)
	duration(&to.RenewDeadline, e.RenewDeadline)
	duration(&to.RetryPeriod, e.RetryPeriod)
	take(&to.ReleaseOnCancel, e.ReleaseOnCancel)
	take(&to.Coordinated, e.Coordinated)
	take(&to.ReleaseAfterWork, e.ReleaseAfterWork)
	take(&to.ReleaseChecksHolder, e.ReleaseChecksHolder)
	nanoseconds(&to.CallbackDelayNs, e.CallbackDelay)
	nanoseconds(&to.LockDelayNs, e.LockDelay)
	if e.JitterFactor != nil {
		to.OwnJitter, to.JitterFactor = *e.JitterFactor != elector.JitterFactor, *e.JitterFactor
	}
	if e.ExpiryFactor != nil {
		to.ExpiryPpm = int64(*e.ExpiryFactor * 1e6)
	}
	if e.Lock != "" {
		to.Lock = elector.Lock(slices.Index(elector.LockNames[:], e.Lock))
	}
	if e.Dialect != nil {
		to.Dialect = 0
		for _, word := range e.Dialect {
			to.Dialect |= elector.DialectNamed(word)
		}
	}
	switch {
	case e.RequestTimeout != nil:
		to.RequestTimeoutNs = int64(*e.RequestTimeout)
	case to.Dialect&elector.NoRequestTimeout != 0:
		to.RequestTimeoutNs = 0
	}
}

// setNetwork takes over the settings that n gives. For each way a constant replaces a distribution, and the other way round.
func setNetwork(to *world.Candidate, n *scenario.Network) {
	nanoseconds(&to.RequestNs, n.RequestLatency)
	nanoseconds(&to.ResponseNs, n.ResponseLatency)
	if n.RequestDistribution != nil || n.RequestLatency != nil {
		to.RequestDraw = distribution(n.RequestDistribution)
	}
	if n.ResponseDistribution != nil || n.ResponseLatency != nil {
		to.ResponseDraw = distribution(n.ResponseDistribution)
	}
	nanoseconds(&to.DeadPeerNs, n.DeadPeerTime)
	nanoseconds(&to.ReadLagNs, n.ReadLag)
}

// setProcess takes over a resolved process.
func setProcess(to *world.Candidate, p *scenario.Process) {
	d := &to.Process
	nanoseconds(&d.DrainAfterCancelNs, p.DrainAfterCancel)
	nanoseconds(&d.DrainAfterLossNs, p.DrainAfterLoss)
	d.OwnDrains = d.DrainAfterCancelNs != d.WorkTailNs || d.DrainAfterLossNs != d.WorkTailNs
	d.OnLoss = lossPolicies[p.OnLoss]
	d.FreshIdentity = p.IdentityAtRestart == scenario.IdentityNew
	nanoseconds(&d.RestartBackoffMaxNs, p.RestartBackoffMax)
	if p.RestartAfterCrash != nil {
		d.StartsAfterCrash, d.RestartAfterCrashNs = true, int64(*p.RestartAfterCrash)
	}
	d.WatchdogFailures = int32(*p.WatchdogFailures)
	if p.WatchdogTolerance != nil {
		d.WatchdogPeriodNs, d.WatchdogToleranceNs = int64(*p.WatchdogPeriod), int64(*p.WatchdogTolerance)
	}
}

var lossPolicies = map[string]process.LossPolicy{scenario.OnLossExit: process.ExitProcess, scenario.OnLossIgnore: process.IgnoreLoss}

// setClient takes over a resolved client.
func setClient(to *world.Candidate, c *scenario.Client) {
	d := &to.Client
	d.Burst, d.OwnLeaseClient = int64(*c.Burst), *c.OwnLeaseClient
	if *c.QPS > 0 {
		d.TokenNs = int64(1e9 / *c.QPS)
	}
	if *c.WorkQPS > 0 {
		d.WorkEveryNs = int64(1e9 / *c.WorkQPS)
	}
}

func take[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func duration(to *time.Duration, from *scenario.Duration) {
	if from != nil {
		*to = time.Duration(*from)
	}
}

func nanoseconds(to *int64, from *scenario.Duration) {
	if from != nil {
		*to = int64(*from)
	}
}
