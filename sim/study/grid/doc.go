// Package grid studies a scenario with every combination of the values of some fields, each with many seeds, and
// counts the results.
//
// # The problem
//
// "Is a retryPeriod of 4 s still fine?" The answer depends on the leaseDuration that goes with it, and on luck. So
// the answer is a table with a row for each combination: the share of runs with two leaders, the longest time without
// a leader, and the load on the API server. `leaselab sweep` prints it.
//
// # The types
//
// Combinations makes the grid from texts such as elector.retryPeriod=1s,2s,4s; Values describes what such a text may
// contain. NewPlan numbers the grid's runs, as package study requires. RowOf counts the runs of a combination, and
// Rows does so for runs that arrive one by one. Findings lists which values the broken rules have in common.
//
//	--set elector.leaseDuration=10s,15s --set elector.retryPeriod=1s,2s     seeds 1..100
//
//	combination          0         1         2         3
//	leaseDuration       10s       10s       15s       15s
//	retryPeriod          1s        2s        1s        2s       the last set changes fastest
//	runs               0..99   100..199  200..299  300..399     the seed changes fastest of all
//
// Every combination has the same seeds. So if the runs of two rows make the same draws, the rows differ because of
// their values and not because of luck.
//
// # Guarantee
//
// A row depends only on its combination and its runs, not on the order in which they ran. A combination that the
// format refuses keeps its place, with the reason, and has no runs.
//
// # Non-guarantee
//
// A share of the runs is an estimate, so the row also has its 95 % interval. If the end of a run cuts off a gap or an
// overlap, the length up to that point counts, and the row says "at least". Lengths are nanoseconds in a Run and
// seconds in a Row.
package grid
