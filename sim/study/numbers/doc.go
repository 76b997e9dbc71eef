// Package numbers says what leaseDuration, renewDeadline and retryPeriod lead to: how long a takeover takes, which
// outage of the API a leader survives, which pause and which clock are harmless, and how many requests it costs.
//
// # Formulas and runs
//
// Most answers follow from formulas of the three durations: see Setting.Closed. The page computes them in JavaScript
// before its engine loads. A table in testdata, which the test of this package writes, holds both to the same values.
//
//	takeover, at most       leaseDuration + 2 × 2.2 retryPeriod + 4 round trips
//	API outage survived     retryPeriod × (⌈renewDeadline / retryPeriod⌉ − 1)
//	safety margin           leaseDuration − renewDeadline − retryPeriod − the time of an answer
//	slow clock tolerated    1 − (renewDeadline + retryPeriod) / leaseDuration
//	harmless pause          leaseDuration − retryPeriod
//	writes a minute         60 s / (retryPeriod + a round trip)
//
// In three of these, a retryPeriod below 1 s counts as 1 s: client-go compares renewTimes in whole seconds, so others
// miss a renewal within the same second.
//
// The median of a takeover has no such formula: it is the least of several waits, each after a countdown that began at
// another poll. A Plan measures it. The leader crashes at a random phase of its renewals, once in each of 10,000 runs.
//
// # Guarantee
//
// The answer depends only on the setting and the number of candidates. No takeover exceeds the bound.
// Answer.Measured.Command makes the same runs with `leaselab sweep`.
//
// # Non-guarantee
//
// Requests take 5 ms. A slow API server makes everything longer, and the safety margin shorter.
package numbers
