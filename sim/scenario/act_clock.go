package scenario

// ActClock changes a node's clock. client-go tolerates any offset, because each node compares only readings of its
// own clock. It tolerates a difference in rate up to the ratio of leaseDuration to renewDeadline, as the package doc
// of tools/leaderelection says.
const ActClock = "clock"

var actClock = Act{
	Use:  Uses{Explore: Yes, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActClock, Section: SectionRest, Takes: []string{"target", "offset", "ratePpm", "jump"}, Needs: targetOnly,
	OneOf: []string{"offset", "ratePpm", "jump"}, On: OnAny,
	Label: "Clock…", Told: "gets a new clock", Promise: "will get a new clock",
	Help: "An offset changes the times that the node writes. Elections tolerate that. A wrong rate changes how long " +
		"its timers last. Elections tolerate that only up to a limit. A jump changes only the wall clock.",
}
