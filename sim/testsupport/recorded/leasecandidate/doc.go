// Package leasecandidate replays recorded runs of client-go's LeaseCandidate client on our step machine.
//
// Guarantee: if our client follows a trace, the package writes exactly what it read. Non-guarantee: no API server runs.
// The trace contains the answer to each request.
package leasecandidate
