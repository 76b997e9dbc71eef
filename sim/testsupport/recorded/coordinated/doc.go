// Package coordinated replays recorded timelines of a kube-apiserver's coordinated leader election on our API server
// and controller.
//
// Guarantee: a run is a function of the timeline and of the constants, which are one set for all timelines.
// Non-guarantee: instants agree with the recording only to its tolerance, because the real controller has a clock.
package coordinated
