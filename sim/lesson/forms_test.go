package lesson

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestForms(t *testing.T) {
	for text, is := range map[string]bool{"a-leader-dies": true, "b03": true, "a": true, "": false, "-a": false, "a-": false, "a--b": false, "3a": false, "A": false, "a b": false} {
		assert.Equal(t, is, isName(text), text)
	}
	for text, is := range map[string]bool{"tookAt": true, "a1": true, "": false, "Took": false, "took-at": false, "1a": false} {
		assert.Equal(t, is, isWord(text), text)
	}
	for text, is := range map[string]bool{"en": true, "pt-BR": true, "gsw": true, "": false, "e": false, "en-": false, "en-us": false, "EN": false, "engl": false} {
		assert.Equal(t, is, isLanguage(text), text)
	}
}

func TestInBraces(t *testing.T) {
	for text, want := range map[string]struct {
		names []string
		rest  string
	}{
		"{gap} s after {actor}.": {[]string{"gap", "actor"}, " s after ."},
		"none":                   {nil, "none"},
		"a} {b {c} d":            {[]string{"c"}, "a} {b  d"},
		"{}":                     {[]string{""}, ""},
	} {
		names, rest := inBraces(text)
		assert.Equal(t, want.names, names, text)
		assert.Equal(t, want.rest, rest, text)
	}
}
