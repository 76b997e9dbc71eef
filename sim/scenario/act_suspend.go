package scenario

// ActSuspend stops a node with its monotonic clock, as suspending a VM does. Go's timers follow that clock on Linux, so
// the elector believes that no time has passed: after an hour of sleep its renewDeadline is as far ahead as before.
const ActSuspend = "suspend"

var actSuspend = Act{
	Use:  Uses{Explore: Yes, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActSuspend, Section: SectionProcess, Takes: targetAndFor, Needs: targetOnly, On: OnAwake,
	Label: "Suspend", Told: "is suspended", Promise: "will be suspended",
	Help: "The whole node sleeps, like a suspended VM. The monotonic clock stops, so the node wakes with its " +
		"deadlines still ahead. The wall clock has jumped ahead.",
	follows: beginPause,
}
