package scenario

import "reflect"

// The presets: the settings of real components. With a preset you can say "as in my cluster" without looking up
// numbers in four repositories.
const (
	PresetClientGo          = "client-go"
	PresetControllerRuntime = "controller-runtime"
	PresetControllerManager = "kube-controller-manager"
	PresetNodeLease         = "kubelet-node-lease"
)

// preset is a named group of settings. A scenario or a candidate may name a preset and override some of its settings.
type preset struct {
	name     string
	settings string // of the groups elector and process, as a document writes them
	elector  Elector
	process  Process
}

// presets are the settings of Kubernetes v1.36, client-go v0.37.2 and controller-runtime v0.25.2. The request timeout
// is the one of the component's client. Sources: component-base config RecommendedDefaultLeaderElectionConfiguration,
// client-go resourcelock NewFromKubeconfig (half of renewDeadline), controller-runtime pkg/manager internal.go,
// kube-controller-manager app/controllermanager.go (LeaderHealthzAdaptor 20s, exit on OnStoppedLeading), kubelet
// nodeLeaseDurationSeconds and the quarter of it after which it renews.
var presets = [...]preset{
	{name: PresetClientGo, settings: `{"elector":{` + recommended + `}}`},
	{name: PresetControllerRuntime, settings: `{"elector":{` + recommended + `},"process":{"onLoss":"exit"}}`},
	{name: PresetControllerManager, settings: `{"elector":{` + recommended +
		`},"process":{"onLoss":"exit","watchdogTolerance":"20s"}}`},
	{name: PresetNodeLease,
		settings: `{"elector":{"leaseDuration":"40s","renewDeadline":"30s","retryPeriod":"10s",` +
			`"requestTimeout":"10s","releaseOnCancel":false,"dialect":["noDeadline"],"lock":"leases"}}`},
}

const recommended = `"leaseDuration":"15s","renewDeadline":"10s","retryPeriod":"2s","requestTimeout":"5s",` +
	`"releaseOnCancel":false,"dialect":["current"],"lock":"leases"`

// presetTiming is the help's description of the preset "recommended".
const presetTiming = "leaseDuration 15s, renewDeadline 10s, retryPeriod 2s, requestTimeout 5s"

// The help texts of the presets. A test checks that they agree with the settings.
var (
	presetWords = []string{PresetClientGo, PresetControllerRuntime, PresetControllerManager, PresetNodeLease}
	presetSays  = []string{
		"the recommended configuration of component-base: " + presetTiming,
		"a manager: " + presetTiming +
			", onLoss exit; with releaseOnCancel: true (LeaderElectionReleaseOnCancel) also releaseAfterWork",
		"the defaults of its flags: " + presetTiming + ", onLoss exit, watchdogTolerance 20s",
		"a node's Lease, which a kubelet renews every quarter of its duration and never gives up: leaseDuration 40s, " +
			"renewDeadline 30s, retryPeriod 10s, requestTimeout 10s, dialect noDeadline (for real kubelets, use " +
			"heartbeats)",
	}
)

// readPresets reads the settings of the presets. A mistake in the table makes the program panic at its start. The
// settings are JSON and have the same reader as documents, so a preset can contain only what a document can.
func readPresets() {
	for i := range presets {
		var s Scenario
		n, err := parse([]byte(presets[i].settings))
		for k, name := range n.Names {
			group := reflect.ValueOf(&s.Elector).Elem()
			if name == "process" {
				group = reflect.ValueOf(&s.Process).Elem()
			}
			if err == nil {
				err = n.item(k).read(group, place{name, group.Type().Name()})
			}
		}
		if err != nil {
			panic(err)
		}
		presets[i].elector, presets[i].process = s.Elector, s.Process
	}
}

// presetNamed finds a preset; the preset "" has no settings.
func presetNamed(name string) *preset {
	for i := range presets {
		if presets[i].name == name {
			return &presets[i]
		}
	}
	return &preset{}
}
