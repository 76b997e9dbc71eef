package scenario

// ActUpgrade gives a node another version. In coordinated election the strategy OldestEmulationVersion prefers the
// older version, so the old version leads as long as one component still runs it.
const ActUpgrade = "upgrade"

func checkUpgrade(v *validator, a Action, path string) {
	v.checkVersions(join(path, "binaryVersion"), join(path, "emulationVersion"), a.BinaryVersion, a.EmulationVersion)
}
