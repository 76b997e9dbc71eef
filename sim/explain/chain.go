package explain

import (
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/words"
)

// An explanation has two views of the same time. The parts cover the gap, from the moment the last leader stopped.
// The chain covers what happened to the new leader. The chain begins earlier, at the last renewal that the new leader
// saw. A chain shows why a crash right after a renewal costs more than a crash right before the next one.
//
//	renewal    b sees it      a crashes                b's countdown ends      b leads
//	   ┃───────────┃──────────────┃══════════════════════════┃════════════════════┃
//	   ◀─────────────────────────── chain ────────────────────────────────────────▶
//	                              ◀──────────────── parts ────────────────────────▶

// chain covers the whole time until the new leader's start: from the last renewal that it saw, through its countdown
// and its wait, to every leg of its requests. The part that contains the beginning of the gap is split there. A
// hand-over without a gap still has a chain, which then begins with the winning attempt. A leg has up to four parts:
// repeats inside the call, the client's rate limiter, the way to the server, and the way back. `lay` ignores a part
// that ends before the cursor, so this function need not check which legs apply.
func (x *change) chain() {
	e := x.e
	way := *x
	whole := Explanation{FromNs: e.FromNs, ToNs: e.ToNs}
	way.builder = builder{w: x.w, e: &whole, who: x.who, name: e.ToName, cursor: e.FromNs, splitNs: e.FromNs}
	b, attempt := &way.builder, &x.c.attempt
	if e.FromNs == e.ToNs {
		b.cursor = attempt.fromNs
	}
	if e.CountedNs > 0 {
		way.layCountdown()
	} else {
		way.layFreeLease()
	}
	way.layWait()
	for k := range attempt.leg[:attempt.legs] {
		l := &attempt.leg[k]
		verb := method(l.verb, l.object)
		if l.retried.count > 0 {
			b.lay(l.retried.sent.AtNs, l.retried.sent, "until %s sent its %s", b.name, verb)
			b.lay(l.sent.AtNs, l.retried.asked, "waiting inside the %s: %s", verb, l.retried.words())
		}
		if attempt.held.Ordinal != 0 && attempt.held.AtNs == b.cursor {
			b.lay(l.sent.AtNs, attempt.held, "while its own rate limiter held the %s back", verb)
		}
		b.lay(l.sent.AtNs, l.sent, "until %s sent its %s", b.name, verb)
		if l.servedNs >= 0 {
			b.lay(l.servedNs, l.sent, "until the API server served the %s", verb)
			b.lay(l.ended.AtNs, l.ended, "for its answer to come back")
			continue
		}
		b.lay(l.ended.AtNs, l.ended, "for the %s, which failed", verb)
	}
	b.lay(e.ToNs, x.atLead, "until %s started leading", b.name)
	e.Chain = whole.Parts
	e.ChainFromNs = e.ToNs
	if len(e.Chain) > 0 {
		e.ChainFromNs = e.Chain[0].FromNs
	}
}

// layCountdown begins the chain where the API server stored the renewal that started the new leader's countdown.
// `shown` is the stored version, and `seen` is the moment at which the new leader read it. A follower that polls every
// 2 to 4.4 s sees a renewal late, and its countdown starts when it sees the renewal. If the gap begins before that
// write, either a renewal was still under way when its sender stopped, or an administrator wrote.
func (x *change) layCountdown() {
	b, taken := &x.builder, &x.c.lock.taken
	before := b.w.DisplayName(taken.before.HolderIdentity)
	begins := taken.seen
	if taken.shown.Ordinal != 0 && taken.shown.AtNs <= taken.seen.AtNs {
		begins = taken.shown
	}
	if b.e.FromNs < b.e.ToNs && b.e.FromNs < begins.AtNs { // a renewal in flight, or an administrator's write
		b.lay(begins.AtNs, begins, "until the last write to the Lease")
	}
	b.cursor = min(begins.AtNs, b.e.ToNs)
	if begins != taken.seen {
		b.lay(taken.seen.AtNs, taken.shown, "from %s's last renewal until %s saw it", before, b.name)
	}
	fromNs := b.cursor
	if b.splitNs > fromNs && b.splitNs < taken.expiresNs {
		b.lay(b.splitNs, taken.seen, either(b.w, b.who, "of %s's countdown had passed when the gap began",
			"of the leaseDuration that %s last saw begin had passed when the gap began"), b.name)
	}
	b.lay(taken.expiresNs, taken.seen, b.countdownLeft(), b.name)
}

// layFreeLease begins the chain for a Lease that did not exist, had no holder, or already named the new leader.
func (x *change) layFreeLease() {
	b, taken := &x.builder, &x.c.lock.taken
	switch {
	case taken.created:
		b.lay(x.c.started.AtNs, x.c.started, "until %s started", b.name)
	case taken.before.HolderIdentity == 0:
		emptied := b.w.Node(b.who).EmptiedNs()
		b.lay(emptied, Place{AtNs: emptied, Ordinal: -1}, "until the release of the Lease")
	default:
		x.layController()
	}
}

// layWait covers the time from the free Lease to the attempt that took it. It mentions the wait before the winning
// attempt only if the attempt began exactly at its end. If a rate limiter or a pause came in between, only "until b
// tried" would be true.
func (x *change) layWait() {
	b, attempt := &x.builder, &x.c.attempt
	for k := range attempt.failed {
		f := &attempt.failed[k]
		b.laySlowCalls(attempt, f.toNs)
		if f.toNs <= b.cursor || f.toNs > attempt.fromNs {
			continue
		}
		b.lay(f.fromNs, f.asked, "until %s tried", b.name)
		b.lay(f.toNs, f.place, "%s", map[bool]string{true: "lost to a faster write",
			false: "in a failed attempt"}[f.wrote && f.result == step.Conflict])
	}
	b.laySlowCalls(attempt, attempt.fromNs)
	if wait := &attempt.wait; wait.at.Ordinal != 0 && wait.at.AtNs+wait.ns == attempt.fromNs {
		b.lay(attempt.fromNs, wait.at, "left of the %s wait that %s drew (%s)", words.Seconds(wait.ns),
			b.name, percent(wait.draw))
		return
	}
	b.lay(attempt.fromNs, attempt.asked, "until %s tried", b.name)
}
