// Package network decides the fate of each message between a client and its server. It models cuts, faults,
// latencies, the queue of the server, and connections that clients find dead.
//
// A request passes up to five gates, and the caller asks at each one with its instant:
//
//	Leave    the client sends it
//	Arrive   it reaches the server, which may keep it in its queue
//	Serve    its stay at the server ends
//	Answer   the server sends the answer
//	Hear     the answer reaches the client
//
// A watch event is an answer without a request: it only passes Answer and Hear.
//
// Rules holds everything in force at one instant; BeginCut, BeginFault and BeginLatency add to it. Link is a client's
// connection to its server. Request is what the rules know about one request, and Fate is what a gate decides about
// it. Instants and latencies are nanoseconds of true time. The upstream behavior comes from apimachinery util/net
// (dead connections) and apiserver pkg/server/filters (load shedding); each function names its source.
//
// Guarantee: the rules are values. They have no clock, no message queue and no callbacks. The same calls in the same
// order give the same results on every platform. Non-guarantee: the rules do not deliver messages, do not keep them,
// and do not know what is in them.
package network
