// Package leasecandidate replays recorded runs of client-go's LeaseCandidate client on our step machine.
//
// Guarantee: a trace that our client follows is written as it was read. Non-guarantee: it has no API server; the trace
// says what each request got.
package leasecandidate
