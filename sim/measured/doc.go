// Package measured has no code. Its tests run the cases that were measured on the real client-go v0.37.2, seeds from 1 on as
// they come, and compare the distributions: `go test -v ./sim/measured` prints them.
package measured
