package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// member is a field of an interface, in Go or in the mirror.
type member struct {
	Type     string
	Optional bool
}

var (
	blockComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	lineComment   = regexp.MustCompile(`//[^\n]*`)
	interfaceText = regexp.MustCompile(`(?s)export interface (\w+) \{(.*?)\n\}`)
	memberText    = regexp.MustCompile(`(?m)^\s*(\w+)(\??):\s*([^;]+);`)
	aliasText     = regexp.MustCompile(`export type (\w+) =([^;]+);`)
	literalText   = regexp.MustCompile(`^\|?\s*("[^"]*"\s*\|\s*)*"[^"]*"$`)
	opText        = regexp.MustCompile(`(?m)^\s*(\w+):\s*\{\s*params:\s*([^;]+);\s*result:\s*([^;]+);?\s*\};`)
)

// mirrored holds the declarations of protocol.d.ts: its interfaces, its aliases, and its operations.
type mirrored struct {
	interfaces map[string]map[string]member
	aliases    map[string]string
	ops        map[string]mirroredOp
}

// mirroredOp is one line of interface Ops.
type mirroredOp struct {
	Params  string
	Results []string
}

// mirror parses protocol.d.ts.
func mirror(t *testing.T) mirrored {
	t.Helper()
	source, err := os.ReadFile("../../web/js/protocol.d.ts")
	require.NoError(t, err)
	text := lineComment.ReplaceAllString(blockComment.ReplaceAllString(string(source), ""), "")
	m := mirrored{interfaces: map[string]map[string]member{}, aliases: map[string]string{}, ops: map[string]mirroredOp{}}
	for _, found := range aliasText.FindAllStringSubmatch(text, -1) {
		m.aliases[found[1]] = strings.TrimSpace(found[2])
	}
	for _, found := range interfaceText.FindAllStringSubmatch(text, -1) {
		if found[1] == "Ops" {
			require.Empty(t, strings.TrimSpace(opText.ReplaceAllString(found[2], "")), "interface Ops has a line this test cannot read")
			for _, op := range opText.FindAllStringSubmatch(found[2], -1) {
				m.ops[op[1]] = mirroredOp{Params: strings.TrimSpace(op[2]), Results: unionOf(op[3])}
			}
			continue
		}
		members := map[string]member{}
		rest := memberText.ReplaceAllString(found[2], "")
		require.Empty(t, strings.TrimSpace(rest), "interface %s has a member this test cannot read", found[1])
		for _, line := range memberText.FindAllStringSubmatch(found[2], -1) {
			members[line[1]] = member{Type: strings.TrimSpace(line[3]), Optional: line[2] == "?"}
		}
		m.interfaces[found[1]] = members
	}
	return m
}

// unionOf splits a union into its sorted members.
func unionOf(text string) []string {
	var all []string
	for one := range strings.SplitSeq(text, "|") {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	sort.Strings(all)
	return all
}

// plain reduces a type of the mirror to its JSON type: a union of words is a string.
func (m *mirrored) plain(text string) string {
	if element, list := strings.CutSuffix(text, "[]"); list {
		return m.plain(strings.Trim(element, "()")) + "[]"
	}
	switch text {
	case "string | object": // a name, or a whole document
		return "object"
	case "keyof Ops":
		return "string"
	}
	if alias, there := m.aliases[text]; there && text != "None" {
		return m.plain(alias)
	}
	if literalText.MatchString(text) {
		return "string"
	}
	return text
}

// otherNames maps types whose two sides have different names.
var otherNames = map[string]string{"FlightView": "Flight"}

// onlyThere lists interfaces without a Go type in the bridge, with the reason.
var onlyThere = map[string]string{"Opening": "a file of the site, written by the command; its parts are compared"}

// free are the types that the mirror leaves open.
var free = map[string]bool{"ActOptions": true}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// goType returns a Go type as the mirror writes its JSON.
func goType(g reflect.Type) string {
	if g == rawMessage {
		return "object"
	}
	switch g.Kind() {
	case reflect.Pointer:
		return goType(g.Elem())
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64, reflect.Float64:
		return "number"
	case reflect.Interface:
		return "object"
	case reflect.Slice:
		return goType(g.Elem()) + "[]"
	case reflect.Struct:
		if free[g.Name()] {
			return "object"
		}
		if other := otherNames[g.Name()]; other != "" {
			return other
		}
		return g.Name()
	}
	return "unknown: " + g.String()
}

// collect adds a type and all types that it contains.
func collect(g reflect.Type, into map[string]map[string]member) {
	switch {
	case g == rawMessage:
		return
	case g.Kind() == reflect.Pointer, g.Kind() == reflect.Slice:
		collect(g.Elem(), into)
		return
	case g.Kind() != reflect.Struct, free[g.Name()], into[goType(g)] != nil:
		return
	}
	members := map[string]member{}
	into[goType(g)] = members
	for i := range g.NumField() {
		f := g.Field(i)
		if !f.IsExported() {
			continue // it does not cross
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		members[name] = member{Type: goType(f.Type), Optional: options == "omitempty"}
		collect(f.Type, into)
	}
}

// Go and protocol.d.ts declare the same protocol: every operation with its parameters and results, and every type of
// these with each member, its type, whether it is a list and whether it is optional.
func TestTheMirrorIsEqual(t *testing.T) {
	theirs := mirror(t)
	ours := map[string]map[string]member{}
	ops := map[string]mirroredOp{}
	for _, root := range []reflect.Type{reflect.TypeFor[Request](), reflect.TypeFor[Reply](), reflect.TypeFor[protocol.Progress](), reflect.TypeFor[protocol.PaceSpan]()} {
		collect(root, ours)
	}
	for _, o := range table() {
		require.NotContains(t, ops, o.name, "the table has it twice")
		one := mirroredOp{Params: goType(o.params)}
		collect(o.params, ours)
		for _, result := range o.results {
			collect(result, ours)
			one.Results = append(one.Results, goType(result))
		}
		sort.Strings(one.Results)
		ops[o.name] = one
	}
	require.Equal(t, ops, theirs.ops, "operations: Go, then protocol.d.ts")
	delete(ours, "None")
	for name := range onlyThere {
		require.Contains(t, theirs.interfaces, name, "remove it from onlyThere")
		delete(theirs.interfaces, name)
	}
	names := func(m map[string]map[string]member) []string {
		all := []string{}
		for name := range m {
			all = append(all, name)
		}
		sort.Strings(all)
		return all
	}
	require.Equal(t, names(ours), names(theirs.interfaces), "types: Go, then protocol.d.ts")
	for _, name := range names(ours) {
		for field, one := range theirs.interfaces[name] {
			theirs.interfaces[name][field] = member{Type: theirs.plain(one.Type), Optional: one.Optional}
		}
		assert.Equal(t, ours[name], theirs.interfaces[name], "%s: Go, then protocol.d.ts", name)
	}
}

// Every operation has a test in bridge_test.go, and every test there has an operation.
func TestEveryOperationIsTested(t *testing.T) {
	listed, tested := map[string]bool{}, map[string]bool{}
	for _, o := range table() {
		listed[o.name] = true
	}
	for _, op := range operations {
		tested[op.name] = true
	}
	assert.Equal(t, listed, tested, "operations of the table, then those with a test in bridge_test.go")
	assert.Contains(t, ask(t, opened(t), "sing", nil).Error.Message, "there is no operation")
}

// misfits returns the words in a value that are not in the mirror's union.
func (m *mirrored) misfits(path, typ string, value any) []string {
	if element, list := strings.CutSuffix(typ, "[]"); list {
		var all []string
		rows, _ := value.([]any)
		for _, one := range rows {
			all = append(all, m.misfits(path+"[]", strings.Trim(element, "()"), one)...)
		}
		return all
	}
	if members, there := m.interfaces[typ]; there {
		var all []string
		object, _ := value.(map[string]any)
		for name, one := range members {
			if part, has := object[name]; has {
				all = append(all, m.misfits(typ+"."+name, one.Type, part)...)
			}
		}
		return all
	}
	if alias, there := m.aliases[typ]; there {
		return m.misfits(path, alias, value)
	}
	if word, is := value.(string); is && literalText.MatchString(typ) && !slices.Contains(unionOf(typ), strconv.Quote(word)) {
		return []string{fmt.Sprintf("%s: %q is not one of %s", path, word, typ)}
	}
	return nil
}

// Over the shipped runs, every word that the engine sends is in the mirror's union.
func TestWordsAreOfTheirUnions(t *testing.T) {
	m := mirror(t)
	b := greeted(t)
	found := map[string]bool{}
	says := func(op, typ string, params any) {
		a := ask(t, b, op, params)
		for a.OK && bytes.Contains(a.Result, []byte(`"done":false`)) && (typ == "View" || typ == "Comparison") {
			a = ask(t, b, "goOn", nil)
		}
		var value any
		if !a.OK {
			return
		}
		require.NoError(t, json.Unmarshal(a.Result, &value))
		for _, misfit := range m.misfits(op, typ, value) {
			found[misfit] = true
		}
	}
	says("hello", "Greeting", map[string]any{})
	for i, name := range slices.Sorted(maps.Keys(b.shelf.texts)) {
		if testing.Short() && i%10 != 0 {
			continue
		}
		says("open", "View", OpenParams{Scenario: json.RawMessage(strconv.Quote(name))})
		says("runTo", "View", RunToParams{What: "end"})
		end := b.view().Live.T
		says("timeline", "Timeline", TimelineParams{To: end, WidthPx: 100_000})
		says("events", "Events", EventsParams{Count: 2000})
		says("checks", "ChecksView", nil)
		says("settings", "Settings", nil)
		says("cause", "Cause", CauseParams{Kind: "change"})
		says("cause", "Cause", CauseParams{Kind: "violation"})
		says("compare", "Comparison", CompareParams{A: protocol.Side{}, B: protocol.Side{Scenario: json.RawMessage(`"crash"`)}})
		for k := range int64(25) {
			says("seek", "View", SeekParams{Cursor: timeline.Cursor{T: end / 25 * k, N: -1}})
			says("beliefs", "Beliefs", nil)
			says("object", "ObjectView", ObjectParams{})
			says("decision", "DecisionView", DecisionParams{})
		}
	}
	assert.Empty(t, slices.Sorted(maps.Keys(found)))
}
