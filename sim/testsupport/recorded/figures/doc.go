// Package figures simulates the cases that were measured on the real client-go v0.37.2, with electors that start within
// the first 0.1 s and consecutive seeds from 1. Its tests compare the distributions with the published figures; `go
// test -v ./sim/recorded/figures` prints them.
//
// Guarantee: it uses every seed. Non-guarantee: two samples of one distribution differ by chance;
// `sim/conformance/measured` runs any number of elections of client-go itself.
package figures
