package random

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// parts are scenarios, and what stands in a field of that name in any of them.
type parts struct {
	documents [][]byte
	values    map[string][]json.RawMessage
	fields    map[string][]string // that stand beside a field
}

func scenarioParts(t testing.TB) *parts {
	p := &parts{values: map[string][]json.RawMessage{}, fields: map[string][]string{}}
	for _, s := range shipped.List() {
		p.documents = append(p.documents, scenario.Encode(s))
	}
	for number := range uint64(100) {
		p.documents = append(p.documents, scenario.Encode(Scenario(number)))
	}
	for _, document := range p.documents {
		var root map[string]any
		require.NoError(t, json.Unmarshal(document, &root))
		p.keep(root)
	}
	// What the valid ones do not have.
	for name, odd := range map[string][]any{
		"duration": {"1ns", "2160h", "1ms"}, "at": {"0s", "1ns", "2159h"}, "for": {"1ns", "2160h"}, "every": {"1ns", "1ms"}, "leaseDuration": {"1ns", "3ns", "2160h"},
		"renewDeadline": {"2ns", "2159h"}, "retryPeriod": {"1ns", "1h"}, "requestTimeout": {"0s", "1ns"}, "requestLatency": {"0s", "2160h"}, "responseLatency": {"0s", "1h"},
		"ratePpm": {float64(scenario.MinRatePpm), float64(scenario.MaxRatePpm)}, "offset": {"-2160h", "2160h", "-1ns"}, "seed": {float64(scenario.MaxSeed), 0.0}, "target": {"*", "holder", "a"},
		"replicas": {2.0, 200.0, 0.0}, "count": {0.0, 2147483647.0}, "startAt": {"2160h", "1ns"}, "restartAfter": {"0s", "1ns"}, "jitterFactor": {0.0, 1.2}, "jitterDraws": {[]any{}, []any{0.0, 1.0}},
		"ratePerSecond": {1.0, 1000000.0}, "queue": {0.0, 1.0}, "workTail": {"2160h", "1ns"}, "nodes": {1.0, 500.0},
	} {
		for _, value := range odd {
			p.values[name] = append(p.values[name], encode(value))
		}
	}
	for name, values := range p.values {
		slices.SortFunc(values, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
		p.values[name] = slices.CompactFunc(values, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
		slices.Sort(p.fields[name])
		p.fields[name] = slices.Compact(p.fields[name])
	}
	return p
}

func encode(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was decoded
	}
	return text
}

// keep takes an object apart.
func (p *parts) keep(object map[string]any) {
	for name, value := range object {
		p.values[name] = append(p.values[name], encode(value))
		for beside := range object {
			p.fields[name] = append(p.fields[name], beside)
		}
		eachObject(value, p.keep)
	}
}

// eachObject hands the objects directly within a value to see.
func eachObject(value any, see func(map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		see(v)
	case []any:
		for _, item := range v {
			eachObject(item, see)
		}
	}
}

// mutant is a scenario with some edits, each tried a few times until it fits. The last one need not.
func (p *parts) mutant(seed uint64, edits int) []byte {
	d := rand.New(rand.NewPCG(seed, 2))
	document := p.documents[d.IntN(len(p.documents))]
	for k := range edits {
		for range 3 {
			var root map[string]any
			if err := json.Unmarshal(document, &root); err != nil {
				panic(err) // it was encoded from a scenario
			}
			p.edit(d, root)
			edited := encode(root)
			if _, err := scenario.Decode(edited); err == nil || k == edits-1 {
				document = edited
				break
			}
		}
	}
	return document
}

// edit changes one field somewhere within an object.
func (p *parts) edit(d *rand.Rand, root map[string]any) {
	var objects []map[string]any
	var collect func(map[string]any)
	collect = func(object map[string]any) {
		objects = append(objects, object)
		for _, name := range sortedKeys(object) {
			eachObject(object[name], collect)
		}
	}
	collect(root)
	object := objects[d.IntN(len(objects))]
	names := sortedKeys(object)
	if len(names) == 0 {
		return
	}
	name := names[d.IntN(len(names))]
	list, isList := object[name].([]any)
	switch choice := d.IntN(8); {
	case isList && len(list) > 0 && choice < 3: // an entry twice, or not at all
		at := d.IntN(len(list))
		list = slices.Clone(list)
		if choice == 0 {
			list = slices.Delete(list, at, at+1)
		} else {
			list = append(list, list[at])
		}
		object[name] = list
	case choice == 3:
		delete(object, name)
	case choice == 4: // a field that stands beside it elsewhere
		besides := p.fields[name]
		if len(besides) == 0 {
			return
		}
		name = besides[d.IntN(len(besides))]
		fallthrough
	default:
		if values := p.values[name]; len(values) > 0 {
			var value any // a copy: edits change it
			if err := json.Unmarshal(values[d.IntN(len(values))], &value); err != nil {
				panic(err)
			}
			object[name] = value
		}
	}
}

func sortedKeys(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Mutants are valid often enough to be worth running, and the same for the same seed.
func TestMutants(t *testing.T) {
	p, q := scenarioParts(t), scenarioParts(t)
	valid := map[int]int{}
	for seed := range uint64(24) {
		for _, edits := range []int{1, 4, 15} {
			document := p.mutant(seed, edits)
			require.Equal(t, string(document), string(q.mutant(seed, edits)))
			if _, err := scenario.Decode(document); err == nil {
				valid[edits]++
			}
		}
	}
	require.Greater(t, valid[1], 8, "of 24 with one edit")
	require.Greater(t, valid[15], 8, "of 24 with fifteen edits")
}
