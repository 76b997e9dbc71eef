// Package evidence reads what a cluster left behind about its Leases and says what happened, with the lines that
// prove it.
//
// # The problem
//
// Two controllers worked at once, or no controller worked, and now the cluster is healthy again. What remains are
// files: an audit log of kube-apiserver, a watch of the Lease, a copy of it, the logs of the electors, perhaps a
// trace of leaselab. Each file shows one part of the story, on its own clock. This package puts the parts on one
// timeline and reads it.
//
//	audit log    every request that arrived, with its time at the server; reads do not name the candidate
//	watch        every state of the Lease, with the time at which the watcher saw it
//	copy         one state, with the holder's renewTime
//	logs         what a candidate believed, on its own clock, in messages that differ between versions
//	trace        everything, if the run was a simulation
//
// # The types
//
// A Reader takes files in chunks of any size, even from several files in turn, and keeps only what concerns a Lease.
// Its method Report returns what it has found so far:
//
//	r := evidence.NewReader(evidence.Options{})
//	r.Feed("audit.log", chunk) // as often as there are chunks
//	r.End("audit.log")
//	report := r.Report()
//
// A Report has a LeaseReport for each Lease: its leader changes, gaps and overlaps, each with a cause, a confidence
// and lines such as audit.log:4711. WriteStory prints it, Chart draws it, History exports it, and Judge checks it
// against the rules of sim/judge. Package rebuild turns it into a scenario that you can run again and change.
//
// # From lines to causes
//
//	bytes            unpack.go, document.go             unpack archives; divide lists into their elements
//	  |
//	wrapped lines    unwrap.go, envelope.go             take off what collectors put around a line
//	  |
//	lines            klog.go, material.go, record.go    which lines say something about a Lease?
//	  |
//	processes        identity.go                        which candidate wrote each log?
//	  |
//	material         align.go                           one timeline: the audit log's clock, else the watch's
//	  |
//	writes, lines    terms.go                           terms: who held the Lease from when to when?
//	  |
//	terms            cause.go, sentences.txt            why did each term end?
//	  |
//	LeaseReport      report.go, story.go, chart.go      tell it
//
// First come the layers. kubectl, container runtimes and log stores put something around each line, often several of
// them in turn. A function takes off one layer and calls itself with the rest, until it finds a line of a program or an
// API object. It keeps what the layers say: a time, and the pod that wrote the line.
//
// A log does not say which candidate wrote it, and files have any names. But the instant at which a candidate acquired
// the Lease is in its log and, by the same clock, in acquireTime of the Lease. So each process finds its identity by
// what it says. Where the log shows no acquisition, the names of its pod, its file and its folders decide. A file that
// mixes several processes contradicts itself, and the report leaves it out.
//
// Then come order and clocks. resourceVersion orders the writes: no clock can contradict it. The audit log's clock is
// the reference for their times, because the API server saw every write. A holder sets renewTime just before it writes,
// so the server's time minus renewTime is the offset of the holder's clock, and of its log. The log of a candidate that
// never wrote has reads, and the audit log has the same reads. The report states each offset and its error, and uses an
// offset only if its error is smaller than the offset, and smaller than the time that it decides.
//
// Next come terms. A term is the time in which the Lease named one candidate. The way it ended has a pattern:
//
//	release     the holder wrote an empty holderIdentity, or logged it
//	edited      another program did, or replaced the holder: an elector always changes renewTime, too
//	early       a takeover before the Lease could expire: another client, or a fast clock
//	partition   the holder's requests failed, or a write arrived late
//	pause       the holder was silent without failing, and then read that another holds the Lease
//	slow        the last renewals came unusually far apart, or an answer did not arrive in time
//	crash       no request and no log line of the holder follows its last renewal
//	deleted     a client deleted the Lease while the candidate held it
//	control plane   the API server answered with errors, or nobody's requests arrived
//
// Last comes the question that matters most: did the old leader work on? overlap answers it for every cause, with the
// best evidence for when that leader stopped. The answer is a range if nothing shows the exact instant.
//
// Often several patterns fit. Then the finding names the most likely cause with a confidence, and the others as
// alternatives. The numbers behind these decisions are in thresholds.go. They come from recorded incidents with known
// causes, and other incidents confirmed them.
//
// # An example
//
// Candidate a renews every 2 s; leaseDuration is 15 s. The audit log and a.log show this:
//
//	audit.log:812   12:00:04.1  update, holder a            the last renewal of a
//	audit.log:903   12:00:20.3  update, holder b            b takes the Lease, 16.2 s later
//	a.log:77        12:00:31.8  "lock is held by b ..."     a reads, and learns it
//	a.log:78        12:00:31.8  "failed to renew lease"     a stops leading
//
// Between 12:00:04 and 12:00:31, candidate a logged no failed request. A network cut would have caused failures, and
// after a crash its log would have no later line. So candidate a slept: the cause is a pause, with confidence 0.95.
// From 12:00:20.3, when b took the Lease, to 12:00:31.8, when candidate a stopped, both may have believed that they
// led. The report gives an overlap of 11.5 s, with the lines that show its beginning and end.
//
// A watch of the Lease alone would show the two updates and silence in between. A crash, a pause and a cut all look
// like that, so in that case the report says "crash, pause or partition", with a confidence of 0.34.
//
// # Guarantee
//
// The report depends only on the bytes of each file and on the options; chunk sizes do not change it. Every
// unreadable line is a Problem with its file and line. The package attributes a request to a candidate only if the
// request's content, the client or a log names that candidate. All other requests count as unattributed. It
// understands the messages of tools/leaderelection in client-go v0.17 to v0.37. Memory stays bounded: see the limits
// in reader.go.
//
// # Non-guarantee
//
// A cause is an inference. These files do not show when a leader worked, only when the leader believed that it led.
// What no file shows stays unknown, and LeaseReport.Limits says so.
// Instants are nanoseconds since 1970 on the timeline of the report.
package evidence
