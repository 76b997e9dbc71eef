package scenario

// ActStop cancels the context of a process, as the handler of SIGTERM does. With releaseOnCancel the leader empties
// holderIdentity on its way out, and the next candidate need not wait for leaseDuration.
const ActStop = "stop"

var actStop = Act{
	Use:  Uses{Explore: Yes, GoTest: Yes, InTest: Yes, OnServer: No, AsProcesses: Yes},
	Word: ActStop, Section: SectionProcess, Takes: []string{"target", "grace"}, Needs: targetOnly,
	On:    OnStoppable,
	Label: "Stop", Key: "T", Told: "is asked to stop", Promise: "will be asked to stop",
	Help: "Asks the process to stop (SIGTERM). With releaseOnCancel a leader first clears holderIdentity.",
	Stands: "With grace: 30s, this act is SIGTERM, the shutdown hook (the leader's work goes on for " +
		"process.drainAfterCancel; with elector.releaseAfterWork it renews until then), and SIGKILL after 30 s for a " +
		"process that has not ended. Nothing starts a killed process again.",
}
