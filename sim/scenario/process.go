package scenario

import (
	"slices"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/core/elector"
)

// The allowed words in the settings of a candidate's process.
const (
	OnLossExit   = "exit"
	OnLossIgnore = "ignore"

	IdentityKeep = "keep"
	IdentityNew  = "new"

	DialectCurrent = "current"
)

const minWatchdogPeriod = 100 * time.Millisecond

// checkProcess checks the process settings of the scenario or of one candidate. It refuses very short periods: a probe
// every millisecond would fill the trace without saying anything new.
func (v *validator) checkProcess(p *Process, path string) {
	if p != nil && p.WatchdogPeriod != nil && time.Duration(*p.WatchdogPeriod) < minWatchdogPeriod {
		v.add(refuseDuration(join(path, "process.watchdogPeriod"), *p.WatchdogPeriod, "must be at least "+
			minWatchdogPeriod.String()+": shorter periods make too many probes"))
	}
}

// checkConduct checks a candidate's effective settings, since only these must fit together: onLoss may come from a
// preset, and restart from the candidate. So it resolves the candidate and checks the result. Each error names the
// innermost place that sets the field. If one of the groups already has an error, checkConduct adds none.
func (v *validator) checkConduct(c Candidate, path string) {
	v.checkProcess(c.Process, path)
	c.Replicas = 0 // all replicas have the same settings
	r := ResolveCandidate(v.s, c)[0]
	relate := func(e *FieldError) { v.relate(e, "preset", "elector", "process", "client") }
	if r.Process.OnLoss == OnLossExit && c.Restart == RestartSame {
		relate(refuse(join(path, "restart"), c.Restart,
			"contradicts process.onLoss \"exit\": a new process has a new elector"))
	}
	if r.Process.IdentityAtRestart == IdentityNew && *r.Elector.Coordinated {
		relate(refuse(valuePath(path, "process.identityAtRestart", c.Process != nil &&
			c.Process.IdentityAtRestart != ""), IdentityNew,
			"contradicts elector.coordinated: a LeaseCandidate keeps its name"))
	}
	if *r.Process.RestartBackoffMax > 0 && r.Process.RestartAfterCrash == nil && r.Process.OnLoss != OnLossExit &&
		r.Process.WatchdogTolerance == nil && c.Restart == RestartNever {
		relate(refuseDuration(valuePath(path, "process.restartBackoffMax", c.Process != nil &&
			c.Process.RestartBackoffMax != nil), *r.Process.RestartBackoffMax,
			"needs a restart to delay: process.restartAfterCrash, onLoss exit or a watchdog"))
	}
	if r.Process.WatchdogTolerance == nil &&
		(v.s.Process.watchdogTold() || c.Process != nil && c.Process.watchdogTold()) {
		relate(refuseField(valuePath(path, "process.watchdogPeriod", c.Process != nil && c.Process.watchdogTold()),
			"needs process.watchdogTolerance: that switches the watchdog on"))
	}
	if *r.Client.WorkQPS > 0 && *r.Client.QPS == 0 {
		relate(refuseNumber(valuePath(path, "client.workQps", c.Client != nil && c.Client.WorkQPS != nil),
			strconv.FormatFloat(*r.Client.WorkQPS, 'g', -1, 64),
			"needs client.qps: without a limit, no request waits"))
	}
	checkDialect(c, r, path, relate)
}

// watchdogTold reports whether a process sets a field of the watchdog other than its tolerance.
func (p *Process) watchdogTold() bool { return p.WatchdogPeriod != nil || p.WatchdogFailures != nil }

// valuePath returns the path of a field in the candidate or, if the candidate does not set the field, in the scenario.
// An error must lead the author to the field to change, which may be in either place.
func valuePath(path, field string, here bool) string {
	if here {
		return join(path, field)
	}
	return field
}

// checkDialect checks what a dialect requires of the elector's other settings. Dialects describe electors that differ
// from client-go, for example a lock whose server decides when it expires. Some settings make sense only with a
// dialect.
func checkDialect(c Candidate, r ResolvedCandidate, path string, relate func(*FieldError)) {
	e, have := c.Elector, &r.Elector
	if e == nil {
		e = &Elector{}
	}
	all, err := checkWords(have.Dialect, *have.Coordinated, valuePath(path, "elector.dialect", e.Dialect != nil))
	if err != nil {
		relate(err)
		return
	}
	relate(checkLock(have.Lock, all, *have.Coordinated, valuePath(path, "elector.lock", e.Lock != "")))
	if all&elector.NoRequestTimeout != 0 && r.timeoutGiven && *have.RequestTimeout != 0 {
		relate(refuse(valuePath(path, "elector.requestTimeout", e.RequestTimeout != nil), have.RequestTimeout.String(),
			"contradicts dialect \"noRequestTimeout\"; leave it out or write 0s"))
	}
	if all&elector.BlindRelease != 0 && *have.ReleaseChecksHolder {
		relate(refuseNumber(valuePath(path, "elector.releaseChecksHolder", e.ReleaseChecksHolder != nil), "true",
			"contradicts dialect \"blindRelease\", which does not read the holder"))
	}
	afterWork := valuePath(path, "elector.releaseAfterWork", e.ReleaseAfterWork != nil)
	if *have.ReleaseAfterWork && !*have.ReleaseOnCancel {
		relate(refuseNumber(afterWork, "true", "needs releaseOnCancel: true; without it a leader never releases"))
	}
	if *have.ReleaseAfterWork && r.Process.OnLoss == OnLossIgnore {
		relate(refuseNumber(afterWork, "true",
			"contradicts process.onLoss \"ignore\": the work it would wait for never ends"))
	}
	if all&elector.TTLLock == 0 && *have.ExpiryFactor != 1 {
		relate(refuseNumber(valuePath(path, "elector.expiryFactor", e.ExpiryFactor != nil),
			strconv.FormatFloat(*have.ExpiryFactor, 'g', -1, 64),
			"needs dialect ttlLock: only then does the server decide when the lock expires"))
	}
	if all&elector.TTLLock == 0 && *have.LockDelay != 0 {
		relate(refuse(valuePath(path, "elector.lockDelay", e.LockDelay != nil), have.LockDelay.String(),
			"needs dialect ttlLock: only then does the server decide when the lock expires"))
	}
}

// checkLock checks that a lock fits the other settings of an elector.
func checkLock(lock string, all elector.Dialect, coordinated bool, at string) *FieldError {
	switch {
	case lock == "" || lock == elector.LockNames[elector.Leases]:
	case coordinated:
		return refuse(at, lock, "contradicts elector.coordinated: the controller elects on Leases")
	case all&elector.TTLLock != 0:
		return refuse(at, lock, "contradicts dialect \"ttlLock\": that server keeps only one lock")
	}
	return nil
}

// checkWords checks a list of dialects by itself. Each dialect lists the ones that it contradicts. The word "current"
// stands for unchanged client-go, so it excludes all others.
func checkWords(words []string, coordinated bool, at string) (elector.Dialect, *FieldError) {
	all := elector.Dialect(0)
	for i, word := range words {
		inner := index(at, i)
		d := elector.DialectNamed(word)
		switch {
		case word == "":
			return 0, refuse(inner, word, "must be "+listWords(dialectWords(), "or"))
		case slices.Contains(words[:i], word):
			return 0, refuse(inner, word, "is given twice")
		case word == DialectCurrent && len(words) > 1:
			return 0, refuse(inner, word, "contradicts dialect "+quote(words[(i+1)%len(words)])+
				", which means unchanged client-go")
		case word != DialectCurrent && coordinated:
			return 0, refuse(inner, word, "contradicts elector.coordinated: dialects change only the plain elector")
		}
		for _, other := range elector.Dialects() {
			if other.Dialect == d && other.Contradicts&all != 0 {
				for _, earlier := range words[:i] {
					if other.Contradicts&elector.DialectNamed(earlier) != 0 {
						return 0, refuse(inner, word, "contradicts dialect "+quote(earlier))
					}
				}
			}
		}
		all |= d
	}
	return all, nil
}

// checkFloat checks a decimal number. JSON has no NaN, but a Scenario that a program has made may.
func checkFloat(f float64, at place) *FieldError {
	shown := strconv.FormatFloat(f, 'g', -1, 64)
	b := fieldOf(at.field).decimal
	bounded := b != nil
	switch {
	case bounded && !(f >= b[0] && f <= b[1]): // this refuses NaN, too
		return refuseNumber(at.path, shown, "must be between "+strconv.FormatFloat(b[0], 'g', -1, 64)+" and "+
			strconv.FormatFloat(b[1], 'g', -1, 64))
	case !bounded && !(f >= 0 && f < 1):
		return refuseNumber(at.path, shown, "must be at least 0 and less than 1: a jitter draw")
	}
	return nil
}
