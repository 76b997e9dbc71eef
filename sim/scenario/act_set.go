package scenario

// ActSet changes settings during a run. client-go reads its configuration once, so changes to the elector's settings
// wait for the node's next start. During a rollout, processes with two configurations compete for one Lease, and
// NewLeaderElector checks each configuration only by itself.
const ActSet = "set"

var actSet = Act{
	Use:  Uses{Explore: Yes, GoTest: No, InTest: Yes, OnServer: Yes, AsProcesses: Yes},
	Word: ActSet, Section: SectionRest, Takes: []string{"target", "elector", "network"}, Needs: targetOnly,
	OneOf: []string{"elector", "network"},
	Told:  "gets new settings", Promise: "will get new settings",
	Help: "Changes settings of the target. Elector settings take effect at its next start, network settings at once.",
	follows: func(v *validator, a Action, path string) {
		v.checkNetwork(a.Network, join(path, "network"))
		if !v.termless {
			v.add(v.settings.set(a, path))
		}
	},
}
