package protocol

import (
	_ "embed"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Knobs lists the settings that have a control in the page.
var Knobs = knobs()

func knobs() []Knob {
	var all []Knob
	for _, k := range scenario.Knobs() {
		takes := "restart"
		if k.Effect == scenario.AtOnce {
			takes = "now"
		}
		all = append(all, Knob{Path: k.Path, Label: k.Label, Name: scenario.PlainName(k.Key), Kind: k.Kind,
			Takes: takes, Default: k.Default, Help: k.Help})
	}
	return all
}

// KnobLabel returns the label of the knob for a path, or the path if it has no knob.
func KnobLabel(path string) string {
	for _, k := range Knobs {
		if k.Path == path {
			return k.Label
		}
	}
	return path
}

// Acts lists the acts that have a button on each node, with their keys.
var Acts = actInfos()

func actInfos() []ActInfo {
	var all []ActInfo
	for _, a := range scenario.Acts() {
		if a.Label != "" {
			all = append(all, ActInfo{
				Act: a.Word, Label: a.Label, Key: a.Key, Help: a.Help,
				Told: a.Told, Promise: a.Promise,
			})
		}
	}
	return all
}

// help.txt explains each field of Leases and LeaseCandidates in up to two lines: its kind, its path and its help.
//
//go:embed help.txt
var helpLines string

// Fields explains each field of Leases and LeaseCandidates.
var Fields = readFields()

func readFields() []FieldHelp {
	var all []FieldHelp
	for line := range strings.Lines(helpLines) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		all = append(all, FieldHelp{Kind: parts[0], Field: parts[1], Help: parts[2]})
	}
	return all
}

// NewHello returns the engine's version and formats, with the scenarios of the menu.
func NewHello(menu []ScenarioInfo) Hello {
	return Hello{Engine: world.Engine, Protocol: Version, Scenarios: append([]ScenarioInfo{}, menu...), Knobs: Knobs,
		Acts: Acts, FieldHelp: Fields}
}
