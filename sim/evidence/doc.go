// Package evidence reads what a cluster left behind about its Leases: audit logs of kube-apiserver, watches and copies
// of a Lease, logs of electors, and traces of leaselab. It puts them on one timeline per Lease and says what happened,
// with the lines that say so.
//
// A Reader takes files in chunks of any size, several files in turns, and keeps only what concerns a Lease.
//
// Guarantee: the report is a function of the bytes of each file and of the options; the sizes of the chunks do not
// change it. Every unreadable line is a Problem with its file and line. A request is attributed only where its content,
// its client or a log names the candidate; others are counted as unattributed. Non-guarantee: a cause is an inference.
// Work is not in these files: the length of an overlap is that of the belief to lead.
package evidence
