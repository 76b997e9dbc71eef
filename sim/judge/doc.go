// Package judge is the room of verdicts: check has the checkers of the rules, expect the assertions of a scenario,
// breakpoint the conditions that stop a run.
//
// Guarantee: a verdict is a function of the records of a run. Non-guarantee: a run without a violation says nothing
// about other seeds.
package judge
