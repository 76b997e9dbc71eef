package core_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aliases are the files that read old words from earlier files and links, and their tests.
var aliases = []string{
	"core/words_test.go", "sim/scenario/aliases.go", "sim/scenario/shipped/aliases_test.go", "wasm/bridge/aliases_test.go",
}

// offGlossary lists phrases that the glossary has replaced, in lower case, separated by commas. The test finds each
// in any letter case, between characters that are not letters, digits or underscores. A star stands for any rest of a
// word.
var offGlossary = []struct {
	phrases string
	say     string
	in      []string // path prefixes below the root of the repository to search; nil means all
}{
	{phrases: "letgo*,letsgo*,let_go*,let go of,lets go of,letting go of", say: "release, or disconnect"},
	{phrases: "*goodbye*", say: "release"},
	{phrases: "*standstill*,stand still,stands still,stood still,standing still", say: "pause, or paused"},
	{phrases: "mend,mends,mended,mending", say: "fixed, or recover for the act"},
	{phrases: "whoever,whomever", say: "the subject by its name"},
	{phrases: "somebody,someone", say: "the subject by its name"},
	{phrases: "what is to be,that is to be,who is to be", say: "the thing by its name"},
	{phrases: "what comes of,what came of,what becomes of,what became of", say: "the outcome, or the result"},
	{phrases: "that is none,is there and is none", say: "what the thing is, or that it is invalid"},
	{phrases: "came true,cametrue,come true,comes true", say: "an assertion holds or fails"},
	{phrases: "weigh it,weighs it,weighed it,weighs its,weigh the", say: "run the assertions, or measure"},
	{phrases: "in vain,vain try,vain tries", say: "without success, or failed attempts"},
	{phrases: "in office", say: "believed that it was the leader"},
	{phrases: "take itself for,takes itself for,took itself for,taken itself for,take themselves for,took themselves for", say: "believes that it is the leader"},
	{phrases: "for dead", say: "considered dead"},
	{phrases: "the edge,at the edge,live edge", say: "live", in: []string{"core/", "sim/", "wasm/", "web/docs/", "README.md"}},
	{phrases: "old future", say: "the original run"},
	{phrases: "one a line", say: "one per line"},
	{phrases: "done again", say: "redone"},
	{phrases: "aside", say: "the other objects, or skipped", in: []string{"core/", "sim/", "wasm/"}},
	{phrases: "lane", say: "queue", in: []string{"core/", "sim/network/", "sim/world/"}},
	{phrases: "heldtrips,wonder,wonders,wondering", say: "message, or what-if"},
	{phrases: "stands there", say: "found"},
	{phrases: "may take it,take it from", say: "may acquire", in: []string{"web/"}},
	{phrases: "latency there,latency back", say: "request latency, or response latency"},
	{phrases: "counts without news", say: "valid without renewal"},
	{phrases: "that is my bet,your bet", say: "your prediction, or lock it in"},
	{phrases: "needs a run from 0,acts at the next start", say: "requires a new run, or applies after a restart"},
	{phrases: "is in the clipboard", say: "copied"},
	{phrases: "at the edge,up to the edge,before the edge", say: "live", in: []string{"web/js/", "web/e2e/", "web/index.html"}},
	{phrases: "two work,2 work,two worked", say: "two active leaders, or overlap", in: []string{"core/", "sim/explain/", "sim/view/", "sim/study/", "sim/cmd/", "wasm/", "web/js/", "web/docs/"}},
	{phrases: "nothing said,with nothing said", say: "without releaseOnCancel"},
	{phrases: "it is a test:,true in the end", say: "assertions"},
	{phrases: "if left out", say: "default 15s"},
	{phrases: "the conduct of", say: "process defaults"},
	{phrases: "a little forth", say: "step forward"},
	{phrases: "your run gives way", say: "replaces your run"},
	{phrases: "keep: the gap", say: "takeaway"},
	{phrases: "stop a: press", say: "crash a: …"},
	{phrases: "goes on after %s,go on after %s", say: "resumes after"},
	{phrases: "is left as it is,nothing to do.", say: "is skipped, and why", in: []string{"sim/explain/", "sim/view/", "web/js/"}},
	{phrases: "the whole way of,whole way of", say: "takeover"},
	{phrases: "says leader_on,says leader_off,says slowpath", say: "the metric by its name"},
	{phrases: "\"l − r − p − d*", say: "safety margin"},
	{phrases: "what is to happen,when its time comes,stands in the script", say: "choose a fault, or it is scheduled"},
	{phrases: "undo takes it back", say: "undo removes it"},
	{phrases: "is read when the run begins", say: "takes effect only in a new run"},
	{phrases: "breakpoints are watched,it is not here yet", say: "the simulator is still loading"},
	{phrases: "is to be,are to be", say: "must, or what it does"},
	{phrases: "or walk to it,walk to it", say: "hover over or focus"},
	{phrases: "every key back", say: "reset all keys"},
	{phrases: "its doors,doors away", say: "its network APIs"},
	{phrases: "nobody needs to be told", say: "who is told, and when"},
	{phrases: "notes that it is,notes that %s leads", say: "observes itself as the leader"},
	{phrases: "is refused its,are refused their", say: "fails to update the Lease", in: []string{"sim/", "wasm/", "web/js/", "web/e2e/", "web/docs/"}},
	{phrases: "gets answers again,get answers again", say: "no longer gets errors"},
	{phrases: "errors from now on", say: "gets errors"},
	{phrases: "has another latency,have another latency,gets another latency,the old latency again", say: "now has a request latency of"},
	{phrases: "has another clock,gets another clock,times as fast.", say: "now has a clock with offset and rate"},
	{phrases: "breaks off its,breaks off the", say: "cancels its request"},
	{phrases: "is done: run returns", say: "returns from LeaderElector.Run"},
	{phrases: "sends no message", say: "crashes"},
	{phrases: "must stop: its context,its work goes on", say: "its context is cancelled, and its worker drains", in: []string{"sim/explain/", "web/js/", "web/e2e/"}},
	{phrases: "since it last renewed", say: "after its last successful renewal", in: []string{"sim/view/", "web/js/"}},
	{phrases: "answers vanish,requests vanish", say: "answers or requests are lost"},
	{phrases: "would split theirs", say: "what esbuild does"},
}

// Code, comments, texts, tests, shipped YAML, styles, specs and documents use the words of the glossary. Recorded data and
// golden files do not count: they are in testdata.
func TestWordsOfTheGlossary(t *testing.T) {
	read := 0
	eachFile(t, func(path string, data []byte) {
		if slices.Contains(aliases, path) {
			return
		}
		read++
		text := bytes.ToLower(data)
		for _, off := range offGlossary {
			if off.in != nil && !hasPrefix(path, off.in) {
				continue
			}
			for phrase := range strings.SplitSeq(off.phrases, ",") {
				for _, at := range places(text, phrase) {
					line := 1 + bytes.Count(text[:at], []byte("\n"))
					assert.Failf(t, "off the glossary", "%s:%d says %q; say %s", path, line, phrase, off.say)
				}
			}
		}
	})
	require.Greater(t, read, 1000)
}

// places returns where a phrase of offGlossary occurs in a text in lower case.
func places(text []byte, phrase string) (all []int) {
	word := []byte(strings.Trim(phrase, "*"))
	for from := 0; ; {
		at := bytes.Index(text[from:], word)
		if at < 0 {
			return all
		}
		at += from
		from = at + len(word)
		begins := strings.HasPrefix(phrase, "*") || at == 0 || !inWord(text[at-1])
		ends := strings.HasSuffix(phrase, "*") || from == len(text) || !inWord(text[from])
		if begins && ends {
			all = append(all, at)
		}
	}
}

func inWord(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// The test finds a phrase in sentences and names, but not inside other words.
func TestPlaces(t *testing.T) {
	for text, phrase := range map[string]string{
		"b01-mended": "mended", "letgoof(x)": "letgo*", "lets go of the lease": "lets go of", "wasstandstill()": "*standstill*", "aside": "aside",
	} {
		assert.NotEmpty(t, places([]byte(text), phrase), text)
	}
	for text, phrase := range map[string]string{"recommended": "mended", "planes": "lane", "set_aside": "aside", "outlets go off": "lets go of"} {
		assert.Empty(t, places([]byte(text), phrase), text)
	}
}

// Every exported type, function and method has a doc comment that begins with its name.
func TestExportedNamesHaveDocs(t *testing.T) {
	eachFile(t, func(path string, data []byte) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, data, parser.ParseComments)
		require.NoError(t, err)
		for _, one := range exportedDocs(file) {
			assert.Truef(t, strings.HasPrefix(one.doc, one.name+" "), "%s: %s needs a doc comment that begins with its name", path, one.name)
		}
	})
}

// documented is an exported name with its doc comment.
type documented struct{ name, doc string }

// exportedDocs returns a file's exported types, functions and methods of exported types. A type in a group with a
// separate comment needs no other.
func exportedDocs(file *ast.File) (all []documented) {
	for _, one := range file.Decls {
		switch d := one.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && ast.IsExported(receiver(d)) {
				all = append(all, documented{d.Name.Name, d.Doc.Text()})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				typ, is := spec.(*ast.TypeSpec)
				if !is || !typ.Name.IsExported() || (d.Lparen.IsValid() && d.Doc.Text() != "") {
					continue
				}
				all = append(all, documented{typ.Name.Name, d.Doc.Text() + typ.Doc.Text()})
			}
		}
	}
	return all
}

// receiver returns the name of a method's type, "Func" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return "Func"
	}
	typ := d.Recv.List[0].Type
	if pointer, is := typ.(*ast.StarExpr); is {
		typ = pointer.X
	}
	if generic, is := typ.(*ast.IndexExpr); is {
		typ = generic.X
	}
	return fmt.Sprint(typ)
}

// eachFile passes every text of the repository to see, except generated files and testdata. path is relative to the root.
func eachFile(t *testing.T, see func(path string, data []byte)) {
	t.Helper()
	skipped := []string{"testdata", "node_modules", "dist", "bin", ".git", ".vale", "test-results"}
	kinds := []string{".go", ".js", ".mjs", ".ts", ".css", ".html", ".md", ".txt", ".json", ".yaml", ".yml", ".sh"}
	bare := []string{"Makefile", "parts", "reproducible", "run"}
	require.NoError(t, filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if slices.Contains(skipped, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		case !slices.Contains(kinds, filepath.Ext(name)) && !slices.Contains(bare, entry.Name()):
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		see(strings.TrimPrefix(filepath.ToSlash(name), "../"), data)
		return nil
	}))
}

func hasPrefix(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}
