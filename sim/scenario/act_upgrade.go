package scenario

// ActUpgrade gives a node another version. In coordinated election the strategy OldestEmulationVersion prefers the
// older version, so the old version leads as long as one component still runs it.
const ActUpgrade = "upgrade"

var actUpgrade = Act{
	Use:  Uses{Explore: No, GoTest: No, InTest: No, OnServer: No, AsProcesses: No},
	Word: ActUpgrade, Section: SectionRest, Takes: []string{"target", "binaryVersion", "emulationVersion"},
	Needs: []string{"target", "binaryVersion"},
	Told:  "is upgraded", Promise: "will be upgraded",
	Help: "From its next start on, the target has another version.",
	fits: func(v *validator, a Action, path string) {
		v.checkVersions(join(path, "binaryVersion"), join(path, "emulationVersion"), a.BinaryVersion,
			a.EmulationVersion)
	},
}
