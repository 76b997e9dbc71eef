package bridge

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// member is a field of an interface, as both sides see it.
type member struct {
	Type     string
	Optional bool
}

var (
	blockComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	lineComment   = regexp.MustCompile(`//[^\n]*`)
	interfaceText = regexp.MustCompile(`(?s)export interface (\w+) \{(.*?)\n\}`)
	memberText    = regexp.MustCompile(`(?m)^\s*(\w+)(\??):\s*([^;]+);`)
	opText        = regexp.MustCompile(`(?s)export type Op =(.*?);`)
	quotedText    = regexp.MustCompile(`"(\w+)"`)
)

// mirror reads the interfaces of protocol.d.ts.
func mirror(t *testing.T) (interfaces map[string]map[string]member, ops []string) {
	t.Helper()
	source, err := os.ReadFile("../../web/js/protocol.d.ts")
	require.NoError(t, err)
	text := lineComment.ReplaceAllString(blockComment.ReplaceAllString(string(source), ""), "")
	interfaces = map[string]map[string]member{}
	for _, found := range interfaceText.FindAllStringSubmatch(text, -1) {
		members := map[string]member{}
		rest := memberText.ReplaceAllString(found[2], "")
		require.Empty(t, strings.TrimSpace(rest), "interface %s has a member this test cannot read", found[1])
		for _, m := range memberText.FindAllStringSubmatch(found[2], -1) {
			members[m[1]] = member{Type: plainType(m[3]), Optional: m[2] == "?"}
		}
		interfaces[found[1]] = members
	}
	for _, op := range quotedText.FindAllStringSubmatch(opText.FindStringSubmatch(text)[1], -1) {
		ops = append(ops, op[1])
	}
	return interfaces, ops
}

// plainType reduces a type of the mirror to what JSON knows of it.
func plainType(text string) string {
	text = strings.TrimSpace(text)
	if element, list := strings.CutSuffix(text, "[]"); list {
		return plainType(element) + "[]"
	}
	switch text {
	case "Nanos":
		return "number"
	case "Op":
		return "string"
	case "string | object": // a name, or a whole document
		return "object"
	}
	return text
}

// otherNames are the types whose two sides are called differently.
var otherNames = map[string]string{"FlightView": "Flight"}

// onlyThere are interfaces without a Go type in the bridge, with the reason.
var onlyThere = map[string]string{"Opening": "a file of the site, written by the command; its parts are compared"}

// free are the types that the mirror leaves open.
var free = map[string]bool{"ActOptions": true}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// goType is a Go type as JSON.
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

// collect walks a type and everything it is made of.
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
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		members[name] = member{Type: goType(f.Type), Optional: options == "omitempty"}
		collect(f.Type, into)
	}
}

// The protocol is written down twice, in Go and for the page; the two are the same: every type, every member, its kind,
// whether it is a list and whether it may be missing.
func TestTheMirrorIsEqual(t *testing.T) {
	ours := map[string]map[string]member{}
	for _, root := range []reflect.Type{
		reflect.TypeFor[Request](), reflect.TypeFor[Reply](), reflect.TypeFor[HelloParams](), reflect.TypeFor[OpenParams](), reflect.TypeFor[PlayParams](),
		reflect.TypeFor[SeekParams](), reflect.TypeFor[StepParams](), reflect.TypeFor[RunToParams](), reflect.TypeFor[ActParams](), reflect.TypeFor[EditParams](),
		reflect.TypeFor[BranchParams](), reflect.TypeFor[TimelineParams](), reflect.TypeFor[EventsParams](), reflect.TypeFor[ObjectParams](), reflect.TypeFor[DecisionParams](), reflect.TypeFor[lab.DecisionView](), reflect.TypeFor[WhyParams](),
		reflect.TypeFor[ShareParams](), reflect.TypeFor[RestParams](), reflect.TypeFor[RestWatchParams](), reflect.TypeFor[ExchangeParams](), reflect.TypeFor[lab.RestAnswer](), reflect.TypeFor[lab.RestFrames](), reflect.TypeFor[lab.Exchange](),
		reflect.TypeFor[CheckParams](), reflect.TypeFor[SweepParams](), reflect.TypeFor[lab.Swept](), reflect.TypeFor[Checked](), reflect.TypeFor[lab.Hello](), reflect.TypeFor[lab.View](), reflect.TypeFor[lab.Timeline](),
		reflect.TypeFor[lab.Events](), reflect.TypeFor[lab.ObjectView](), reflect.TypeFor[lab.Why](), reflect.TypeFor[lab.Share](), reflect.TypeFor[lab.Saved](), reflect.TypeFor[lab.Snapshot](),
		reflect.TypeFor[lab.PaceSpan](), reflect.TypeFor[lab.ChecksView](), reflect.TypeFor[BreakpointsParams](), reflect.TypeFor[CompareParams](), reflect.TypeFor[lab.Comparison](), reflect.TypeFor[lab.Progress](),
		reflect.TypeFor[CauseParams](), reflect.TypeFor[lab.Cause](), reflect.TypeFor[lab.WhatIf](), reflect.TypeFor[TryParams](), reflect.TypeFor[RerollParams](), reflect.TypeFor[lab.Rerolled](), reflect.TypeFor[lab.Beliefs](),
		reflect.TypeFor[ExpectParams](), reflect.TypeFor[Expected](), reflect.TypeFor[lab.Settings](),
	} {
		collect(root, ours)
	}
	theirs, ops := mirror(t)
	for name := range onlyThere {
		require.Contains(t, theirs, name, "it need not be an exception any more")
		delete(theirs, name)
	}
	names := func(m map[string]map[string]member) []string {
		all := []string{}
		for name := range m {
			all = append(all, name)
		}
		sort.Strings(all)
		return all
	}
	require.Equal(t, names(ours), names(theirs), "types: Go, then protocol.d.ts")
	for _, name := range names(ours) {
		assert.Equal(t, ours[name], theirs[name], "%s: Go, then protocol.d.ts", name)
	}
	// Every operation of the mirror is one, and there is no other.
	b := opened(t)
	for _, op := range ops {
		reply := ask(t, b, op, nil)
		if reply.Error != nil {
			assert.NotContains(t, reply.Error.Message, "there is no operation", op)
		}
	}
	assert.Contains(t, ask(t, b, "sing", nil).Error.Message, "there is no operation")
	listed := map[string]bool{}
	for _, op := range ops {
		listed[op] = true
	}
	tested := map[string]bool{}
	for _, op := range operations {
		assert.True(t, listed[op.name], "%s is missing in protocol.d.ts", op.name)
		tested[op.name] = true
	}
	for op := range tested {
		delete(listed, op)
	}
	assert.Empty(t, listed, "operations without a test in bridge_test.go")
}
