//go:build !js

// It reads the tree, which is the same on every platform.

package core_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/leaselab/leaselab"

// bannedPackages are the packages of the standard library that would let in time, chance, concurrency or the outside.
var bannedPackages = []string{"context", "crypto", "log", "math/rand", "net", "os", "runtime", "sync", "syscall",
	"unsafe"}

// allowedPackages are the two pure libraries that upstream itself uses: their quirks come along.
var allowedPackages = map[string]bool{"gopkg.in/evanphx/json-patch.v4": true, "github.com/blang/semver/v4": true}

// bannedTime are the parts of package time that read or wait for a clock. Durations and formatting are fine.
var bannedTime = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "Tick": true,
	"NewTicker": true, "NewTimer": true,
}

// offenses lists what a file of core must not do.
func offenses(name string, source any) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	say := func(at token.Pos, format string, args ...any) {
		p := files.Position(at)
		found = append(found, fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(format, args...)))
	}
	timeName := ""
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		switch first, _, _ := strings.Cut(imported, "/"); {
		case strings.HasPrefix(imported, module+"/core/"), allowedPackages[imported]:
		case strings.Contains(first, "."):
			say(spec.Pos(), "imports %s", imported)
		}
		for _, banned := range bannedPackages {
			if imported == banned || strings.HasPrefix(imported, banned+"/") {
				say(spec.Pos(), "imports %s", imported)
			}
		}
		if imported == "time" {
			timeName = "time"
			if spec.Name != nil {
				timeName = spec.Name.Name
			}
		}
		if spec.Name != nil && (spec.Name.Name == "." || spec.Name.Name == "_" && imported != "embed") {
			say(spec.Pos(), "imports %s as %s", imported, spec.Name.Name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			say(n.Pos(), "starts a goroutine")
		case *ast.SelectStmt:
			say(n.Pos(), "selects")
		case *ast.ChanType:
			say(n.Pos(), "has a channel")
		case *ast.SendStmt:
			say(n.Pos(), "sends on a channel")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				say(n.Pos(), "receives from a channel")
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && timeName != "" && x.Name == timeName && bannedTime[n.Sel.Name] {
				say(n.Pos(), "uses time.%s", n.Sel.Name)
			}
		}
		return true
	})
	return found, nil
}

// sources passes every Go file under a directory to see, except test files.
func sources(t *testing.T, dir string, see func(name string)) {
	t.Helper()
	seen := 0
	require.NoError(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			seen++
			see(name)
		}
		return nil
	}))
	require.NotZero(t, seen, "no sources under %s", dir)
}

// Machines are values: nothing under core may know a clock, a goroutine, chance or the outside world.
func TestCoreIsPure(t *testing.T) {
	sources(t, ".", func(name string) {
		found, err := offenses(name, nil)
		require.NoError(t, err)
		assert.Empty(t, found)
	})
}

// The test above proves nothing if it overlooks things: it must see each of these.
func TestImpurityIsSeen(t *testing.T) {
	for source, want := range map[string]string{
		`import "os"`:                                  "imports os",
		`import "sync/atomic"`:                         "imports sync/atomic",
		`import "math/rand/v2"`:                        "imports math/rand/v2",
		`import . "strings"`:                           "imports strings as .",
		`import "github.com/x"`:                        "imports github.com/x",
		`import "` + module + `/sim/world"`:            "imports " + module + "/sim/world",
		"import clock \"time\"\nvar x = clock.Now()":   "uses time.Now",
		"import \"time\"\nvar x = time.NewTimer":       "uses time.NewTimer",
		`func f() { go f() }`:                          "starts a goroutine",
		`var c chan int`:                               "has a channel",
		`func f(c []any) { c[0].(func() int)(); <-c }`: "receives from a channel",
		`func f(c any) { c <- 1 }`:                     "sends on a channel",
		`func f() { select {} }`:                       "selects",
	} {
		found, err := offenses("bad.go", "package bad\n"+source)
		require.NoError(t, err, source)
		require.Len(t, found, 1, source)
		assert.Contains(t, found[0], want)
	}
	found, err := offenses("good.go", "package good\nimport \"time\"\nvar x = time.Second\nvar Now = x")
	require.NoError(t, err)
	assert.Empty(t, found)
}

// imports lists what the packages under a directory import, test files left out.
func imports(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	sources(t, dir, func(name string) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			all[imported] = name
		}
	})
	return all
}

// The house has one direction, core ← sim ← wasm: nobody imports what stands to the right, and nothing but tests what
// is there for tests.
func TestOneDirection(t *testing.T) {
	const forTests = "sim/testsupport"
	for dir, forbidden := range map[string][]string{
		".": {"sim", "wasm", forTests}, "../sim": {"wasm", forTests}, "../wasm": {forTests},
		// The format and the world do not know each other: compile turns one into the other.
		"../sim/scenario": {"sim/world", "sim/compile"}, "../sim/world": {"sim/scenario", "sim/compile"},
	} {
		for imported, file := range imports(t, dir) {
			if strings.HasPrefix(file, "../"+forTests+"/") || strings.HasPrefix(file, "../sim/conformance/") {
				continue
			}
			for _, right := range forbidden {
				room := path.Join(module, right)
				assert.False(t, imported == room || strings.HasPrefix(imported, room+"/"), "%s imports %s", file,
					imported)
			}
		}
	}
}

// A room is a folder of sim/ with everything below it. The rooms are few enough to know by name, and no two import
// each other, so you can read each without the other.
func TestRooms(t *testing.T) {
	const most = 22
	entries, err := os.ReadDir("../sim")
	require.NoError(t, err)
	edges, rooms := map[[2]string]string{}, 0
	for _, room := range entries {
		if !room.IsDir() {
			continue
		}
		rooms++
		for imported, file := range imports(t, "../sim/"+room.Name()) {
			if rest, is := strings.CutPrefix(imported, module+"/sim/"); is {
				other, _, _ := strings.Cut(rest, "/")
				edges[[2]string{room.Name(), other}] = file + " imports " + imported
			}
		}
	}
	for edge, why := range edges {
		back, mutual := edges[[2]string{edge[1], edge[0]}]
		assert.False(t, mutual && edge[0] < edge[1], "%s and %s import each other: %s, %s", edge[0], edge[1], why, back)
	}
	assert.LessOrEqual(t, rooms, most, "too many rooms in sim")
}

// The doc of each package says what the package guarantees, and what it does not. The packages of sim/conformance
// hold only tests.
func TestEveryPackageSaysWhatItGuarantees(t *testing.T) {
	docs := map[string]string{}
	for _, dir := range []string{".", "../sim", "../wasm"} {
		sources(t, dir, func(name string) {
			if strings.HasPrefix(name, "../sim/conformance/") ||
				strings.HasPrefix(name, "../sim/electiontest/controllertest/") {
				return
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			docs[filepath.Dir(name)] += file.Doc.Text()
		})
	}
	require.Greater(t, len(docs), 60)
	for dir, doc := range docs {
		for _, word := range []string{"Guarantee", "Non-guarantee"} {
			assert.True(t, strings.Contains(doc, word), "the doc of the package in %s has no %s", dir, word)
		}
	}
}

// The session (lab) and the view do not import each other, and their common base imports neither.
func TestDoingAndDrawingAreApart(t *testing.T) {
	for dir, forbidden := range map[string][]string{
		"../sim/lab": {"sim/view"}, "../sim/view": {"sim/lab"},
		"../sim/timeline": {"sim/lab", "sim/view", "sim/protocol"}, "../sim/protocol": {"sim/lab", "sim/view"},
	} {
		for imported, file := range imports(t, dir) {
			for _, other := range forbidden {
				room := path.Join(module, other)
				assert.False(t, imported == room || strings.HasPrefix(imported, room+"/"), "%s imports %s", file,
					imported)
			}
		}
	}
}

// The page pays for every package of the engine: these are heavy and stay out of it. The second module, for rooms
// that few visitors open, is built without the tag page; it reads the YAML that kubectl prints.
func TestThePageStaysLight(t *testing.T) {
	for tags, alsoAllowed := range map[string][]string{"page": nil, "": {"go.yaml.in", "regexp"}} {
		command := exec.Command("go", "list", "-deps", "-tags", tags, "./wasm")
		command.Dir = ".."
		command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		var stderr bytes.Buffer
		command.Stderr = &stderr
		out, err := command.Output()
		require.NoError(t, err, stderr.String())
		packages := strings.Fields(string(out))
		require.Contains(t, packages, module+"/sim/lab", "the list is not that of the page")
		for _, heavy := range []string{
			"net/http", "net/url", "regexp", "mime", "text/template", "html/template", "sigs.k8s.io", "go.yaml.in",
			"gopkg.in", "github.com/stretchr/testify",
			"github.com/spf13", "k8s.io", module + "/core/apiserver/openapi",
		} {
			for _, p := range packages {
				assert.False(t, !allowedPackages[p] && !slices.Contains(alsoAllowed, heavy) &&
					(p == heavy || strings.HasPrefix(p, heavy+"/")),
					"the module built with tags %q contains %s", tags, p)
			}
		}
	}
}

// unsteady are the functions of package math whose last bits differ between platforms: package study has plain ones.
var unsteady = []string{"Exp", "Exp2", "Expm1", "Log", "Log10", "Log1p", "Log2", "Pow", "Pow10", "Erf", "Erfc",
	"Erfinv",
	"Erfcinv", "Gamma", "Lgamma", "Cbrt", "Sin", "Cos", "Tan", "Atan", "Atan2", "Sinh", "Cosh", "Tanh", "Hypot"}

// Computed values are the same on every platform.
func TestFiguresAreTheSameEverywhere(t *testing.T) {
	for _, dir := range []string{".", "../sim"} {
		sources(t, dir, func(name string) {
			if strings.HasPrefix(name, "../sim/testsupport/") {
				return
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.SelectorExpr); ok && slices.Contains(unsteady, call.Sel.Name) {
					x, ok := call.X.(*ast.Ident)
					assert.False(t, ok && x.Name == "math", "%s calls math.%s", files.Position(n.Pos()), call.Sel.Name)
				}
				return true
			})
		})
	}
}

// mostParameters is how many parameters a function takes. One that needs more takes a struct.
const mostParameters = 4

func TestParametersAreFew(t *testing.T) {
	for _, dir := range []string{".", "../sim", "../wasm"} {
		sources(t, dir, func(name string) {
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				called, of := "literal", (*ast.FuncType)(nil)
				switch n := n.(type) {
				case *ast.FuncDecl:
					called, of = n.Name.Name, n.Type
				case *ast.FuncLit:
					of = n.Type
				default:
					return true
				}
				count := 0
				for _, field := range of.Params.List {
					count += max(1, len(field.Names))
				}
				assert.LessOrEqual(t, count, mostParameters, "%s: %s takes %d parameters; use a struct",
					files.Position(n.Pos()), called, count)
				return true
			})
		})
	}
}
