package lab_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faults lists acts on the network, the server and the store, without their node.
var faults = []string{
	`"act":"fail","error":"http503","for":"12s"`, `"act":"fail","error":"hang","verb":"writes"`, `"act":"fail","error":"stall","for":"7s"`,
	`"act":"fail","error":"dropResponse","for":"1s","every":"5s"`, `"act":"fail","error":"conflict","count":2`, `"act":"recover"`,
	`"act":"latency","request":"3s","for":"9s"`, `"act":"latency","responseDistribution":{"p50":"5ms","p99":"6s"}`,
	`"act":"latency","requestDistribution":{"max":"2s","window":"10s"},"for":"2s","every":"20s"`,
	`"act":"cut","mode":"hold","for":"15s"`, `"act":"cut","mode":"late","direction":"up","for":"5s"`, `"act":"cut","mode":"connection"`,
	`"act":"set","network":{"deadPeerTime":"20s","readLag":"2s"}`,
	`"act":"server","server":{"ratePerSecond":2,"queue":3}`, `"act":"server","server":{"newLeaderLatency":"6s","newLeaderFor":"20s"}`,
	`"act":"rollback","to":"1s"`, `"act":"write","op":"delete"`,
	`"act":"crash","for":"9s"`, `"act":"stop","grace":"12s"`, `"act":"rollingUpdate","every":"3s","grace":"9s"`,
	`"act":"fail","error":"http500","probability":0.4`, `"act":"cut","probability":0.4,"for":"9s"`,
}

// injection returns one of the faults, aimed at a node if it has a target.
func injection(t testing.TB, number int, node string) scenario.Action {
	t.Helper()
	text := `{"at":"0s",` + faults[number] + `}`
	for _, rule := range scenario.Acts() {
		if strings.Contains(text, `"act":"`+rule.Word+`"`) && len(rule.Needs) > 0 && rule.Needs[0] == "target" {
			text = strings.Replace(text, `{"at"`, `{"target":"`+node+`","at"`, 1)
		}
	}
	acts, err := scenario.DecodeActions([]json.RawMessage{json.RawMessage(text)})
	require.NoError(t, err, text)
	return acts[0]
}

// Each of these faults can be injected, becomes part of the saved scenario, and has a label for undo.
func TestFaultsAreInjected(t *testing.T) {
	for number := range faults {
		s, found := shipped.ByName("paused-leader")
		require.True(t, found)
		l := open(t, s)
		l.Show(10 * sec)
		require.NoError(t, l.Inject(injection(t, number, "b"), true), faults[number])
		saved, err := scenario.Decode(l.Save().Scenario)
		require.NoError(t, err)
		a := saved.Actions[len(saved.Actions)-1]
		want := injection(t, number, "b")
		want.At = a.At
		assert.Equal(t, want, a)
		assert.NotEmpty(t, l.View().Undo)
		assert.NotContains(t, l.View().Undo, "%")
	}
}

// Two overlapping faults of one node end separately: each act ends the fault that it began.
func TestOverlappingFaultsEndOneByOne(t *testing.T) {
	s, found := shipped.ByName("fault-free")
	require.True(t, found)
	s.Duration = scenario.Duration(90 * time.Second)
	s.Actions = []scenario.Action{
		{At: scenario.Duration(20 * time.Second), Act: "cut", Target: "a", For: scenario.Duration(40 * time.Second)},
		{At: scenario.Duration(21 * time.Second), Act: "cut", Target: "a", For: scenario.Duration(time.Second)},
		{At: scenario.Duration(70 * time.Second), Act: "cut", Target: "a"},
		{At: scenario.Duration(71 * time.Second), Act: "cut", Target: "a", For: scenario.Duration(10 * time.Second)},
		{At: scenario.Duration(75 * time.Second), Act: "heal", Target: "a"},
	}
	require.NoError(t, scenario.Validate(s))
	l := open(t, s)
	l.Show(85 * sec)
	var spans [][2]int64
	for _, f := range l.Timeline(0, 90*sec, 1000).Faults {
		spans = append(spans, [2]int64{f.From / sec, f.To / sec})
	}
	assert.Equal(t, [][2]int64{{20, 60}, {21, 22}, {70, 75}, {71, 75}}, spans)
	var said []string
	for _, row := range l.Events(timeline.Cursor{T: 90 * sec, N: -1}, 0, 2000, "", "").Rows {
		if strings.Contains(row.Text, "cut off:") || strings.Contains(row.Text, "reaches the API server again") {
			said = append(said, fmt.Sprint(row.T/sec, " ", row.Text))
		}
	}
	assert.Equal(t, []string{"22 is still cut off: one cut has ended, but another continues.", "60 reaches the API server again.", "75 reaches the API server again."}, said)
}
