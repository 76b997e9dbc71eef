package scenario

// ActCrash ends a process as SIGKILL, a panic or a power failure does. Nobody releases the Lease, so the other
// candidates must wait until their countdown ends. The length of this failover depends on leaseDuration.
const ActCrash = "crash"

var actCrash = Act{
	Use:  Uses{Explore: Yes, GoTest: Yes, InTest: Yes, OnServer: No, AsProcesses: Yes},
	Word: ActCrash, Section: SectionProcess, Takes: targetAndFor, Needs: targetOnly, On: OnRunning,
	Label: "Crash", Key: "K", Told: "crashes", Promise: "will crash",
	Help:    "The process ends at once. It releases nothing: the others notice only because nobody renews the Lease.",
	Stands:  "With for: 10s, this act is a crash and, 10 s later, a restart of the node if it is still down.",
	follows: endPause,
}
