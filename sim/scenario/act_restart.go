package scenario

const ActRestart = "restart"

var actRestart = Act{
	Use:  Uses{Explore: Yes, GoTest: Yes, InTest: Yes, OnServer: No, AsProcesses: Yes},
	Word: ActRestart, Section: SectionProcess, Takes: targetOnly, Needs: targetOnly, On: OnEnded,
	Label: "Restart", Key: "R", Told: "restarts", Promise: "will restart",
	Help:    "A new process starts on the node, with the same name and no memory.",
	follows: endPause,
}
