package lesson

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestForms(t *testing.T) {
	for text, is := range map[string]bool{"a-leader-dies": true, "b03": true, "a": true, "": false, "-a": false, "a-": false, "a--b": false, "3a": false, "A": false, "a b": false} {
		assert.Equal(t, is, nameForm.MatchString(text), text)
	}
	for text, is := range map[string]bool{"tookAt": true, "a1": true, "": false, "Took": false, "took-at": false, "1a": false} {
		assert.Equal(t, is, wordForm.MatchString(text), text)
	}
}

func TestNamesInBraces(t *testing.T) {
	for text, want := range map[string][]string{
		"{gap} s after {actor}.": {"gap", "actor"},
		"none":                   {},
		"a} {b {c} d":            {"c"},
		"{}":                     {""},
	} {
		assert.Equal(t, want, namesIn(text), text)
	}
}
