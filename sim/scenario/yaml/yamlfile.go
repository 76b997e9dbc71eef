// Package yaml reads and writes scenario files in YAML. Only native programs use it: the page has its own YAML parser,
// and the engine reads JSON. The two functions to know are Decode and Encode.
//
// The problem: YAML has two versions that read the same text differently, but a scenario must have one meaning. "on"
// is true for one parser and text for the other, and 0400 is 256 or 400. If a file had different values in the page
// and in the command, one name would stand for two runs. So this package reads only what both versions agree on.
//
//	YAML ── Read ──> JSON, each value on its own line ── scenario.DecodeAll ──> Scenario
//	         │
//	         └─> the disputed scalars, each with its path
//
// All rules about fields live in package scenario, which knows only JSON. Read puts line breaks between tokens, so that
// each value in the JSON is on the same line as in the YAML. So an error about line 17 of the JSON also names the right
// line of the user's file.
//
// Guarantee: an accepted file means the same to a YAML 1.1 parser and a YAML 1.2 parser, and an error names the line of
// the file. The tests of the page's parser use testdata/scalars.json, too. Non-guarantee: the package does not accept
// all of YAML. It refuses anchors, aliases, tags, merge keys, directives, several documents (except a Deployment among
// other objects), and plain scalars on which the versions disagree, and says what to write instead. Comments do not
// survive Decode and Encode.
package yaml

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"go.yaml.in/yaml/v3"
)

// Decode reads a scenario from YAML, or from JSON if the text begins with a brace. It makes a scenario from a
// Deployment: see scenario.Imported. Its error is a scenario.Errors,
// which lists all errors of the file with their lines. After a syntax error it reports no other errors, because every
// later line could mean something else.
//
// A file larger than scenario.MaxBytes does not reach the YAML parser, which would need several times as much
// memory. scenario.DecodeAll refuses it with the limit.
func Decode(data []byte) (scenario.Scenario, error) {
	document, disputed := data, []*scenario.FieldError(nil)
	if len(data) <= scenario.MaxBytes { // scenario.Decode refuses a larger file
		var err error
		document, disputed, err = Read(data)
		var syntax *scenario.FieldError
		if errors.As(err, &syntax) { // trust nothing after a syntax error
			return scenario.Scenario{}, scenario.Errors{syntax}
		}
	}
	if imported := scenario.Imported(document); !bytes.Equal(imported, document) {
		document, disputed = imported, nil // the rest of the Deployment does not matter
	}
	s, all := scenario.DecodeAll(document, disputed)
	if len(all) > 0 {
		return s, all
	}
	return s, nil
}

// isJSON reports whether a text begins like a JSON object. YAML allows such a text, too, as a flow mapping. But for a
// file that a program wrote as JSON, the errors of a JSON parser are more helpful.
func isJSON(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
}

// Read converts one strict YAML document to JSON, and returns JSON unchanged. Every value keeps its line, so that an
// error in the JSON names the line of the file. If the versions of YAML read a plain scalar differently, Read writes
// it as text and adds it to disputed with its path.
func Read(data []byte) (document []byte, disputed []*scenario.FieldError, err error) {
	if isJSON(data) {
		return data, nil, nil
	}
	return read(data)
}

// read does the work of Read for YAML. The parser builds a tree of nodes with lines and styles, and writer turns it
// into JSON. Documents of which one is a Deployment become a List. Any other second document is an error: `read` must
// not ignore it silently, because kubectl would apply both.
func read(data []byte) (document []byte, disputed []*scenario.FieldError, err error) {
	if line := directive(data); line > 0 {
		return nil, nil, refuse(line, "YAML directives (%…) are not supported", "remove the line")
	}
	in := yaml.NewDecoder(bytes.NewReader(data))
	var root yaml.Node
	if err := in.Decode(&root); errors.Is(err, io.EOF) {
		return nil, nil, nil // an empty document is not JSON either
	} else if err != nil {
		return nil, nil, syntaxError(data, err)
	}
	all := []*yaml.Node{&root}
	for {
		var next yaml.Node
		if err := in.Decode(&next); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, syntaxError(data, err)
		}
		if next.Content[0].Tag != "!!null" { // null: the file ends with a separator
			all = append(all, &next)
		}
	}
	w := writer{line: 1, source: bytes.Split(data, []byte("\n"))}
	if len(all) == 1 {
		err = w.node(root.Content[0])
	} else if slices.ContainsFunc(all, isDeployment) {
		err = w.list(all)
	} else {
		err = refuse(all[1].Line, "a second document begins here", "put each scenario into its own file")
	}
	if err != nil {
		return nil, nil, err
	}
	return w.out.Bytes(), w.disputed, nil
}

func isDeployment(document *yaml.Node) bool {
	n := document.Content[0]
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == "kind" {
			return n.Content[i+1].Value == "Deployment"
		}
	}
	return false
}

// list writes documents as a List of Kubernetes.
func (w *writer) list(all []*yaml.Node) error {
	for i, n := range all {
		w.out.WriteString([]string{`{"kind":"List","items":[`, ","}[min(i, 1)])
		if err := w.node(n.Content[0]); err != nil {
			return err
		}
	}
	w.out.WriteString("]}")
	return nil
}

// directive returns the line of a % directive, which may only precede the document. The parser ignores directives.
func directive(data []byte) int {
	for i, line := range bytes.Split(data, []byte("\n")) {
		switch text := bytes.TrimSpace(line); {
		case bytes.HasPrefix(line, []byte("%")):
			return i + 1
		case len(text) > 0 && text[0] != '#':
			return 0
		}
	}
	return 0
}

// writer writes JSON and counts its lines. It never indents. Only the method reach writes line breaks, so the line
// count is exact.
type writer struct {
	out    bytes.Buffer
	line   int
	source [][]byte // the lines of the YAML
	looked int      // the source line in runes
	runes  []rune

	path     []step
	disputed []*scenario.FieldError // the scalars on which the versions disagree
}

// step is a field of an object, or an entry of a list.
type step struct {
	name  string
	index int // -1 for a field
}

// `reach` writes line breaks until it reaches a token's line in the YAML file. Line numbers never decrease, because
// without aliases every node is where the file has it. Tokens on one line of the YAML, such as the entries of a flow
// list, also share a line of the JSON.
func (w *writer) reach(line int) {
	for ; w.line < line; w.line++ {
		w.out.WriteByte('\n')
	}
}

func (w *writer) node(n *yaml.Node) error {
	if err := w.refuseNode(n); err != nil {
		return err
	}
	w.reach(n.Line)
	switch n.Kind {
	case yaml.MappingNode:
		return w.mapping(n)
	case yaml.SequenceNode:
		return w.sequence(n)
	default:
		return w.scalar(n)
	}
}

func (w *writer) mapping(n *yaml.Node) error {
	w.out.WriteByte('{')
	for i := 0; i < len(n.Content); i += 2 {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if err := w.key(n.Content[i]); err != nil {
			return err
		}
		w.out.WriteByte(':')
		if err := w.inside(step{n.Content[i].Value, -1}, n.Content[i+1]); err != nil {
			return err
		}
	}
	w.out.WriteByte('}')
	return nil
}

// `inside` writes a value below the current one.
func (w *writer) inside(below step, n *yaml.Node) error {
	w.path = append(w.path, below)
	err := w.node(n)
	w.path = w.path[:len(w.path)-1]
	return err
}

// place returns the current path in the form of scenario.FieldError, or "" if it is deeper than any scenario.
func (w *writer) place() string {
	if len(w.path) > scenario.MaxDepth {
		return ""
	}
	var path strings.Builder
	for _, s := range w.path {
		switch {
		case s.index >= 0:
			path.WriteString("[" + strconv.Itoa(s.index) + "]")
		case path.Len() > 0:
			path.WriteString("." + s.name)
		default:
			path.WriteString(s.name)
		}
	}
	return path.String()
}

// `key` writes the name of a field. A disputed name is an error at once, unlike a disputed value: "on: true" has a
// different name in each version, so no path could describe it.
func (w *writer) key(n *yaml.Node) error {
	if err := w.refuseNode(n); err != nil {
		return err
	}
	if n.Kind != yaml.ScalarNode {
		return refuse(n.Line, "the name of a field is a list or a group", "names are plain words")
	}
	if isPlain(n) {
		if _, err := plain(n); err != nil {
			return err
		}
	}
	w.reach(n.Line)
	return w.text(n.Value)
}

func (w *writer) sequence(n *yaml.Node) error {
	w.out.WriteByte('[')
	for i, item := range n.Content {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if err := w.inside(step{index: i}, item); err != nil {
			return err
		}
	}
	w.out.WriteByte(']')
	return nil
}

// scalar writes a value. A value in quotes is text. A plain value has the type on which the versions agree. If they
// disagree, `scalar` records the place and treats the value as text, so that the list of errors is complete.
func (w *writer) scalar(n *yaml.Node) error {
	if !isPlain(n) {
		return w.text(n.Value)
	}
	literal, err := plain(n)
	var disputed *scenario.FieldError
	if errors.As(err, &disputed) && n.Value != "<<" {
		disputed.Path = w.place()
		w.disputed = append(w.disputed, disputed)
		return w.text(n.Value)
	}
	if err != nil {
		return err
	}
	if literal == "" {
		return w.text(n.Value)
	}
	w.out.WriteString(literal)
	return nil
}

func (w *writer) text(s string) error {
	quoted, err := json.Marshal(s)
	w.out.Write(quoted)
	return err
}

func isPlain(n *yaml.Node) bool {
	return n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
}

// refuseNode refuses anchors, tags and merge keys, because with them one place in a file can change another. An alias
// never gets this far, because its anchor comes first.
func (w *writer) refuseNode(n *yaml.Node) error {
	switch {
	case n.Anchor != "":
		return refuse(n.Line, "YAML anchors (&"+n.Anchor+") are not supported",
			"repeat the value, or quote it if it begins with &")
	case n.Style&yaml.TaggedStyle != 0:
		return refuse(n.Line, "YAML tags ("+n.Tag+") are not supported",
			"remove it, or quote the value if it begins with !")
	case w.beginsWith(n, '!'):
		return refuse(n.Line, "YAML tags (!) are not supported", "remove it, or quote the value if it begins with !")
	}
	return nil
}

// beginsWith reports whether the source of a node begins with a mark. It reads the source, because the parser does
// not report a lone "!", the tag that makes 12 a text. The parser counts columns in runes from 1. A whole file may be
// one line, so writer keeps the runes of the last line.
func (w *writer) beginsWith(n *yaml.Node, mark rune) bool {
	if n.Line < 1 || n.Line > len(w.source) {
		return false
	}
	if w.looked != n.Line { // columns count runes, and a whole file may be one line
		w.looked, w.runes = n.Line, []rune(string(w.source[n.Line-1]))
	}
	return n.Column >= 1 && n.Column <= len(w.runes) && w.runes[n.Column-1] == mark
}

func refuse(line int, rule, way string) *scenario.FieldError {
	return &scenario.FieldError{Rule: rule, Message: rule + "; " + way, Line: line}
}

// syntaxError takes the line number from the parser's "yaml: line 3: did not find …". An alias without its anchor has
// no line in the parser's message, so syntaxError finds the alias in the text.
func syntaxError(data []byte, err error) *scenario.FieldError {
	what := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, found := strings.CutPrefix(what, "unknown anchor '"); found {
		name, _, _ := strings.Cut(rest, "'")
		before, _, _ := bytes.Cut(data, []byte("*"+name))
		return refuse(1+bytes.Count(before, []byte("\n")), "YAML aliases (*"+name+") are not supported",
			"repeat the value, or quote it if it begins with *")
	}
	line := 0
	if rest, found := strings.CutPrefix(what, "line "); found {
		number, reason, _ := strings.Cut(rest, ": ")
		if n, e := strconv.Atoi(number); e == nil {
			line, what = n, reason
		}
	}
	rule := "is not YAML: " + what
	return &scenario.FieldError{Rule: rule, Message: "the document " + rule, Line: line}
}
