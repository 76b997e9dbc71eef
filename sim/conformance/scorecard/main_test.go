package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page of the documentation shows the results of the latest `make scorecard`, and says what every failed probe found.
func TestPageShowsTheResults(t *testing.T) {
	var results []result
	require.NoError(t, read("testdata/results.json", &results))
	require.Len(t, results, len(electors))
	for i, one := range results {
		assert.Equal(t, electors[i].name, one.Elector)
		assert.NotEmpty(t, one.Version)
		assert.Equal(t, 20, one.Passed+one.Failed+one.Open)
		assert.Len(t, one.Results, one.Failed+one.Open)
		for _, p := range one.Results {
			assert.NotEmpty(t, p.Why, p.Probe)
		}
	}
	want, err := render(results)
	require.NoError(t, err)
	page, err := os.ReadFile("../../../web/docs/scorecard.md")
	require.NoError(t, err)
	assert.Equal(t, want, string(page), "make scorecard writes the page")
}
