// Package figures simulates the cases for which measurements with the real client-go v0.37.2 exist. The electors start
// within the first 0.1 s, and the seeds are consecutive from 1. Its tests compare the distributions with the published
// figures; `go test -v ./sim/recorded/figures` prints them.
//
// Guarantee: it leaves out no seed. Non-guarantee: two samples of one distribution differ by chance;
// `sim/conformance/measured` runs any number of elections with client-go itself.
package figures
