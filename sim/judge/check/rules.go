package check

// Severity of a broken rule.
type Severity uint8

const (
	Safety      Severity = iota // exit code 3
	Liveness                    // exit code 4
	Observation                 // worth knowing; never changes the exit code
)

var severityNames = [...]string{"safety", "liveness", "observation"}

func (s Severity) String() string { return severityNames[s] }

// Rule names, as scenarios expect them.
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
)

// Rule is what one checker checks.
type Rule struct {
	Number   int // as the catalogue of bugs numbers them
	Name     string
	Severity Severity
	Title    string // of its breach
	figure   func(c *Checks, nowNs int64) string
	off      func(c *Checks) bool // nothing there to check; nil: never
	unbound  func(c *Checks) bool // no bound to judge by; nil: it needs none
}

// Rules lists every checker by its number.
func Rules() []Rule { return rules[:] }

// rules is filled by init: the figures refer to the state, and the state to the rules.
var rules []Rule

func init() {
	rules = []Rule{
		{1, MoreThanOneActive, Safety, "more than one active worker", oneActiveFigure, nil, nil},
		{2, LeaderlessTooLong, Liveness, "nobody leads for too long", leaderlessFigure, nil, noLeaderlessBound},
		{3, NeedlessChange, Observation, "a healthy leader is replaced", needlessFigure, nil, nil},
		{4, NoRecovery, Liveness, "nobody leads after the last fault", recoveryFigure, nil, noRecoveryBound},
		{5, TransitionsMiscount, Observation, "leaseTransitions differs from the true changes", transitionsFigure, nil, nil},
		{6, RequestStorm, Observation, "more requests than the bound", requestsFigure, nil, noRequestsBound},
		{7, ShownHolderNotActive, Observation, "the Lease names somebody who does not work", shownFigure, nil, nil},
		{8, StaleWriteAccepted, Safety, "the resource takes a stale write", staleFigure, noResource, nil},
		{8, ResourceOwnedTwice, Observation, "the resource has two owners", ownersFigure, noOwners, nil},
		{9, WriteByNonHolder, Safety, "a write by someone who does not hold the Lease", nonHolderFigure, nil, nil},
		{10, CallbacksOutOfOrder, Safety, "callbacks out of order", callbacksFigure, nil, nil},
		{11, KnowsLostStillActive, Observation, "a worker goes on although it has read another's name", knowsLostFigure, nil, nil},
		{12, MarginNegative, Observation, "the safety margin is gone", marginFigure, nil, nil},
		{13, NewerCandidateElected, Observation, "not the oldest version is elected", electionsFigure, noElections, nil},
		{14, NewerThanAPIServer, Observation, "a leader newer than an API server", skewFigure, noVersions, nil},
		{15, NodeReadyMismatch, Observation, "a node is not what it is taken for", readyFigure, noHeartbeats, nil},
		{16, FailoverOverFormula, Observation, "a failover longer than the formula allows", failoverFigure, nil, nil},
	}
}

// ruleNamed is the rule of a name.
func ruleNamed(name string) *Rule {
	for k := range rules {
		if rules[k].Name == name {
			return &rules[k]
		}
	}
	return nil
}

func noLeaderlessBound(c *Checks) bool { return c.bounds.LeaderlessNs == 0 }

func noRecoveryBound(c *Checks) bool { return c.bounds.RecoveryNs == 0 }

func noRequestsBound(c *Checks) bool { return c.bounds.RequestsPerSecond == 0 }
