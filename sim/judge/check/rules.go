package check

import "github.com/leaselab/leaselab/sim/judge/rules"

// checker is a rule with the code that says what was measured of it.
type checker struct {
	*rules.Rule
	figure  func(c *Checks, nowNs int64) string
	off     func(c *Checks) bool // nothing there to check; nil: never
	unbound func(c *Checks) bool // no bound to judge by; nil: it needs none
}

// checkers has one of each rule, in the order of rules.All. It is filled by init: the figures refer to the state, and the
// state to the checkers.
var checkers []checker

func init() {
	code := map[string]checker{
		rules.MoreThanOneActive:     {figure: oneActiveFigure},
		rules.LeaderlessTooLong:     {figure: leaderlessFigure, unbound: noLeaderlessBound},
		rules.NeedlessChange:        {figure: needlessFigure},
		rules.NoRecovery:            {figure: recoveryFigure, unbound: noRecoveryBound},
		rules.TransitionsMiscount:   {figure: transitionsFigure},
		rules.RequestStorm:          {figure: requestsFigure, unbound: noRequestsBound},
		rules.ShownHolderNotActive:  {figure: shownFigure},
		rules.StaleWriteAccepted:    {figure: staleFigure, off: noResource},
		rules.ResourceOwnedTwice:    {figure: ownersFigure, off: noOwners},
		rules.WriteByNonHolder:      {figure: nonHolderFigure},
		rules.CallbacksOutOfOrder:   {figure: callbacksFigure},
		rules.KnowsLostStillActive:  {figure: knowsLostFigure},
		rules.MarginNegative:        {figure: marginFigure},
		rules.NewerCandidateElected: {figure: electionsFigure, off: noElections},
		rules.NewerThanAPIServer:    {figure: skewFigure, off: noVersions},
		rules.NodeReadyMismatch:     {figure: readyFigure, off: noHeartbeats},
		rules.FailoverOverFormula:   {figure: failoverFigure},
	}
	all := rules.All()
	for i := range all {
		one, known := code[all[i].Name]
		if !known {
			panic("check: the rule " + all[i].Name + " has no checker")
		}
		one.Rule = &all[i]
		checkers = append(checkers, one)
		delete(code, all[i].Name)
	}
	if len(code) > 0 {
		panic("check: a checker has no rule")
	}
}

func noLeaderlessBound(c *Checks) bool { return c.bounds.LeaderlessNs == 0 }

func noRecoveryBound(c *Checks) bool { return c.bounds.RecoveryNs == 0 }

func noRequestsBound(c *Checks) bool { return c.bounds.RequestsPerSecond == 0 }
