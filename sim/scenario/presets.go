package scenario

import (
	_ "embed"

	"github.com/leaselab/leaselab/core/elements"
)

// PresetControllerRuntime is the preset of which one setting depends on another: see ResolveCandidate.
const PresetControllerRuntime = "controller-runtime"

// preset is a named group of settings of a real component. With a preset you can say "as in my cluster" without looking
// up numbers in four repositories. A scenario or a candidate may name one and override some of its settings.
type preset struct {
	name    string
	texts   map[string]string // the groups elector and process, as a document writes them, and says, the help
	elector Elector
	process Process
}

// presets.txt has the settings of Kubernetes v1.36, client-go v0.37.2 and controller-runtime v0.25.2. The request
// timeout is the one of the component's client. Sources: component-base config
// RecommendedDefaultLeaderElectionConfiguration, client-go resourcelock NewFromKubeconfig (half of renewDeadline),
// controller-runtime pkg/manager internal.go, kube-controller-manager app/controllermanager.go (LeaderHealthzAdaptor
// 20s, exit on OnStoppedLeading), kubelet nodeLeaseDurationSeconds and the quarter of it after which it renews.
//
//go:embed presets.txt
var presetLines string

var presets = presetRows()

func presetRows() (all []*preset) {
	readRows(presetLines, func(name string) func(name, value string) {
		p := &preset{name: name, texts: map[string]string{}}
		all = append(all, p)
		return func(name, value string) { p.texts[name] = value }
	})
	return all
}

func presetWords() []string { return elements.Of(presets, func(p *preset) string { return p.name }) }

func presetSays() []string {
	return elements.Of(presets, func(p *preset) string { return p.texts["says"] })
}

// readPresets reads the settings of the presets. A mistake in the table makes the program panic at its start. The
// settings have the same reader as documents, so a preset can contain only what a document can.
func readPresets() {
	for _, p := range presets {
		s, err := Fragment([]Change{{"elector", p.texts["elector"]}, {"process", p.texts["process"]}})
		if err != nil {
			panic("the table of presets has an invalid setting: " + err.Error())
		}
		p.elector, p.process = s.Elector, s.Process
	}
}

// presetNamed finds a preset; the preset "" has no settings.
func presetNamed(name string) *preset {
	for _, p := range presets {
		if p.name == name {
			return p
		}
	}
	return &preset{}
}
