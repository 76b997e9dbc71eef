// Package leasecandidate replays recorded runs of client-go's LeaseCandidate client on our step machine.
//
// Guarantee: if our client follows a trace, the package writes exactly what it read. Non-guarantee: it has no API
// server; the trace says what each request got.
package leasecandidate
