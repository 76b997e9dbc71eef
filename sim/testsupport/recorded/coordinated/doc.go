// Package coordinated replays recorded timelines of a kube-apiserver's coordinated leader election on our API server
// and controller.
//
// Guarantee: a run depends only on the timeline and on the constants, which are the same for all timelines.
// Non-guarantee: instants agree with the recording only within its tolerance, because the real controller ran in real
// time.
package coordinated
