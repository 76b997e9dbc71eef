package evidence

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each wording of a release has its meaning.
func TestMeaningOfReleases(t *testing.T) {
	for message, want := range map[string]logMeaning{
		"Failed to release lock: timeout": saidFailed, "failed to release lease ns/demo": saidFailed,
		"Released lease ns/demo": saidReleased, "successfully released the lock": saidReleased,
	} {
		says, _, _ := meaning(message)
		assert.Equal(t, want, says, message)
	}
}
