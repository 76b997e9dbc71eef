// Package network decides the fate of each message between a client and its server: cuts, faults, latencies, the queue
// of the server, and connections that clients find dead.
//
// A request passes up to five gates, and the caller asks at each one with its instant:
//
//	Leave    the client sends it
//	Arrive   it reaches the server, which may keep it in its queue
//	Serve    its stay at the server ends
//	Answer   the server sends the answer
//	Hear     the answer reaches the client
//
// An event of a watch is an answer without a request: it passes Answer and Hear only.
//
// Rules holds everything in force at one instant; BeginCut, BeginFault and BeginLatency add to it. Link is a client's
// connection to its server. Request is what the rules know of one request, and Fate what a gate decides about it.
// Instants and latencies are nanoseconds of true time. The upstream behavior comes from apimachinery util/net (dead
// connections) and apiserver pkg/server/filters (load shedding); each function names its source.
//
// Guarantee: the rules are values. They hold no clock, no queue of messages and no callback. The same questions in the
// same order have the same answers on every platform. Non-guarantee: the rules do not deliver messages, do not keep
// them, and do not know what is in them.
package network
