package fencing

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A resource with a fence refuses what is older than what it has seen; one without accepts everything.
func TestResource(t *testing.T) {
	for fence, third := range map[Fence]Outcome{NoFence: Accepted, TransitionsFence: Refused, VersionFence: Refused} {
		s, r := &Settings{Fence: fence}, Resource{}
		assert.Equal(t, Accepted, r.Step(s, Write{Token: 2}))
		assert.Equal(t, Accepted, r.Step(s, Write{Token: 2}), "the same term writes again")
		assert.Equal(t, third, r.Step(s, Write{Token: 1}))
		assert.EqualValues(t, 2, r.Highest())
		assert.Equal(t, Lost, r.Step(s, Write{Token: 9, Lost: true}))
		assert.Equal(t, GivenUp, r.Step(s, Write{CleansUp: true}), "giving up needs no token")
		assert.Equal(t, Kept, r.Step(s, Write{CleansUp: true, Lost: true}))
		assert.EqualValues(t, 2, r.Highest(), "only an accepted write counts")
	}
}

// A writer sends the token that it last read, in the loop of its newest term only, and the late write after a pause.
func TestWriter(t *testing.T) {
	for fence, token := range map[Fence]int64{NoFence: 3, TransitionsFence: 3, VersionFence: 40} {
		s, w := &Settings{Fence: fence, WriteEveryNs: 10}, Writer{}
		assert.Equal(t, Output{}, w.Step(s, &Input{Kind: Read, Transitions: 3, Version: 40}))
		assert.Equal(t, Output{Timer: true, Serial: 1}, w.Step(s, &Input{Kind: Leads}), "the first write goes out at once")
		sends := Output{Send: true, Token: token, Timer: true, Serial: 1, AfterNs: 10}
		assert.Equal(t, sends, w.Step(s, &Input{Kind: Due, Serial: 1, Active: true, Works: true}))
		assert.Equal(t, Output{Defer: true, Serial: 1}, w.Step(s, &Input{Kind: Due, Serial: 1, Active: true}))
		assert.Equal(t, sends, w.Step(s, &Input{Kind: Due, Serial: 1, Active: true, Works: true}))
		assert.Equal(t, Output{}, w.Step(s, &Input{Kind: Due, Serial: 1}), "its work is over")
		assert.Equal(t, Output{Timer: true, Serial: 2}, w.Step(s, &Input{Kind: Leads}))
		assert.Equal(t, Output{}, w.Step(s, &Input{Kind: Due, Serial: 1, Active: true, Works: true}), "the loop of the term before")
	}
}
