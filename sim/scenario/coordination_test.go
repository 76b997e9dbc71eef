package scenario

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func coordinatedDocument(version, candidate string) []byte {
	return []byte(fmt.Sprintf(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1m",%s
		"elector":{"coordinated":true},"apiServers":[{"name":"api-1"}],"candidates":[{"name":"a",%s}]}`, version, candidate))
}

// What the API would refuse a LeaseCandidate for is refused at the field that says it, in the API's own words.
func TestCandidatesAreRefusedInTheWordsOfTheAPI(t *testing.T) {
	const oldest = `"strategy":"OldestEmulationVersion"`
	const lists = `"leaseCandidateVersion":"v1alpha1",`
	for name, c := range map[string]struct{ version, candidate, message string }{
		"binaryVersion that is not semver": {"", `"binaryVersion":"1.36",` + oldest,
			`candidates[0].binaryVersion "1.36" Invalid value: "1.36": must be a valid semantic version`},
		"emulationVersion that is not semver": {"", `"binaryVersion":"1.36.0","emulationVersion":"new",` + oldest,
			`candidates[0].emulationVersion "new" Invalid value: "new": must be a valid semantic version`},
		"emulationVersion above binaryVersion": {"", `"binaryVersion":"1.36.0","emulationVersion":"1.37.0",` + oldest,
			"candidates[0].binaryVersion \"1.36.0\" Invalid value: \"1.36.0\": must be greater than or equal to `emulationVersion`"},
		"no versions": {"", oldest, `candidates[0].binaryVersion "" Required value`},
		"no emulationVersion": {"", `"binaryVersion":"1.36.0",` + oldest,
			`candidates[0].emulationVersion "" Required value: must be specified when ` + "`strategy` is 'OldestEmulationVersion'"},
		"no strategy": {"", `"binaryVersion":"1.36.0","emulationVersion":"1.36.0"`, `candidates[0].strategy "" Required value`},
		"a strategy without a slash": {"", `"binaryVersion":"1.36.0","emulationVersion":"1.36.0","strategy":"Newest"`,
			`candidates[0].strategy "Newest" Unsupported value: "Newest": supported values: "OldestEmulationVersion"`},
		"a name that is not the identity": {"", `"identity":"a_1","leaseCandidate":"a","binaryVersion":"1.36.0","emulationVersion":"1.36.0",` + oldest,
			`candidates[0].leaseCandidate "a" must be the candidate's identity, "a_1": the controller writes the LeaseCandidate's name into the Lease, and the elector waits for its identity`},
		"a name that no LeaseCandidate can have": {"", `"identity":"a b","binaryVersion":"1.36.0","emulationVersion":"1.36.0",` + oldest,
			`candidates[0].identity "a b"`},
		"a list in v1beta1": {"", `"binaryVersion":"1.36.0","emulationVersion":"1.36.0","preferredStrategies":["OldestEmulationVersion"]`,
			`candidates[0].preferredStrategies "OldestEmulationVersion" belongs to v1alpha1; set leaseCandidateVersion: v1alpha1, or name one strategy`},
		"one strategy in v1alpha1": {lists, `"binaryVersion":"1.36.0","emulationVersion":"1.36.0",` + oldest,
			`candidates[0].strategy "OldestEmulationVersion" belongs to v1beta1; leaseCandidateVersion v1alpha1 has the list preferredStrategies`},
		"an empty list": {lists, `"binaryVersion":"1.36.0","emulationVersion":"1.36.0","preferredStrategies":[]`,
			`candidates[0].preferredStrategies "" Required value: must contain at least one strategy`},
		"a strategy of a list without a slash": {lists, `"binaryVersion":"1.36.0","emulationVersion":"1.36.0","preferredStrategies":["OldestEmulationVersion","Newest"]`,
			`candidates[0].preferredStrategies "OldestEmulationVersion, Newest" Unsupported value: "Newest": supported values: "OldestEmulationVersion"`},
	} {
		_, err := Decode(coordinatedDocument(c.version, c.candidate))
		if assert.Error(t, err, name) {
			assert.Contains(t, err.Error(), c.message, name)
		}
	}
	for _, fine := range [][2]string{
		{"", `"leaseCandidate":"a","binaryVersion":"1.36.0","emulationVersion":"1.35.0",` + oldest},
		{"", `"binaryVersion":"1.36.0","strategy":"example.com/mine"`},
		{lists, `"binaryVersion":"1.31.0","emulationVersion":"1.31.0","preferredStrategies":["example.com/mine","OldestEmulationVersion"]`},
	} {
		_, err := Decode(coordinatedDocument(fine[0], fine[1]))
		require.NoError(t, err, fine)
	}
}
