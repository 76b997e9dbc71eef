package rebuild

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// Each incident's nearest exhibit has the same fault, and the reason says what to learn from it.
func TestNearestExhibits(t *testing.T) {
	for incident, want := range map[string]struct{ name, says, learn string }{
		"pause-1":     {"paused-leader", "there too, the leader is paused past the end of its Lease, and two lead at once.", "a paused process cannot know"},
		"crash-1":     {"b32-long-dead-lease", "there too, the leader dies without a release.", "the others wait for leaseDuration"},
		"partition-1": {"b29-hang-or-refuse", "there too, the leader is cut off from the API.", "the margin between the two"},
		"slow-1":      {"b27-slow-answer", "there too, answers reach the leader late.", "the others count from the write"},
		"release-1":   {"graceful-stop", "there too, the leader is told to stop.", "shortens the wait"},
	} {
		t.Run(incident, func(t *testing.T) {
			s, _, err := Scenario(demo(t, incident+"/audit.jsonl.gz"))
			require.NoError(t, err)
			all := Alike(s, shipped.List())
			require.NotEmpty(t, all)
			assert.LessOrEqual(t, len(all), 3)
			assert.Equal(t, want.name, all[0].Name)
			assert.Contains(t, all[0].Why, want.says)
			assert.Contains(t, all[0].Why, " What it teaches: ")
			assert.Contains(t, all[0].Why, want.learn)
		})
	}
}
