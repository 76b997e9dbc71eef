package explain

import (
	_ "embed"
	"strings"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
)

// Cause is what a sentence blames, without names, instants or numbers. Two sentences with the same cause say that the
// same thing happened, whatever the node, the instant and the wording. The low 8 bits are one of the constants below;
// the other bits are a detail, such as the kind of a pause. Code that compares runs compares causes, never sentences.
// The numbers are stable only within one build: nothing stores them. A detail fits in 56 bits.
type Cause uint64

const (
	NoCause        Cause = iota // the sentence says what happened, or what ended
	bySlowAnswer                // the answer to a renewal came late, and the leader's renewDeadline counts from there
	byStopAsked                 // a leader got the order to stop
	byPause                     // a paused leader cannot know; detail: the kind of pause
	byWork                      // a leader's work continues after its context has ended
	byLateAnswer                // a leader has released the Lease but not heard back
	byRelease                   // a leader has given up, and its release is in flight
	byDeadline                  // a leader knows that it has lost the Lease, but keeps working until its renewDeadline
	byTrying                    // a leader is trying to renew
	byIdle                      // a leader has sent nothing since its last renewal
	byIdentity                  // two candidates share a holderIdentity
	byOtherLock                 // two candidates use different locks; detail: both
	byDialect                   // an elector does not follow client-go; detail: its dialect
	byRate                      // a clock runs too fast or too slow
	byLongTimer                 // a wrong rate changes the length of a renewDeadline
	byShortLease                // a wrong rate ends the Lease too early
	byHandOver                  // a leader gave up for a preferredHolder
	byNoRenewal                 // a leader could not renew
	byEnd                       // how a leader ended; detail: the kind of record
	byLostRelease               // a release never arrived
	byFreed                     // a candidate released the Lease
	byForeignFreed              // a candidate released another's Lease
	byOverload                  // the API server turned requests away
	bySlowServer                // the API server kept requests for a long time
	byPreferred                 // a leader let the Lease expire for a preferredHolder
	byNoLease                   // the Lease did not exist
	byNoHolder                  // the Lease was free at once
	byPing                      // the controller pinged the candidates
	byController                // the controller gave the Lease to a candidate
	byOwnName                   // the Lease already named the candidate
	byOtherName                 // the Lease did not name the last leader
	byFailures                  // attempts failed; detail: the last result
	byEmptyStore                // the stored Lease had no holder
	byStoredName                // the stored Lease named a candidate
	byOldRead                   // a candidate's countdown began with an old read
	byEmptying                  // a candidate emptied another candidate's Lease
	byEarlyWrite                // a candidate wrote a Lease that had not expired
	byKnowing                   // a leader read that another holds the Lease
	byMiscount                  // the Lease miscounts its transitions
	byRecord                    // plus the kind of a record
)

const causeBits = 8

// killed is the detail of byEnd for a leader killed after its grace period. No record has this kind.
const killed = uint64(trace.NoKind)

// reason is the record that a sentence points to, and what the sentence blames. Only arguments have this type: a Line
// has the two in separate fields.
type reason struct {
	Place
	why Cause
}

func (p Place) because(why Cause) reason { return reason{p, why} }

// `with` returns the cause with an added detail.
func (c Cause) with(detail uint64) Cause { return c | Cause(detail)<<causeBits }

// IsAct reports whether the cause is an act or a fault of the scenario. Any other cause lies in a candidate or in the
// Lease.
func (c Cause) IsAct() bool { return c&(1<<causeBits-1) >= byRecord }

func (c Cause) detail() uint64 { return uint64(c >> causeBits) }

// CauseOf returns the cause for a record of an act or a fault. For a routine record it returns NoCause, and also for
// the end of a fault, because the fault itself is the cause. The cause ignores which error a candidate gets and in
// which direction it loses messages. Example: a 20 s pause of one node and a 40 s pause of another have the same
// cause, but a suspended node has a different one.
func CauseOf(r *trace.Record) Cause {
	if routine[r.Kind] || Minor(r.Kind) {
		return NoCause
	}
	c := byRecord + Cause(r.Kind)
	switch r.Kind {
	case trace.Resumed, trace.CutEnded, trace.FailEnded, trace.LatencyRestored, trace.ResourceCutEnded,
		trace.Restarted, trace.Delivered, trace.Skipped:
		return NoCause
	case trace.Paused:
		return c.with(uint64(r.Pause().Kind))
	case trace.Crashed:
		return c.with(uint64(crashBy(r)))
	case trace.NodeNotReady:
		if r.Readiness().Running {
			return c.with(1)
		}
	// The detail packs three facts: whether the write leaves the Lease without a holder (bit 0), which operation it
	// is (from bit 1), and how the store answered (from bit 9). Each of them changes what happens next.
	case trace.Written, trace.Asked:
		detail := uint64(r.Write().Op)<<1 | uint64(r.Outcome)<<9
		if r.Spec.HolderIdentity == 0 {
			detail |= 1
		}
		return c.with(detail)
	}
	return c
}

// Ways to crash.
const (
	byItself = iota
	byWatchdog
	byGrace
)

// crashBy distinguishes three ways to crash, because only the first is a fault. In the other two, a watchdog or a
// grace period worked as intended.
func crashBy(r *trace.Record) int {
	switch crash := r.Crash(); {
	case crash.ByWatchdog:
		return byWatchdog
	case crash.ByGrace:
		return byGrace
	}
	return byItself
}

// causeLines has a line for each cause before byRecord, in their order; x stands for any node. Reports that count
// causes over many runs print them.
//
//go:embed causes.txt
var causeLines string

var writeWords = [...]string{trace.Put: "put", trace.Patch: "patch", trace.Delete: "delete", trace.Touch: "touch",
	trace.Requested: "request"}

// recordWords contains the words for records whose usual sentence says more than the cause.
var recordWords = [trace.NoKind]string{
	trace.Burst: "x sends requests besides its elector's", trace.Reconnected: "x opens a new connection",
	trace.ConfigError: "x does not start", trace.CandidateFailed: "x cannot write its LeaseCandidate",
	trace.Crashed: "x crashes", trace.Paused: "x is paused",
	trace.ClockChanged: "a clock changes", trace.CutBegan: "a candidate is cut off",
	trace.FailBegan: "a candidate gets errors", trace.LatencyChanged: "requests or answers take longer",
	trace.Intercepted: "a message is lost or held", trace.ResourceCutBegan: "the resource is out of reach",
	trace.RolledBack: "an administrator restores the store", trace.Written: "an administrator writes the Lease",
	trace.Asked: "an administrator asks the API", trace.NodeReady: "x is ready", trace.NodeNotReady: "x is not ready",
	trace.ResourceRefused: "the resource refuses x",
}

// String puts a cause into words. Different causes have different words; otherwise a report would show identical rows
// with different counts. TestCausesInWords checks this.
func (c Cause) String() string {
	kind, detail := c&(1<<causeBits-1), c.detail()
	if kind >= byRecord {
		return recordCause(trace.Kind(kind-byRecord), detail)
	}
	text := strings.Split(causeLines, "\n")[kind]
	switch kind {
	case byPause:
		return text + ": " + pausedWords[detail]
	case byOtherLock:
		return text + ": " + lockWords[detail>>8] + ", " + lockWords[detail&0xff]
	case byDialect:
		return text + ": " + strings.Join(dialectNames(elector.Dialect(detail)), ", ")
	case byFailures:
		return text + ": " + step.Result(detail).String()
	case byEnd:
		if detail == killed {
			return text + ": killed after its grace period"
		}
		return text + ": " + endWord[trace.Kind(detail)]
	}
	return text
}

func recordCause(kind trace.Kind, detail uint64) string {
	text := recordWords[kind]
	if text == "" {
		if text = strings.TrimSuffix(happenings[kind].text, "."); !happenings[kind].system {
			text = "x " + text
		}
	}
	switch kind {
	case trace.Paused:
		return text + ": " + pausedWords[detail]
	case trace.Crashed:
		return text + [...]string{byItself: "", byWatchdog: ": its watchdog", byGrace: ": its grace period"}[detail]
	case trace.NodeNotReady:
		return text + [...]string{"", ", but alive"}[detail]
	case trace.Written, trace.Asked:
		text += ": " + writeWords[detail>>1&0xff] + ", " + storage.Outcome(detail>>9).String()
		if detail&1 != 0 {
			text += ", without a holder"
		}
	}
	return text
}
