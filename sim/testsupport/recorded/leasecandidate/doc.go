// Package leasecandidate replays recorded runs of client-go's LeaseCandidate client on our step machine.
//
// Guarantee: if our client follows a trace, the package writes exactly what it read. Non-guarantee: there is an API
// server only in the trace, which says what each request got.
package leasecandidate
