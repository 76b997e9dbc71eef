package scenario

// ActRemove takes a node out of the run at once, without a release or a shutdown hook. No later node may have its
// name.
const ActRemove = "remove"

var actRemove = Act{
	Use:  Uses{Explore: Yes, GoTest: Yes, InTest: Yes, OnServer: No, AsProcesses: Yes},
	Word: ActRemove, Section: SectionProcess, Takes: targetOnly, Needs: targetOnly, On: OnAny,
	Label: "Remove", Told: "leaves for good", Promise: "will leave for good",
	Help: "The node leaves for good.",
	follows: func(v *validator, a Action, path string) {
		v.removed[a.Target] = a.At
		endPause(v, a, path)
	},
}
