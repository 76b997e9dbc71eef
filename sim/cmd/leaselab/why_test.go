package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The answer names pages, the command that plays the incident, and the question that tells the pages apart.
func TestWhyNamesPages(t *testing.T) {
	out, err := leaselab("why", "../../evidence/symptoms/testdata/06.txt")
	require.NoError(t, err)
	assert.Regexp(t, `(?s)^1  B39  Wedged, but healthy\n.*page: docs/incident/b39-wedged-but-healthy\.html\n`+
		`\s+run:  leaselab explain b39-wedged-but-healthy\n.*Which of them\? B39 if the process hangs`, out)
}

// A text that nothing fits is an error with a next step, and an empty list in JSON.
func TestWhyFindsNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(file, []byte("hello world\n"), 0o600))
	out, err := leaselab("why", file)
	assert.ErrorContains(t, err, "leaselab import")
	assert.Empty(t, out)
	out, err = leaselab("why", file, "-o", "json")
	assert.ErrorContains(t, err, "no incident and no question fits")
	var answer struct{ Matches []any }
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	assert.Empty(t, answer.Matches)

	_, err = leaselab("why", filepath.Join(t.TempDir(), "absent"))
	assert.ErrorContains(t, err, "absent")
}
