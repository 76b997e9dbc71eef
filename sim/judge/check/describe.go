package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// Title returns the title of the broken rule.
func (v *Violation) Title() string {
	rule, _ := rules.Named(v.Rule)
	return rule.Title
}

// Clause describes a violation that lasts, to follow "From 00:36.889 on: ". name returns the name of a candidate.
func (v *Violation) Clause(name func(int32) string) string {
	first, second := name(v.First), name(v.Second)
	switch v.Rule {
	case rules.LeaderlessTooLong, rules.NoRecovery:
		return "nobody leads"
	case rules.ShownHolderNotActive:
		return first + " is active, but the Lease does not name it"
	case rules.KnowsLostStillActive:
		return first + " stays active although it has read another holder"
	case rules.StaleWriteAccepted:
		return "the resource takes writes of " + first + " although " + second + " holds the Lease"
	case rules.ResourceOwnedTwice:
		return first + " and " + second + " both own the resource"
	case rules.MarginNegative:
		return "the safety margin of " + first + " is negative"
	case rules.NewerThanAPIServer:
		return first + " leads and is newer than the API server " + second
	case rules.NodeReadyMismatch:
		if v.Counted == 0 {
			return first + " is alive, and " + second + " does not count it as ready"
		}
		return first + " is gone, and " + second + " still counts it as ready"
	}
	return v.Title()
}

// Describe describes a violation in one sentence, with its length if it has one. name returns the name of a candidate.
func (v *Violation) Describe(name func(int32) string, lengthNs int64) string {
	first, second := name(v.First), name(v.Second)
	switch v.Rule {
	case rules.MoreThanOneActive:
		return first + " and " + second + " both lead, for " + words.Seconds(lengthNs) + "."
	case rules.LeaderlessTooLong:
		return "Nobody leads for " + words.Seconds(v.FromNs+lengthNs-v.Number) + ", from " + words.Instant(v.Number) + "; the bound is " + words.Seconds(v.Counted) + "."
	case rules.NeedlessChange:
		if v.Second < 0 {
			return first + " is well, and loses the Lease."
		}
		return first + " is well, and " + second + " takes the Lease from it."
	case rules.NoRecovery:
		return "The last fault ended at " + words.Instant(v.Number) + ", and nobody leads " + words.Seconds(v.FromNs+lengthNs-v.Number) + " later; the bound is " + words.Seconds(v.Counted) + "."
	case rules.TransitionsMiscount:
		return "leaseTransitions says " + words.Number(v.Number) + "; by the true changes of holder it would be " + words.Number(v.Counted) + "."
	case rules.RequestStorm:
		return words.Number(v.Number) + " requests in one second; the bound is " + words.Number(v.Counted) + ". It lasts " + words.Seconds(lengthNs) + "."
	case rules.ShownHolderNotActive:
		return first + " is active, but the Lease does not name it for " + words.Seconds(lengthNs) + " more than the " + words.Seconds(v.Counted) + " that an answer may take."
	case rules.StaleWriteAccepted:
		return "The resource takes " + words.Count(v.Number, "write", "writes") + " of " + first + " although " + second + " holds the Lease."
	case rules.ResourceOwnedTwice:
		return first + " and " + second + " both own the resource, for " + words.Seconds(lengthNs) + "."
	case rules.WriteByNonHolder:
		return first + " writes a Lease that it does not hold."
	case rules.CallbacksOutOfOrder:
		if v.Number == StartedTwice {
			return first + " starts leading a second time without having stopped."
		}
		return first + " starts leading without holding the Lease."
	case rules.KnowsLostStillActive:
		return first + " reads another holder in the Lease and stays active for " + words.Seconds(lengthNs) + "."
	case rules.MarginNegative:
		return "The safety margin of " + first + " is " + words.Seconds(v.Number) + ": a successor may start before it stops."
	case rules.NewerCandidateElected:
		return first + " leads although " + second + " has an older emulation version."
	case rules.NewerThanAPIServer:
		return first + " leads and is newer than the API server " + second + ", for " + words.Seconds(lengthNs) + "."
	case rules.NodeReadyMismatch:
		if v.Counted == 0 {
			return first + " is alive, and " + second + " does not count it as ready, for " + words.Seconds(lengthNs) + "."
		}
		return first + " has been gone since " + words.Instant(v.Number) + ", and " + second + " still counts it as ready, " + words.Seconds(lengthNs) + " longer than it needs to notice."
	case rules.FailoverOverFormula:
		return "The failover to " + second + " took " + words.Seconds(v.Number) + "; by the formula at most " + words.Seconds(v.Counted) + "."
	}
	return v.Title() + "."
}
