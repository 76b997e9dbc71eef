package scenario

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every act is whole: its words, a section and a help; what it needs it takes, and what undoes it is an act that asks
// for no more than a target or a candidate's name.
func TestActsAreWhole(t *testing.T) {
	sections := Sections()
	words := map[string]bool{}
	fields := namesOf(fieldsOf(actionType))
	for _, act := range Acts() {
		t.Run(act.Word, func(t *testing.T) {
			assert.False(t, words[act.Word], "two acts have this word")
			words[act.Word] = true
			assert.Contains(t, sections, act.Section)
			assert.Regexp(t, `^[A-Z].*\.$`, act.Help, "a help is a sentence")
			assert.NotEmpty(t, act.Told)
			uses := reflect.ValueOf(act.Use)
			for i := range uses.NumField() {
				assert.Contains(t, []Use{Yes, No}, uses.Field(i).Interface(), "decide: %s", uses.Type().Field(i).Name)
			}
			assert.NotEmpty(t, act.Promise)
			require.NotEmpty(t, act.Takes)
			for _, name := range act.Takes {
				assert.Contains(t, fields, name)
			}
			for _, name := range slices.Concat(act.Needs, act.OneOf) {
				assert.True(t, act.TakesField(name), "it needs %s and does not take it", name)
			}
			assert.True(t, act.Key == "" || act.Label != "", "a key without a button")
		})
	}
	assert.Nil(t, ActNamed("explode"))
}

// A field of an action belongs to some act, or every act may have it.
func TestEveryFieldOfAnActionIsTaken(t *testing.T) {
	for _, f := range fieldsOf(actionType) {
		taken := slices.ContainsFunc(Acts(), func(a *Act) bool { return a.TakesField(f.name) })
		assert.True(t, taken || f.required || f.name == "within", "no act takes %s", f.name)
	}
	for _, act := range Acts() {
		assert.False(t, act.TakesField("within"), "%s need not list it", act.Word)
	}
}

func TestSayActs(t *testing.T) {
	assert.Equal(t, "b crashes", ActNamed(ActCrash).Say("b"))
	assert.Equal(t, "every node resumes", ActNamed(ActResume).Say(TargetEverybody))
	assert.Equal(t, "an administrator writes the Lease", ActNamed(ActWrite).Say(""))
}
