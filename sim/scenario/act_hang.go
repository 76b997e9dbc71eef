package scenario

// ActHang stops the elector's loop in a process that otherwise works: a deadlock in a callback, for example. Liveness
// probes succeed, so nothing restarts the process, and its work goes on. client-go's HealthzAdaptor exists to find
// this.
const ActHang = "hang"

var actHang = Act{
	Use:  Uses{Explore: Yes, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActHang, Section: SectionProcess, Takes: targetAndFor, Needs: targetOnly, On: OnAwake,
	Label: "Hang", Told: "hangs", Promise: "will hang",
	Help:    "The elector's loop is stuck, but the process works and answers its probes. Only a watchdog notices.",
	follows: beginPause,
}
