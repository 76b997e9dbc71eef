//go:build !js

// It reads the tree, which is the same on every platform.

package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var testName = regexp.MustCompile(`\bTest[A-Z]\w*`)

// Every deliberate difference from upstream has a Deviation comment that names an existing test which pins it.
func TestDeviationsArePinned(t *testing.T) {
	tests := map[string]bool{}
	type deviation struct{ at, text string }
	var deviations []deviation
	for _, root := range []string{".", "../sim"} {
		require.NoError(t, filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if strings.HasSuffix(name, "_test.go") {
				for _, d := range file.Decls {
					if f, is := d.(*ast.FuncDecl); is {
						tests[f.Name.Name] = true
					}
				}
				return nil
			}
			for _, group := range file.Comments {
				if text := group.Text(); strings.Contains(text, "Deviation:") {
					deviations = append(deviations, deviation{files.Position(group.Pos()).String(), text})
				}
			}
			return nil
		}))
	}
	require.Greater(t, len(deviations), 10)
	for _, d := range deviations {
		pins := testName.FindAllString(d.text, -1)
		assert.GreaterOrEqual(t, len(pins), strings.Count(d.text, "Deviation:"), "%s names no test:\n%s", d.at, d.text)
		for _, name := range pins {
			assert.True(t, tests[name], "%s names %s, which is not there", d.at, name)
		}
	}
}
