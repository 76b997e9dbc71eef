package process

// Settings configures a process. The zero value ends its work at once, exits when Run returns and never restarts.
type Settings struct {
	OnLoss             LossPolicy
	WorkTailNs         int64 // how long the work continues after its context ended
	OwnDrains          bool  // the two drains apply instead of WorkTailNs
	DrainAfterCancelNs int64
	DrainAfterLossNs   int64

	Restart             RestartPolicy
	RestartAfterNs      int64
	StartsAfterCrash    bool // after RestartAfterCrashNs
	RestartAfterCrashNs int64
	RestartBackoffMaxNs int64 // 0 if all waits are equal
	FreshIdentity       bool  // every process after the first gets its own identity

	WatchdogPeriodNs    int64 // 0 if none
	WatchdogToleranceNs int64
	WatchdogFailures    int32
}

// RestartPolicy says what a process does when Run returns.
type RestartPolicy uint8

const (
	Exit RestartPolicy = iota
	NewElector
	SameElector
)

// LossPolicy says what happens to the work of a leader that loses the Lease without being told to stop.
type LossPolicy uint8

const (
	EndWork     LossPolicy = iota
	ExitProcess            // the process and its work end at once
	IgnoreLoss             // the work continues: it was never tied to the Lease
)

// drainNs returns how long the work goes on after its context ended, or -1 if it goes on until the process ends.
// `cancelled` means that the elector was told to stop; `releases` means that it releases the Lease only after the work.
func (s *Settings) drainNs(cancelled, releases bool) int64 {
	switch {
	case s.OnLoss == EndWork && !s.OwnDrains:
		return s.WorkTailNs
	case !cancelled && s.OnLoss == IgnoreLoss:
		return -1
	case !cancelled && s.OnLoss == ExitProcess && !releases:
		return 0
	case cancelled:
		return s.drainAfterCancelNs()
	case s.OwnDrains:
		return s.DrainAfterLossNs
	}
	return s.WorkTailNs
}

// drainAfterCancelNs returns how long the work goes on after the process was told to stop.
func (s *Settings) drainAfterCancelNs() int64 {
	if s.OwnDrains {
		return s.DrainAfterCancelNs
	}
	return s.WorkTailNs
}
