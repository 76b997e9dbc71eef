package probe

import (
	_ "embed"
	"math"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/words"
)

//go:embed probes.txt
var table string

// probes are the twenty probes of probes.txt, from the first election to the rarest fault. A block there has the name
// of a probe and of its play, what the probe asks, the fix, and where client-go breaks the rule, if it does.
var probes = func() []Probe {
	var all []Probe
	for block := range strings.SplitSeq(strings.TrimSpace(table), "\n\n") {
		lines := append(strings.Split(block, "\n"), "")
		name, play, _ := strings.Cut(lines[0], ": ")
		all = append(all, Probe{Name: name, play: play, Asks: lines[1], Fix: lines[2], Upstream: lines[3],
			check: checks[name]})
	}
	return all
}()

var checks = map[string]func(w *Watch, d *Durations) answer{
	"one-winner":         oneWinner,
	"whole-record":       wholeRecord,
	"renewal-pace":       renewalPace,
	"jitter":             jitter,
	"waits-full-lease":   waitsFullLease,
	"takes-over":         takesOver,
	"transitions":        transitions,
	"stops-when-cut-off": stopsInTime,
	"hung-request":       stopsInTime,
	"conflict":           staysLeader,
	"lost-answer":        staysLeader,
	"pause":              stopsAfterPause,
	"clock-behind":       keepsOffGhost,
	"clock-ahead":        func(w *Watch, d *Durations) answer { return takesGhost(w, d.Lease, d.Lease+2*d.wait()) },
	"longer-lease":       func(w *Watch, d *Durations) answer { return takesGhost(w, 2*d.Lease, 2*d.Lease+2*d.wait()) },
	"empty-holder":       func(w *Watch, d *Durations) answer { return takesGhost(w, 0, d.wait()+2*time.Second) },
	"foreign-edit":       heedsEdit,
	"deleted-lease":      createsAgain,
	"release-after-work": releasesAfterWork,
	"release-own-lease":  releasesOwnLease,
}

// seconds returns a duration in words.
func seconds(d time.Duration) string { return words.Seconds(int64(d)) }

func instant(d time.Duration) string { return words.Instant(int64(d)) }

func oneWinner(w *Watch, d *Durations) answer {
	first := w.firstWrite(0, (*write).acquires)
	switch longest, from := w.together(); {
	case first == nil:
		return wrong("Nobody acquired the Lease.")
	case longest > 0:
		return wrong("Two candidates worked at once for %s, from %s on.", seconds(longest), instant(from))
	case len(w.spans) == 0:
		return wrong("Nobody worked.")
	case w.firstWrite(first.at+1, (*write).acquires) != nil:
		return wrong("The Lease changed its holder although nothing happened.")
	case first.at > d.wait()+5*time.Second:
		return wrong("The first leader had the Lease only at %s.", instant(first.at))
	}
	return passed
}

func wholeRecord(w *Watch, _ *Durations) answer {
	for k := range w.writes {
		one := &w.writes[k]
		if one.node < 0 || one.after.HolderIdentity == 0 {
			continue
		}
		after, before := &one.after, &one.before
		switch at := " at " + instant(one.at) + "."; {
		case after.LeaseDurationSeconds <= 0:
			return wrong("leaseDurationSeconds was missing%s", at)
		case !after.Has(coordination.HasRenewTime):
			return wrong("renewTime was missing%s", at)
		case !after.Has(coordination.HasAcquireTime):
			return wrong("acquireTime was missing%s", at)
		case one.renews() && after.AcquireTime != before.AcquireTime:
			return wrong("A renewal changed acquireTime%s", at)
		case one.renews() && after.RenewTime <= before.RenewTime:
			return wrong("A renewal did not advance renewTime%s", at)
		}
	}
	return missingRenewal(w)
}

// missingRenewal says that no renewal ever came.
func missingRenewal(w *Watch) answer {
	if w.firstWrite(0, (*write).renews) == nil {
		return wrong("Nobody renewed the Lease.")
	}
	return passed
}

func renewalPace(w *Watch, d *Durations) answer {
	if none := missingRenewal(w); none != passed {
		return none
	}
	last, longest, count := time.Duration(-1), time.Duration(0), 0
	for k := range w.writes {
		if one := &w.writes[k]; one.renews() {
			if last >= 0 {
				longest = max(longest, one.at-last)
			}
			last = one.at
			count++
		}
	}
	switch perSecond := float64(count) / w.end.Seconds(); {
	case longest > d.Lease/3+slack:
		return wrong("%s passed between two renewals; leaseDuration is %s.", seconds(longest), seconds(d.Lease))
	case perSecond > 5:
		return wrong("The leader renewed %.1f times a second.", perSecond)
	}
	return passed
}

// jitter compares the waits of candidates that do not lead. A timer on a busy machine varies by some milliseconds, and
// client-go's waits by a factor of 2.2.
func jitter(w *Watch, d *Durations) answer {
	leader := w.leaderAt(w.end)
	shortest, longest, waits := time.Duration(math.MaxInt64), time.Duration(0), 0
	for node, asks := range w.asks {
		if node == leader {
			continue
		}
		last := time.Duration(-1)
		for _, at := range asks {
			if last >= 0 && at-last > d.Retry/10 { // requests of one attempt follow each other at once
				shortest, longest, waits = min(shortest, at-last), max(longest, at-last), waits+1
			}
			last = at
		}
	}
	switch {
	case waits < 4:
		return open("the candidates tried too rarely to tell")
	case longest < shortest+shortest/10:
		return wrong("All %d waits lasted between %s and %s.", waits, seconds(shortest), seconds(longest))
	}
	return passed
}

// takeover returns the leader before the disturbance, and the first write after it with which another candidate
// acquires the Lease; nil if there is none.
func takeover(w *Watch) (leader int32, taken *write) {
	leader = w.leaderAt(calm)
	return leader, w.firstWrite(disturbed, func(one *write) bool { return one.acquires() && one.node != leader })
}

func waitsFullLease(w *Watch, d *Durations) answer {
	leader, taken := takeover(w)
	switch {
	case leader < 0:
		return nobodyLed
	case taken == nil:
		return open("nobody took the Lease after the crash")
	}
	if waited := taken.at - w.renewedAt(leader, calm); waited < d.Lease-slack/2 {
		return wrong("The Lease changed its holder %s after the last renewal; leaseDuration is %s.", seconds(waited),
			seconds(d.Lease))
	}
	return passed
}

func takesOver(w *Watch, d *Durations) answer {
	leader, taken := takeover(w)
	latest := d.Lease + 2*d.wait() + slack
	switch {
	case leader < 0:
		return nobodyLed
	case taken == nil:
		return wrong("Nobody took the Lease after the crash.")
	case taken.at-w.renewedAt(leader, calm) > latest:
		return wrong("The takeover came %s after the last renewal; %s is enough.",
			seconds(taken.at-w.renewedAt(leader, calm)), seconds(latest))
	case w.leaderAt(w.end) < 0:
		return wrong("The new holder did not work.")
	}
	return passed
}

func transitions(w *Watch, _ *Durations) answer {
	if _, taken := takeover(w); taken == nil {
		return open("the Lease never changed its holder")
	}
	for k := range w.writes {
		one := &w.writes[k]
		want := one.before.LeaseTransitions
		if one.acquires() && one.before.HolderIdentity != 0 {
			want++
		}
		if (one.renews() || one.acquires() && one.before.HolderIdentity != 0) && one.after.LeaseTransitions != want {
			return wrong("leaseTransitions was %d instead of %d at %s.", one.after.LeaseTransitions, want,
				instant(one.at))
		}
	}
	return passed
}

// stopsInTime compares the end of the leader's work with the end of the Lease that the others see.
func stopsInTime(w *Watch, d *Durations) answer {
	leader := w.leaderAt(calm)
	if leader < 0 {
		return nobodyLed
	}
	expires := w.renewedAt(leader, disturbed+slack/2) + d.Lease
	if stopped := w.stoppedAt(leader, calm); stopped > expires {
		return wrong("The leader worked for %s after its Lease had expired.", seconds(stopped-expires))
	}
	return passed
}

func staysLeader(w *Watch, _ *Durations) answer {
	leader := w.leaderAt(calm)
	switch longest, _ := w.together(); {
	case leader < 0:
		return nobodyLed
	case w.stoppedAt(leader, calm) < w.end:
		return wrong("The leader gave up at %s.", instant(w.stoppedAt(leader, calm)))
	case longest > 0:
		return wrong("Two candidates worked at once for %s.", seconds(longest))
	case w.renewedAt(leader, w.end) < disturbed+slack:
		return wrong("The leader never renewed again.")
	}
	return passed
}

func stopsAfterPause(w *Watch, d *Durations) answer {
	leader, taken := takeover(w)
	resumed := d.resumed()
	switch {
	case leader < 0:
		return nobodyLed
	case taken == nil:
		return open("nobody took the Lease during the pause")
	case w.stoppedAt(leader, calm) > resumed+d.Renew+slack:
		return wrong("The old leader still worked %s after it had resumed; renewDeadline is %s.",
			seconds(w.stoppedAt(leader, calm)-resumed), seconds(d.Renew))
	}
	over := w.firstWrite(taken.at+1, func(one *write) bool {
		return one.node == leader && one.acquires() && !expired(w, one, d)
	})
	if over != nil {
		return wrong("The old leader wrote over the new holder's Lease at %s.", instant(over.at))
	}
	return passed
}

// expired reports whether a write took a Lease whose holder had not renewed it for leaseDuration.
func expired(w *Watch, taken *write, d *Durations) bool {
	last := time.Duration(0)
	for k := range w.writes {
		if one := &w.writes[k]; one.at < taken.at {
			last = one.at
		}
	}
	return taken.before.HolderIdentity == 0 || taken.at-last >= d.Lease-slack/2
}

func keepsOffGhost(w *Watch, _ *Durations) answer {
	if taken := w.firstWrite(0, func(one *write) bool { return one.acquires() }); taken != nil {
		return wrong("A candidate took the Lease at %s although its holder had just renewed it.", instant(taken.at))
	}
	if len(w.asks) == 0 {
		return open("no candidate asked for the Lease")
	}
	return passed
}

// takesGhost checks that a candidate takes the Lease between two times after it first saw it.
func takesGhost(w *Watch, earliest, latest time.Duration) answer {
	seen := time.Duration(math.MaxInt64)
	for _, asks := range w.asks {
		seen = min(seen, asks[0])
	}
	if len(w.asks) == 0 {
		return open("no candidate asked for the Lease")
	}
	taken := w.firstWrite(0, (*write).acquires)
	switch {
	case taken == nil || taken.at-seen > latest+slack:
		return wrong("Nobody took the Lease within %s.", seconds(latest+slack))
	case taken.at < earliest-slack/2: // the holder wrote it at the beginning
		return wrong("A candidate took the Lease after %s; its holder had it for %s.", seconds(taken.at),
			seconds(earliest))
	}
	return passed
}

func heedsEdit(w *Watch, d *Durations) answer {
	leader := w.leaderAt(calm)
	if leader < 0 {
		return nobodyLed
	}
	if stopped := w.stoppedAt(leader, calm); stopped > disturbed+d.Renew+d.wait()+slack {
		return wrong("The leader worked for %s after the Lease named another holder.", seconds(stopped-disturbed))
	}
	taken := w.firstWrite(disturbed, (*write).acquires)
	if taken != nil && taken.at < disturbed+d.Lease-slack/2 {
		return wrong("A candidate took the Lease from its new holder after only %s.", seconds(taken.at-disturbed))
	}
	return passed
}

func createsAgain(w *Watch, d *Durations) answer {
	made := w.firstWrite(disturbed+1, (*write).acquires)
	switch longest, _ := w.together(); {
	case w.leaderAt(calm) < 0:
		return nobodyLed
	case made == nil || made.at > disturbed+d.wait()+2*slack:
		return wrong("The Lease did not come back within %s.", seconds(d.wait()+2*slack))
	case longest > d.Renew+d.wait()+slack:
		return wrong("Two candidates worked at once for %s.", seconds(longest))
	}
	return passed
}

func releasesAfterWork(w *Watch, _ *Durations) answer {
	leader := w.leaderAt(calm)
	if leader < 0 {
		return nobodyLed
	}
	released := w.firstWrite(disturbed, func(one *write) bool { return one.releases() && one.node == leader })
	if released == nil {
		return passed // it does not release, which is slow, but safe
	}
	if more := w.stoppedAt(leader, calm) - released.at; more > slack/5 {
		return wrong("The leader worked for %s after it had released the Lease.", seconds(more))
	}
	return passed
}

func releasesOwnLease(w *Watch, d *Durations) answer {
	edited := d.edited()
	if w.leaderAt(calm) < 0 {
		return nobodyLed
	}
	if wiped := w.firstWrite(edited, (*write).releases); wiped != nil && wiped.at < edited+d.Lease-slack {
		return wrong("A candidate emptied the Lease of another holder at %s.", instant(wiped.at))
	}
	return passed
}
