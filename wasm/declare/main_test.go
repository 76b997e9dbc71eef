package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/wasm/bridge"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// misfits adds the words in a value that their comments do not list.
func (d *declarer) misfits(g reflect.Type, value any, found map[string]bool) {
	for g.Kind() == reflect.Pointer {
		g = g.Elem()
	}
	if rows, is := value.([]any); is && g.Kind() == reflect.Slice {
		for _, row := range rows {
			d.misfits(g.Elem(), row, found)
		}
	}
	members, is := value.(map[string]any)
	if !is || g.Kind() != reflect.Struct {
		return
	}
	for i := range g.NumField() {
		name, _, _ := strings.Cut(g.Field(i).Tag.Get("json"), ",")
		path := g.Name() + "." + name
		word, is := members[name].(string)
		if is && d.listed[path] != "" && !slices.Contains(strings.Split(d.listed[path], " | "), strconv.Quote(word)) {
			found[fmt.Sprintf("%s: %q is not one of %s", path, word, d.listed[path])] = true
		}
		d.misfits(g.Field(i).Type, members[name], found)
	}
}

// Over the shipped runs, the comments list every word that the engine sends.
func TestWordsAreListed(t *testing.T) {
	root = "../.."
	d := declare()
	results := map[string]reflect.Type{}
	for _, op := range bridge.Operations() {
		results[op.Name] = op.Results[len(op.Results)-1] // a Comparison of compare, a View of the others
	}
	b := bridge.New(clock.NewMock(), nil)
	found := map[string]bool{}
	ask := func(op, params string) map[string]any {
		for next := op; ; next, params = "goOn", "{}" {
			var answer map[string]any
			request := fmt.Sprintf(`{"id":1,"op":%q,"params":%s}`, next, params)
			require.NoError(t, json.Unmarshal(b.Handle([]byte(request)), &answer))
			result, _ := answer["result"].(map[string]any)
			if result["done"] != false {
				d.misfits(results[op], result, found)
				return result
			}
		}
	}
	var all []json.RawMessage
	require.NoError(t, json.Unmarshal(shipped.JSON(), &all))
	ask("hello", fmt.Sprintf(`{"scenarios":%s}`, shipped.JSON()))
	for i, scenario := range all {
		if testing.Short() && i%10 != 0 {
			continue
		}
		ask("open", fmt.Sprintf(`{"scenario":%s}`, scenario))
		end := int64(ask("runTo", `{"what":"end"}`)["end"].(float64))
		ask("timeline", fmt.Sprintf(`{"from":0,"to":%d,"widthPx":100000}`, end))
		ask("events", `{"count":2000}`)
		ask("checks", `{}`)
		ask("cause", `{"kind":"change","number":0}`)
		ask("cause", `{"kind":"violation","number":0}`)
		ask("compare", `{"a":{"branch":0},"b":{"scenario":"crash"}}`)
		for k := range int64(25) {
			ask("seek", fmt.Sprintf(`{"cursor":{"t":%d,"n":-1}}`, end/25*k))
			ask("object", `{}`)
			ask("decision", `{}`)
		}
	}
	assert.Empty(t, slices.Sorted(maps.Keys(found)))
}
