package scenario

const ActHang = "hang"

var actHang = Act{
	Use:  Uses{Explore: Yes, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActHang, Section: SectionProcess, Takes: targetAndFor, Needs: targetOnly, Inverse: ActResume, On: OnAwake,
	Label: "Hang", Told: "hangs", Promise: "will hang",
	Help:    "The elector's loop is stuck, but the process works and answers its probes. Only a watchdog notices.",
	follows: beginPause,
}
