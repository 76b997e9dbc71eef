// Package rules names the rules that a run can break. The scenario format, the checkers and the texts all use this
// one table. To be usable everywhere, the package imports nothing. The code of each rule is in package check.
//
// A rule is a sentence about a run that a checker can decide from the trace: "at no instant do two workers act". Its
// name appears in the expectations of a scenario (violation: moreThanOneActive) and in reports. Its severity
// determines the exit code of the command. Safety means that something bad happened, and liveness that something good
// did not happen in time. An observation is worth showing, but no guarantee was broken.
//
// Guarantee: a rule keeps its name. Non-guarantee: the package does not check runs.
package rules

// Severity of a broken rule.
type Severity uint8

const (
	Safety      Severity = iota // exit code 3
	Liveness                    // exit code 4
	Observation                 // worth knowing; never changes the exit code
)

// Severities lists the severities, the worst first.
func Severities() []Severity { return []Severity{Safety, Liveness, Observation} }

// String returns the word that summaries print. Files and the page depend on this word.
func (s Severity) String() string { return [...]string{"safety", "liveness", "observation"}[s] }

// The rules' names, as scenarios spell them. A user may keep a file with a name for years, so names never change.
const (
	MoreThanOneActive     = "moreThanOneActive"
	LeaderlessTooLong     = "leaderlessTooLong"
	NeedlessChange        = "needlessChange"
	NoRecovery            = "noRecovery"
	TransitionsMiscount   = "transitionsMiscount"
	RequestStorm          = "requestStorm"
	ShownHolderNotActive  = "shownHolderNotActive"
	StaleWriteAccepted    = "staleWriteAccepted"
	WriteByNonHolder      = "writeByNonHolder"
	CallbacksOutOfOrder   = "callbacksOutOfOrder"
	KnowsLostStillActive  = "knowsLostStillActive"
	MarginNegative        = "marginNegative"
	NewerCandidateElected = "newerCandidateElected"
	NewerThanAPIServer    = "newerThanApiServer"
	NodeReadyMismatch     = "nodeReadyMismatch"
	FailoverOverFormula   = "failoverOverFormula"
	ResourceOwnedTwice    = "resourceOwnedTwice"
	WorksBeyondLease      = "worksBeyondLease"
)

// Rule is what one checker checks.
type Rule struct {
	Number   int // the number in the catalogue of bugs; two rules share number 8
	Name     string
	Severity Severity
	Title    string // title of a violation of the rule
}

var all = [...]Rule{
	{1, MoreThanOneActive, Safety, "more than one active worker"},
	{2, LeaderlessTooLong, Liveness, "nobody leads for too long"},
	{3, NeedlessChange, Observation, "a healthy leader is replaced"},
	{4, NoRecovery, Liveness, "nobody leads after the last fault"},
	{5, TransitionsMiscount, Observation, "leaseTransitions differs from the real number of changes"},
	{6, RequestStorm, Observation, "more requests than the bound"},
	{7, ShownHolderNotActive, Observation, "the Lease names a candidate that is not active"},
	{8, StaleWriteAccepted, Safety, "the resource accepts a stale write"},
	{8, ResourceOwnedTwice, Observation, "the resource has two owners"},
	{9, WriteByNonHolder, Safety, "a write by a candidate that does not hold the Lease"},
	{10, CallbacksOutOfOrder, Safety, "callbacks out of order"},
	{11, KnowsLostStillActive, Observation, "a worker stays active although it has read that another holds the Lease"},
	{12, MarginNegative, Observation, "the safety margin is negative"},
	{13, NewerCandidateElected, Observation, "the elected candidate does not have the oldest version"},
	{14, NewerThanAPIServer, Observation, "a leader newer than an API server"},
	{15, NodeReadyMismatch, Observation, "a node's readiness is wrong"},
	{16, FailoverOverFormula, Observation, "a failover longer than the formula allows"},
	{17, WorksBeyondLease, Observation, "a program works although its Lease has expired"},
}

// All lists the rules by number. The caller must not change them.
func All() []Rule { return all[:] }

// Names lists the names of All.
func Names() []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}

// ByName finds the rule with a name. The caller must not change the rule.
func ByName(name string) (*Rule, bool) {
	for i := range all {
		if all[i].Name == name {
			return &all[i], true
		}
	}
	return nil, false
}
