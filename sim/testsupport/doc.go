// Package testsupport contains the packages that only tests use. recorded replays recordings of real programs, random
// makes scenarios, cost and bounded limit the cost of requests, and speed measures speed.
//
// Guarantee: no released program links these packages. Non-guarantee: the packages may change at any time, because
// only tests depend on them.
package testsupport
