package view

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
)

// settingsThatDiffer lists the fields in which two scenarios differ. It describes acts in words: the acts that only
// one scenario has, and the differences between two versions of the same act, wherever they are in their lists.
// Comparing lists field by field would not work: if one scenario had an extra pause at the front, every following act
// would appear as changed. So it removes the acts before it compares the other fields, and pairActs decides which
// acts belong together. A path such as actions[2].for refers to the first scenario's list, unless only the second
// scenario has the act.
func settingsThatDiffer(a, b scenario.Scenario) []protocol.SettingPair {
	all := []protocol.SettingPair{}
	acts := [2][]scenario.Action{a.Actions, b.Actions}
	a.Actions, b.Actions = nil, nil
	for _, d := range scenario.Differences(a, b) {
		all = append(all, protocol.SettingPair{Path: d.Path, Label: d.Path, A: d.A, B: d.B})
	}
	partner := pairActs(acts[0], acts[1])
	// An act without a partner appears on its side, and the other side is empty.
	only := func(side, k int) {
		pair := protocol.SettingPair{Path: "actions[" + strconv.Itoa(k) + "]", Label: "act"}
		text := actText(&acts[side][k])
		if side == 0 {
			pair.A = text
		} else {
			pair.B = text
		}
		all = append(all, pair)
	}
	taken := make([]bool, len(acts[1]))
	for k := range acts[0] {
		other := partner[k]
		if other < 0 {
			only(0, k)
			continue
		}
		taken[other] = true
		x, y := acts[0][k], acts[1][other]
		// An act's phrase contains its instant. If the instants differ, the label omits the instant.
		name := x.Phrase()
		if x.At != y.At {
			name = x.Act + " of " + x.TargetName()
		}
		for _, d := range scenario.Differences(scenario.Scenario{Actions: []scenario.Action{x}},
			scenario.Scenario{Actions: []scenario.Action{y}}) {
			field := strings.TrimPrefix(d.Path, "actions[0].")
			all = append(all, protocol.SettingPair{Path: "actions[" + strconv.Itoa(k) + "]." + field, Label: name +
				": " + field, A: d.A, B: d.B})
		}
	}
	for k := range acts[1] {
		if !taken[k] {
			only(1, k)
		}
	}
	return all
}

// pairActs returns, for each act of the first list, the index of the same act in the second list, or -1. It prefers
// an act with the same kind, target and instant. Otherwise it takes the next act with the same kind and target. One
// round is not enough. Suppose node a pauses at 10 s and at 20 s in the first scenario, and only at 20 s in the second.
// A single round would pair the pause at 10 s with the one at 20 s, and report a changed instant and a missing act.
// With exact partners first, the pause at 10 s is the one without a partner.
func pairActs(a, b []scenario.Action) []int {
	partner, taken := make([]int, len(a)), make([]bool, len(b))
	for k := range partner {
		partner[k] = -1
	}
	for _, sameInstant := range [...]bool{true, false} {
		for k := range a {
			for other := 0; partner[k] < 0 && other < len(b); other++ {
				x, y := &a[k], &b[other]
				if taken[other] || x.Act != y.Act || x.Target != y.Target || sameInstant && x.At != y.At {
					continue
				}
				partner[k], taken[other] = other, true
			}
		}
	}
	return partner
}

// actText names an act with its length: "pause of a at 20s for 10s".
func actText(a *scenario.Action) string {
	if a.For > 0 {
		return a.Phrase() + " for " + a.For.String()
	}
	return a.Phrase()
}
