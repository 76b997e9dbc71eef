// Package measured re-stages the cases that were measured on the real client-go v0.37.2, with electors that start within the
// first 0.1 s and seeds from 1 on as they come. Its tests compare the distributions with the published figures: `go test -v
// ./sim/recorded/figures` prints them.
//
// Guarantee: seeds are never chosen. Non-guarantee: two samples of one distribution are as far apart as chance makes them;
// `sim/conformance/measured` draws from client-go itself as many elections as one likes.
package figures
