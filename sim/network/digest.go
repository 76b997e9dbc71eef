package network

import "github.com/leaselab/leaselab/core/digest"

// Digest adds the rules that can still affect a message. It omits chances and the load of the servers, so a search
// that compares states must not use them. If remembers is true, Digest also adds when each rule began. That matters
// only to a connection that its client gives up, and to a connection that is newer than a cut and therefore spared by
// it.
func (r *Rules) Digest(d *digest.Digest, now int64, remembers bool) {
	span := func(fromNs, untilNs, everyNs int64) {
		if fromNs > now || everyNs != 0 || remembers {
			d.AddSince(now, fromNs)
		} else {
			d.Add(0)
		}
		if untilNs == 0 {
			d.Add(0)
		} else {
			d.AddSince(now, untilNs)
		}
	}
	for i := range r.cuts {
		if c := &r.cuts[i]; !isOver(now, c.UntilNs) {
			d.AddInt(int64(c.Client))
			d.Add(1 | uint64(c.Direction)<<8 | uint64(c.Hold)<<16 | uint64(uint32(c.Source))<<32)
			d.AddFlags(c.Refuse, c.OldOnly)
			span(c.FromNs, c.UntilNs, 0)
		}
	}
	for i := range r.faults {
		if f := &r.faults[i]; !isOver(now, f.UntilNs) {
			d.AddInt(int64(f.Client))
			d.Add(2 | uint64(f.Verb)<<8 | uint64(f.Resource)<<16 | uint64(f.Kind)<<24 | uint64(uint32(f.Source))<<32)
			d.Add(uint64(uint32(f.Count-min(f.used, f.Count))) | uint64(uint32(f.Nth))<<32)
			d.AddFlags(f.Count == 0)
			d.Add(uint64(f.After))
			d.AddInt(f.EveryNs)
			d.AddInt(f.ForNs)
			span(f.FromNs, f.UntilNs, f.EveryNs)
		}
	}
	for i := range r.latencies {
		if l := &r.latencies[i]; !isOver(now, l.UntilNs) {
			d.AddInt(int64(l.Client))
			d.Add(3 | uint64(l.Verb)<<8 | uint64(l.Resource)<<16 | uint64(uint32(l.Source))<<32)
			d.AddInt(int64(l.Nth))
			d.AddInt(l.RequestNs)
			d.AddInt(l.ResponseNs)
			d.AddInt(l.EveryNs)
			d.AddInt(l.ForNs)
			span(l.FromNs, l.UntilNs, l.EveryNs)
		}
	}
	d.AddFlags(r.mayKeep)
}

// CopyTo turns another value into an independent copy and reuses its memory.
func (r *Rules) CopyTo(to *Rules) {
	to.seed, to.capacity, to.leaderNs, to.led, to.mayKeep = r.seed, r.capacity, r.leaderNs, r.led, r.mayKeep
	to.cuts, to.faults = append(to.cuts[:0], r.cuts...), append(to.faults[:0], r.faults...)
	to.latencies, to.queues = append(to.latencies[:0], r.latencies...), append(to.queues[:0], r.queues...)
}

// SetUntil changes when the rules of one source end; 0 leaves them open.
func (r *Rules) SetUntil(source int32, untilNs int64) {
	for i := range r.cuts {
		if c := &r.cuts[i]; c.Source == source {
			c.UntilNs = untilNs
		}
	}
	for i := range r.faults {
		if f := &r.faults[i]; f.Source == source {
			f.UntilNs = untilNs
		}
	}
	for i := range r.latencies {
		if l := &r.latencies[i]; l.Source == source {
			l.UntilNs = untilNs
		}
	}
}
