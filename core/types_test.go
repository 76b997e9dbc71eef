//go:build !js

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

var looksUp = regexp.MustCompile(`[tT]ypes\["([^"]+)"`)

// The code looks up only types that its text has, and something uses each type of a text.
func TestTypesExist(t *testing.T) {
	var texts []string
	require.NoError(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, "types.txt") && !strings.Contains(path, "node_modules") {
			texts = append(texts, path)
		}
		return err
	}))
	require.GreaterOrEqual(t, len(texts), 4)
	has, used := map[string]bool{}, ""
	for _, file := range texts {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.Contains(name, ".") && line[0] != '\t' {
				has[name] = true
				line = strings.TrimPrefix(line, name)
			}
			used += line
		}
		sources, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go"))
		require.NoError(t, err)
		for _, source := range sources {
			code, err := os.ReadFile(source)
			require.NoError(t, err)
			used += string(code)
		}
	}
	for _, found := range looksUp.FindAllStringSubmatch(used, -1) {
		if strings.Contains(found[1], ".") && !strings.HasSuffix(found[1], ".") {
			assert.True(t, has[found[1]], found[1])
		}
	}
	for name := range has {
		kind := name[strings.LastIndexByte(name, '.')+1:]
		assert.True(t, strings.Contains(used, name) || strings.Contains(used, `"`+kind+`"`), "nothing uses %s", name)
	}
}
