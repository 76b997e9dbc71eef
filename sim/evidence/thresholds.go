package evidence

import "time"

// The thresholds of the inferences, in nanoseconds. They were set with the five incidents of testdata and with made
// evidence, and frozen before the fresh incidents of testdata/fresh were recorded: what those give says how far the
// inferences hold elsewhere. Change one only together with fresh incidents (make incidents).
const (
	logErrorNs = int64(100 * time.Millisecond) // of a log's clock, at least
	// a log's acquisitions and the Lease's fit if they are no further apart
	fitNs          = int64(time.Second)
	firstRenewalNs = int64(200 * time.Millisecond) // an elector renews at once after it acquired
	sameTermNs     = int64(2 * time.Second)        // two logs tell of one acquisition within it
	// a log that names an earlier holder later than this tells of a new term
	staleNewsNs = int64(20 * time.Second)
	nearReadNs  = int64(100 * time.Millisecond) // between a read and the log line that tells of its answer
	evenNs      = int64(70 * time.Millisecond)  // how exactly the attempts of a leader follow each other
	evenLeast   = 4                             // so many make a pattern
	lateNs      = int64(time.Second)            // beyond retryPeriod: a write was held on the network
	// beyond retryPeriod, and twice it: an interval is not the usual one
	stretchedNs = int64(1200 * time.Millisecond)
	earlyNs     = int64(time.Second) // before the Lease could expire: it was taken early
	// logs alone: acquired so long before it could expire: it was released
	releasedEarlyNs = int64(time.Second) / 2
	waitAfterLossNs = int64(10 * time.Minute) // how long after a change the old leader's attempts are looked for
	deadlineLeastNs = int64(time.Second)      // of an inferred renewDeadline
	intervalsLeast  = 3                       // renewals that a retryPeriod is inferred from
	intervalsSure   = 5                       // and so many make it certain
)
