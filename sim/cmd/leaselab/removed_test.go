package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A removed command or flag is refused with what replaces it, and stays removed.
func TestRemovedSaysWhatReplacesIt(t *testing.T) {
	for name, instead := range removedCommands {
		_, err := leaselab(append(strings.Fields(name), "--flag", "x")...)
		assert.ErrorContains(t, err, name+" was removed: "+instead)
	}
	for name, instead := range removedFlags {
		_, err := leaselab(strings.Fields(name)...)
		_, flag, _ := strings.Cut(name, " --")
		assert.ErrorContains(t, err, "--"+flag+" was removed: "+instead)
	}
}
