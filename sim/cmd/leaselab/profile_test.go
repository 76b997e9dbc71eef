package main

import "testing"

// BenchmarkCommand is what `make profile` measures for the compiler: simulated elections, sweeps, explorations, and hunts.
func BenchmarkCommand(b *testing.B) {
	for range b.N {
		for _, args := range [][]string{
			{"bench", "--only", "speed", "--at-least", "1s"},
			{"bench", "--only", "study", "--at-least", "1s"},
			{"hunt", "first-election", "--runs", "1000"},
			{"sweep", "crash", "--set", "elector.retryPeriod=1s,2s", "--seeds", "1..3000"},
		} {
			if _, err := leaselab(args...); err != nil && args[0] != "hunt" { // a hunt that finds something ends with its exit code
				b.Fatal(err)
			}
		}
	}
}
