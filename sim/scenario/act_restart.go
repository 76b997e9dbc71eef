package scenario

// ActRestart starts a new process where one has ended. If the Lease still names the new process's identity, the process
// takes the Lease at its first attempt, because client-go regards the process as the holder.
const ActRestart = "restart"

var actRestart = Act{
	Use:  Uses{Explore: Yes, GoTest: Yes, InTest: Yes, OnServer: No, AsProcesses: Yes},
	Word: ActRestart, Section: SectionProcess, Takes: targetOnly, Needs: targetOnly, On: OnEnded,
	Label: "Restart", Key: "R", Told: "restarts", Promise: "will restart",
	Help:    "A new process starts on the node, with the same name and no memory.",
	follows: endPause,
}
