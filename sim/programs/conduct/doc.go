// Package conduct finds what a real program does wrong, and names the cure.
//
// # The problem
//
// The rules of package check say that something bad happened: two programs worked at once. Its author wants to know
// which mistake led there, and what to change. Some mistakes break no rule in a short run: a program that hangs after
// it has lost the Lease does no harm until the other copies hang, too.
//
// # How it works
//
// A Fold follows the trace of a run, the requests that are not about the Lease, and what the processes show: the lines
// that they print, and how they end. Findings lists each mistake as a Finding with its Cause. Tell puts them into
// words: what happened, what cures it, and which incident of the museum shows the same.
//
//	records, requests, lines, exits --> Fold --> []Finding --> words
//
// Nobody can look into a program. So a finding needs evidence. "The work goes on although the election is over" means
// that the work has outlasted the Lease, and that the program no longer tried to renew it.
//
//	last renewal       last request      the Lease expires       the work ends
//	     ┃───────────────────┃───────────────────┃━━━━━━━━━━━━━━━━━━━━━━━┃
//	     ◀──────────── leaseDuration ───────────▶
//
// # Guarantee
//
// A fold only reads: it never changes a run or its trace. A record of a run gives the same findings as the run itself.
// A program that works as client-go does has no findings, whatever the network does to it.
//
// # Non-guarantee
//
// A fold sees work only if the program reports it. A process that is silent for less than two leaseDurations may be
// about to ask, so it does not count. Neither does a request that has had no answer for less than a minute: client-go
// notices a dead connection within 45 s.
package conduct
