package restclient

import "github.com/leaselab/leaselab/core/digest"

// Digest adds what determines the call's future behavior.
func (c *Call) Digest(d *digest.Digest, nowNs int64) {
	d.Add(uint64(c.phase) | uint64(uint8(c.retries))<<8)
	d.AddFlags(c.get)
	d.AddInt(c.timeoutNs)
	d.AddSince(nowNs, c.wakeNs)
	d.AddSince(nowNs, c.callerNs)
	d.AddSince(nowNs, c.deadlineNs)
}
