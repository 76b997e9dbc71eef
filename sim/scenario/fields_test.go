package scenario

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/elector"
)

// The table says something of every group and every field of the format, and of nothing else.
func TestTheTableOfFieldsIsComplete(t *testing.T) {
	want := map[string]bool{}
	for group, fields := range formatFields {
		want[group.Name()] = true
		for _, f := range fields {
			want[f.key] = true
			assert.Equal(t, f.required, fieldOf(f.key).missing != "", "%s: what a document must have says what is missing", f.key)
		}
	}
	for key := range want {
		assert.Regexp(t, `^\S.*\.$`, FieldNamed(key).Help, "help of %s", key)
		assert.Len(t, plain[key], 1, "a line of names.txt: %s", key)
	}
	for key := range fieldCode {
		assert.True(t, want[key], "%s has code but is not a field", key)
	}
	for key, f := range fieldTable {
		assert.True(t, want[key], "%s is in the table but is not a field", key)
		assert.True(t, f.Heading == "" || slices.Contains(Headings(), f.Heading), "%s: heading %q", key, f.Heading)
		if f.says != nil {
			require.Len(t, f.says, len(f.words), key)
			assert.NotContains(t, f.says, "", key)
		}
	}
}

// Every act has its sentence, and the fields in the sentence are the act's own.
func TestEveryActHasASentence(t *testing.T) {
	for _, act := range Acts() {
		require.Len(t, plain[act.Word], 3, "a line of names.txt: %s", act.Word)
		_, sentence := act.Sentence()
		for _, field := range regexp.MustCompile(`\{(\w+)`).FindAllStringSubmatch(sentence, -1) {
			assert.True(t, act.TakesField(field[1]), "%s: %s", act.Word, field[1])
		}
	}
	assert.Len(t, plain, len(fieldTable)+len(Acts()))
}

// Fields of the scenario and of candidates stand under a heading; the others under that of their group.
func TestEveryFieldHasAHeading(t *testing.T) {
	for _, group := range []reflect.Type{reflect.TypeFor[Scenario](), reflect.TypeFor[Candidate](), reflect.TypeFor[APIServer]()} {
		for _, f := range fieldsOf(group) {
			assert.NotEmpty(t, FieldNamed(f.key).Heading, f.key)
		}
	}
}

// A default that the table names is the one in force.
func TestDefaultsAreInForce(t *testing.T) {
	s, err := Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1m","candidates":[{"name":"a"}],"resource":{"fence":"none"},"process":{"watchdogTolerance":"0s"}}`))
	require.NoError(t, err)
	checked := 0
	for key, f := range fieldTable {
		group, name, _ := strings.Cut(key, ".")
		path := map[string]string{
			"Scenario": "", "Lease": "lease.", "Elector": "candidates[0].elector.", "Network": "candidates[0].network.", "Process": "candidates[0].process.",
			"Client": "candidates[0].client.", "Resource": "resource.",
		}
		prefix, known := path[group]
		if f.Default == "" || !known || key == "Scenario.nilHolder" || key == "Scenario.leaseCandidateVersion" { // these are filled in when a scenario is resolved
			continue
		}
		checked++
		assert.Equal(t, f.Default, Get(s, prefix+name), key)
	}
	assert.Greater(t, checked, 20)
	assert.Equal(t, FieldNamed("Scenario.nilHolder").Default, Resolve(s).NilHolder)
}

// The constants with defaults for other packages equal the defaults in the table.
func TestDefaultsThatHaveNames(t *testing.T) {
	e := defaults.Elector
	for want, have := range map[time.Duration]*Duration{
		DefaultLeaseDuration: e.LeaseDuration, DefaultRenewDeadline: e.RenewDeadline, DefaultRetryPeriod: e.RetryPeriod,
		DefaultRequestLatency: defaults.Network.RequestLatency,
	} {
		assert.Equal(t, want, time.Duration(*have))
	}
	assert.Equal(t, elector.JitterFactor, *e.JitterFactor)
}

// A setting that a set act can change says when the change takes effect, and no other does.
func TestSettingsSayWhenTheyTakeEffect(t *testing.T) {
	for _, s := range Settings() {
		group, _, _ := strings.Cut(s.Path, ".")
		_, set := findField(fieldsOf(actionType), group)
		assert.Equal(t, set, s.Effect != AtNextRun, s.Path)
	}
}
