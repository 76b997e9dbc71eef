//go:build !js

// It reads the tree, which is the same on every platform.

package core_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// offGlossary lists words that the glossary has replaced, each with the paths that may still use it.
var offGlossary = []struct {
	word    *regexp.Regexp
	say     string
	allowed []string // path prefixes below the root of the repository
}{
	{regexp.MustCompile(`(?i)let_?go\b|letsGo`), "release", nil},
	{regexp.MustCompile(`(?i)\b(whoever|whomever)\b`), "the subject by its name", nil},
	{regexp.MustCompile(`(?i)\bwhat is to be\b`), "the thing by its name", nil},
	{regexp.MustCompile(`(?i)\bmend(s|ed|ing)?\b`), "fixed, or recover for the act", []string{"sim/scenario/aliases.go"}},
	{regexp.MustCompile(`(?i)standstill|\b(stand|stands|stood) still\b`), "pause", nil},
	{regexp.MustCompile(`(?i)goodbye`), "release", []string{"sim/explain/why.go"}},
	{regexp.MustCompile(`\bcame ?[Tt]rue\b|\bcome true\b`), "an assertion holds or fails", nil},
}

// Comments, strings, shipped YAML and the page use the words of the glossary. Tests may quote old ones.
func TestWordsOfTheGlossary(t *testing.T) {
	read := 0
	for _, root := range []string{"core", "sim", "wasm", "web/js"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", root), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !glossaryApplies(name) {
				return err
			}
			data, err := os.ReadFile(name)
			read++
			path := strings.TrimPrefix(filepath.ToSlash(name), "../")
			for _, off := range offGlossary {
				if found := off.word.FindIndex(data); found != nil && !hasPrefix(path, off.allowed) {
					line := 1 + strings.Count(string(data[:found[0]]), "\n")
					assert.Failf(t, "off the glossary", "%s:%d says %q; say %s", path, line, data[found[0]:found[1]], off.say)
				}
			}
			return err
		}))
	}
	require.Greater(t, read, 500)
}

func glossaryApplies(name string) bool {
	switch filepath.Ext(name) {
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	case ".js":
		return !strings.HasSuffix(name, ".test.js")
	}
	return filepath.Ext(name) == ".yaml"
}

func hasPrefix(path string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
