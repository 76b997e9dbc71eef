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
// Guarantee: the rules are values. They hold no clock, no queue of messages and no callback. The same questions in the
// same order have the same answers on every platform. Non-guarantee: the rules do not deliver messages, do not keep
// them, and do not know what is in them.
package network
