package elector

import (
	"errors"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
)

// JitterFactor scales the random part of the acquire loop's wait, which is in [retryPeriod, 2.2·retryPeriod).
const JitterFactor = 1.2

// Config is the part of client-go's LeaderElectionConfig that decides behavior.
//
// The fields that every attempt of a follower reads come first: see Machine.
type Config struct {
	Identity        coordination.Symbol // holderIdentity that this elector writes
	Dialect         Dialect             // zero for client-go, like everything below that has no field in client-go
	ReleaseOnCancel bool
	Coordinated     bool // run tryCoordinatedRenew in place of tryAcquireOrRenew

	OwnJitter           bool // use this JitterFactor instead of the constant
	ReleaseAfterWork    bool // a stopped leader keeps renewing until its work has ended, then releases the Lease
	ReleaseChecksHolder bool // a release does not touch a Lease that names another holder

	LeaseDuration   time.Duration // leaseDuration, published in whole seconds
	RenewDeadline   time.Duration
	RetryPeriod     time.Duration
	JitterFactor    float64
	CallbackDelayNs int64 // world time from the winning answer to OnStartedLeading; renewals begin after it too
}

// The messages of client-go v0.37.2 tools/leaderelection NewLeaderElector, in its order.
var (
	ErrLeaseDuration    = errors.New("leaseDuration must be greater than renewDeadline")
	ErrRenewDeadline    = errors.New("renewDeadline must be greater than retryPeriod*JitterFactor")
	ErrLeaseDurationMin = errors.New("leaseDuration must be greater than zero")
	ErrRenewDeadlineMin = errors.New("renewDeadline must be greater than zero")
	ErrRetryPeriodMin   = errors.New("retryPeriod must be greater than zero")
	ErrIdentity         = errors.New("Lock identity is empty")
)

// Validate refuses what client-go refuses, with its messages and in its order. It checks renewDeadline with the
// constant JitterFactor even if the elector draws with another factor.
func (c Config) Validate() error {
	switch {
	case c.LeaseDuration <= c.RenewDeadline:
		return ErrLeaseDuration
	case c.RenewDeadline <= time.Duration(JitterFactor*float64(c.RetryPeriod)):
		return ErrRenewDeadline
	case c.LeaseDuration < 1:
		return ErrLeaseDurationMin
	case c.RenewDeadline < 1:
		return ErrRenewDeadlineMin
	case c.RetryPeriod < 1:
		return ErrRetryPeriodMin
	case c.Identity == 0:
		return ErrIdentity
	}
	return nil
}

// JitterDelayNs returns the wait after an attempt of the acquire loop, for a draw in [0,1). Source: apimachinery
// v0.37.2 pkg/util/wait Jitter. The explicit conversions forbid fused multiply-add.
func JitterDelayNs(retryPeriodNs int64, draw, factor float64) int64 {
	return retryPeriodNs + int64(float64(float64(draw*factor)*float64(retryPeriodNs)))
}
