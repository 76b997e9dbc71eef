package scenario

// ActSet changes settings during a run. client-go reads its configuration once, so changes to the elector's settings
// wait for the node's next start. During a rollout, processes with two configurations compete for one Lease, and
// NewLeaderElector checks each configuration only by itself.
const ActSet = "set"

func checkSet(v *validator, a Action, path string) {
	v.checkNetwork(a.Network, join(path, "network"))
	if !v.termless {
		v.add(v.settings.set(a, path))
	}
}
