package evidence

import "time"

// The thresholds of the inferences, in nanoseconds. They come from the five incidents in testdata and from made-up
// evidence. They have not changed since the recording of the incidents in testdata/fresh. So the results with
// testdata/fresh show how good the inferences are for new evidence. Change a threshold only together with fresh
// incidents (make incidents).
const (
	logErrorNs = int64(100 * time.Millisecond) // minimum error of a log's clock
	// an acquisition in a log matches one of the Lease if they are at most this far apart
	fitNs        = int64(time.Second)
	clockErrorNs = int64(20 * time.Millisecond) // minimum error of a clock that renewTime shows
	// A log is on another clock than renewTime, such as local time, if its acquisitions are further off than this. An
	// acquisition appears late in the log if its answer got lost.
	localTimeNs  = int64(10 * time.Second)
	clockSamples = 10_000                       // renewals that show a clock
	readFitNs    = int64(50 * time.Millisecond) // a read in a log matches one in the audit log
	readsLeast   = 4                            // this many reads can align a log
	readsMost    = 200                          // this many reads are enough
	readsShare   = 0.7                          // of them, a shift must match this share
	readsReachNs = int64(2 * time.Minute)       // how far apart the clocks of a log and of the server may be
	// two requests this far out of the order of resourceVersion went to servers with different clocks
	serversApartNs     = int64(time.Second)
	clockWorthSayingNs = int64(time.Second)            // how wrong a clock must be for a sentence
	missingNs          = int64(3 * time.Second)        // an acquisition this long before the first write is missing
	firstRenewalNs     = int64(200 * time.Millisecond) // an elector renews at once after acquiring
	sameTermNs         = int64(2 * time.Second)        // two logs this close together mention the same acquisition
	// if a log names an earlier holder this long after the current term began, that is a new term
	staleNewsNs   = int64(20 * time.Second)
	nearReadNs    = int64(100 * time.Millisecond) // maximum time between a read and the log line about its answer
	evenNs        = int64(70 * time.Millisecond)  // precision of a leader's attempts
	silentReaders = 3                             // this many reads before show that candidates poll
	evenLeast     = 5                             // this many evenly spaced reads make a pattern
	lateNs        = int64(time.Second)            // beyond retryPeriod: the network delayed a write
	// an interval is unusual if it is longer than twice retryPeriod, and longer than retryPeriod plus this
	stretchedNs = int64(1200 * time.Millisecond)
	// two logs that nothing ties together show an overlap only if it is longer than clocks commonly differ
	untiedNs    = int64(5 * time.Second)
	earlyNs     = int64(time.Second) // before the Lease could expire: an early takeover
	freshNs     = int64(time.Minute) // an acquisition this long before the first write is news
	elsewhereNs = int64(time.Minute) // another candidate that failed this close may have the same cause
	// in logs alone, an acquisition this long before expiry means that the holder released the Lease
	releasedEarlyNs = int64(time.Second) / 2
	waitAfterLossNs = int64(10 * time.Minute) // how long after a change to look for the old leader's attempts
	deadlineLeastNs = int64(time.Second)      // minimum of an inferred renewDeadline
	intervalsLeast  = 3                       // renewals needed to infer a retryPeriod
	intervalsSure   = 5                       // renewals after which the value is certain
)
