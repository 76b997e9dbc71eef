package scenario

import (
	"reflect"
	"time"
)

// The presets: the settings of real components.
const (
	PresetClientGo          = "client-go"
	PresetControllerRuntime = "controller-runtime"
	PresetControllerManager = "kube-controller-manager"
	PresetNodeLease         = "kubelet-node-lease"
)

// preset is a name for settings. A scenario or a candidate may name one, and its own settings count before those of the preset.
type preset struct {
	name    string
	elector Elector
	process Process
	says    string // where the settings come from, and what they leave out; the settings follow it in the help
}

// The settings of Kubernetes v1.36, client-go v0.37.2 and controller-runtime v0.25.2. The timeout of a request is what the
// component's client has.
// Sources: component-base config RecommendedDefaultLeaderElectionConfiguration, client-go resourcelock NewFromKubeconfig (half of
// renewDeadline), controller-runtime pkg/manager internal.go, kube-controller-manager app/controllermanager.go (LeaderHealthzAdaptor
// 20s, exit on OnStoppedLeading), kubelet nodeLeaseDurationSeconds and the quarter of it after which it renews.
var presets = []preset{
	{PresetClientGo, electorOf(15, 10, 2, 5), Process{}, "the recommended configuration of component-base"},
	{
		PresetControllerRuntime, electorOf(15, 10, 2, 5), Process{OnLoss: OnLossExit},
		"a manager: it exits when it loses the Lease; with elector.releaseOnCancel: true (LeaderElectionReleaseOnCancel) it releases the Lease after its work (releaseAfterWork)",
	},
	{
		PresetControllerManager, electorOf(15, 10, 2, 5), Process{OnLoss: OnLossExit, WatchdogTolerance: new(Duration(20 * time.Second))},
		"its flags' defaults, on a Lease; it exits when it loses the Lease, and does not release it",
	},
	{
		PresetNodeLease, unending(electorOf(40, 30, 10, 10)), Process{},
		"the Lease of a node, which a kubelet renews every quarter of its duration and never gives up; heartbeats has kubelets as they are",
	},
}

// electorOf is an elector with these lengths in seconds that differs from client-go in nothing.
func electorOf(lease, deadline, retry, timeout time.Duration) Elector {
	seconds := func(n time.Duration) *Duration { return new(Duration(n * time.Second)) }
	return Elector{
		LeaseDuration: seconds(lease), RenewDeadline: seconds(deadline), RetryPeriod: seconds(retry), RequestTimeout: seconds(timeout),
		ReleaseOnCancel: new(false), Dialect: []string{DialectCurrent}, Lock: "leases",
	}
}

func unending(e Elector) Elector {
	e.Dialect = []string{"noDeadline"}
	return e
}

// presetNamed finds a preset, one without settings for "".
func presetNamed(name string) *preset {
	for i := range presets {
		if presets[i].name == name {
			return &presets[i]
		}
	}
	return &preset{}
}

func presetWords() (words, says []string) {
	for i := range presets {
		p := &presets[i]
		words = append(words, p.name)
		says = append(says, p.says+" ("+listWords(p.settings(), "and")+")")
	}
	return words, says
}

// PresetSettings says what a preset sets: "leaseDuration 15s, …".
func PresetSettings(name string) string { return listWords(presetNamed(name).settings(), "and") }

// settings lists what a preset sets: "leaseDuration 15s".
func (p *preset) settings() []string {
	var all []string
	for _, group := range []reflect.Value{reflect.ValueOf(p.elector), reflect.ValueOf(p.process)} {
		for _, f := range fieldsOf(group.Type()) {
			switch v := group.Field(f.index); {
			case v.IsZero() || f.name == "lock" || f.name == "releaseOnCancel" && !v.Elem().Bool():
			case v.Type() == reflect.TypeFor[*Duration]():
				all = append(all, f.name+" "+v.Interface().(*Duration).String())
			case v.Kind() == reflect.Slice:
				if word := v.Index(0).String(); word != DialectCurrent {
					all = append(all, f.name+" "+word)
				}
			case v.Kind() == reflect.String:
				all = append(all, f.name+" "+v.String())
			}
		}
	}
	return all
}
