package view

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
)

// Acts that differ are told in words, wherever they stand in their lists.
func TestActsThatDiffer(t *testing.T) {
	act := func(at int, word, target string, lasts int) scenario.Action {
		second := scenario.Duration(time.Second)
		return scenario.Action{At: scenario.Duration(at) * second, Act: word, Target: target, For: scenario.Duration(lasts) * second}
	}
	pair := func(path, label, a, b string) protocol.SettingPair {
		return protocol.SettingPair{Path: path, Label: label, A: a, B: b}
	}
	of := func(acts ...scenario.Action) scenario.Scenario { return scenario.Scenario{Seed: 1, Actions: acts} }
	crash, pause := act(20, "crash", "a", 0), act(30, "pause", "b", 10)
	for _, c := range []struct {
		what string
		a, b scenario.Scenario
		want []protocol.SettingPair
	}{
		{"the same in another order", of(crash, pause), of(pause, crash), []protocol.SettingPair{}},
		{"one has an act before", of(pause), of(crash, pause), []protocol.SettingPair{pair("actions[0]", "act", "", "crash of a at 20s")}},
		{"one has an act after", of(crash, pause), of(crash), []protocol.SettingPair{pair("actions[1]", "act", "pause of b at 30s for 10s", "")}},
		{"it lasts longer", of(crash, pause), of(act(30, "pause", "b", 40), crash), []protocol.SettingPair{pair("actions[1].for", "pause of b at 30s: for", "10s", "40s")}},
		{"it comes later", of(crash), of(act(25, "crash", "a", 0)), []protocol.SettingPair{pair("actions[0].at", "crash of a: at", "20s", "25s")}},
		{"another target", of(crash), of(act(20, "crash", "b", 0)), []protocol.SettingPair{
			pair("actions[0]", "act", "crash of a at 20s", ""), pair("actions[0]", "act", "", "crash of b at 20s"),
		}},
	} {
		assert.Equal(t, c.want, settingsThatDiffer(c.a, c.b), c.what)
	}
}
