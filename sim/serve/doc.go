// Package serve serves core/apiserver over net/http in real time, to kubectl, client-go, curl and any other client of
// a Kubernetes API.
//
// # The problem
//
// core/apiserver is a function of its state, the time and a request. It has no sockets and no goroutines, and it is
// not safe for concurrent use. Real clients speak HTTP, wait, disconnect in the middle of a watch, and come by the
// thousand. This package connects the two.
//
// # The way of a request
//
//	browser, kubectl, client-go
//	    |
//	Access                refuses pages of other origins: a browser may reach a server on localhost
//	package audit         writes a line about the request
//	package incoming      net/http's request becomes core/apiserver's
//	    |
//	Handler               one request at a time; waits, streams watches, fills the journal
//	    |
//	Backend               an API server (with package rbac as its guard), or a running Simulation; package kinds lists
//	                      the kinds that it serves without a schema
//	    ^
//	package controllers   finish what clients begin: elections, garbage, deleted namespaces, old Events
//
// A Handler owns the only lock. A write closes a channel, which wakes the watches. Each watch then takes the lock to
// collect its frames, releases it, and writes the frames to its connection. So a client that reads slowly delays
// nobody else. A Journal, such as a File of package data, keeps the objects through restarts. No client learns of a
// write before the journal has stored it.
//
// # Guarantee
//
// The handler answers requests one at a time, in the order in which they acquire its lock. A slow or disconnected
// watcher never delays a writer, because each watch reads the history at its own pace. If a watch falls too far
// behind, it ends with 410.
//
// # Non-guarantee
//
// Real time is not deterministic, and without a Journal no object outlives the process. The server's errors are
// Statuses, as upstream's are. If this package cannot read a request, it answers with plain text instead.
package serve
