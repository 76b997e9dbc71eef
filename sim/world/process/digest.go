package process

import "github.com/leaselab/leaselab/core/digest"

// Digest adds what decides the future of the process. It omits the numbers of runs and starts, because Expects
// already tells which timers can still matter.
func (p *Process) Digest(d *digest.Digest, nowNs int64, s *Settings) {
	d.Add(uint64(p.Life))
	d.AddFlags(p.Alive, p.Paused, p.StopAsked, p.Active, p.Draining, p.Draining && p.DrainingRun == p.Run)
	if p.Paused {
		d.Add(uint64(p.PauseKind))
		d.AddInt(int64(p.PauseSource))
		d.AddSince(nowNs, p.PausedNs)
	}
	if p.StopAsked || p.Life == Crashed {
		d.AddInt(int64(p.EndSource))
	}
	if s.RestartBackoffMaxNs > 0 {
		d.AddSince(nowNs, max(p.begunNs, nowNs-2*s.RestartBackoffMaxNs-1)) // any longer time counts the same
		d.AddInt(int64(p.restarts))
	}
	if s.WatchdogPeriodNs > 0 {
		d.AddInt(int64(p.failures))
	}
	if s.FreshIdentity {
		d.AddInt(int64(p.Run))
	}
}

// Expects reports whether a timer with that number can still matter to the process.
func (p *Process) Expects(timer InputKind, number uint32) bool {
	switch timer {
	case DrainDue:
		return p.Draining && p.DrainingRun == int16(number)
	case RunDue:
		return p.Alive && p.Run == int16(number)
	case StartDue:
		return !p.Alive && p.Life != Removed && p.Starts == number
	case ProbeDue:
		return p.Alive && p.Starts == number
	}
	return true
}
