package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/checkup"
	"github.com/leaselab/leaselab/sim/evidence/symptoms"
	"github.com/leaselab/leaselab/sim/lesson"
	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/schema"
	"github.com/leaselab/leaselab/sim/study/advise"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/study/numbers"
)

// output is a JSON that a command prints. A version keeps every field with its type and its meaning: a change that
// takes one away needs the next version.
type output struct {
	name    string
	version int
	by      string // the commands that print it
	of      reflect.Type
	or      reflect.Type // another form that a line may have; nil: none
	kinds   []string     // the kind of each form; none for a type that has its own kind
}

var outputs = []output{
	{name: "summary", version: 1, kinds: []string{"RunSummary"},
		by: "the outcome of a run: `leaselab run -o json`, the last line of -o ndjson, and each line of --seeds A..B " +
			"-o json", of: reflect.TypeFor[summary.Summary]()},
	{name: "event", version: 1,
		by: "an event of a run: each line of `leaselab run -o ndjson` but the last, and of --trace",
		of: reflect.TypeFor[history.Event]()},
	{name: "trace", version: 1, by: "the first line of `leaselab export ndjson`; each line after it is an event",
		of: reflect.TypeFor[history.Header]()},
	{name: "explain", version: 1, kinds: []string{"Explanation"},
		by: "`leaselab explain -o json`", of: reflect.TypeFor[explained]()},
	{name: "reroll", version: 1, kinds: []string{"PointOfNoReturn"},
		by: "`leaselab explain --point-of-no-return -o json`", of: reflect.TypeFor[rerolled]()},
	{name: "compare", version: 1, kinds: []string{"Comparison"},
		by: "`leaselab run --against SCENARIO -o json`", of: reflect.TypeFor[compareReport]()},
	{name: "sweep", version: 1, kinds: []string{"SweepRow", "RefusedRow"},
		by: "a combination: each line of `leaselab sweep -o json` and `leaselab sweep merge -o json`",
		of: reflect.TypeFor[grid.Row](), or: reflect.TypeFor[grid.RefusedRow]()},
	{name: "explore", version: 1, kinds: []string{"Exploration"},
		by: "`leaselab explore -o json`", of: reflect.TypeFor[exploredReport]()},
	{name: "hunt", version: 1, kinds: []string{"Hunt"},
		by: "`leaselab hunt -o json`", of: reflect.TypeFor[hunted]()},
	{name: "advise", version: 1, kinds: []string{"Advice"},
		by: "`leaselab advise -o json`", of: reflect.TypeFor[advise.Advice]()},
	{name: "checkup", version: 1, kinds: []string{"Checkup"},
		by: "`leaselab checkup -o json`", of: reflect.TypeFor[checkup.Cluster]()},
	{name: "numbers", version: 1, kinds: []string{"Numbers"},
		by: "a setting: each line of `leaselab numbers -o json`", of: reflect.TypeFor[numbers.Answer]()},
	{name: "why", version: 1, kinds: []string{"Why"}, by: "`leaselab why -o json`", of: reflect.TypeFor[symptoms.Findings]()},
	{name: "import", version: 1, kinds: []string{"EvidenceReport"},
		by: "`leaselab import -o json`", of: reflect.TypeFor[evidence.Report]()},
	{name: "check", version: 1, kinds: []string{"Verdict"},
		by: "`leaselab import --judge -o json`", of: reflect.TypeFor[evidence.Verdict]()},
	{name: "scenarios", version: 2, by: "`leaselab scenarios -o json`", of: reflect.TypeFor[list[listedScenario]]()},
	{name: "score", version: 1, by: "`leaselab score -o json`", of: reflect.TypeFor[scoreReport]()},
	{name: "suite", version: 1, by: "`leaselab test --suite NAME -o json`", of: reflect.TypeFor[suiteReport]()},
	{name: "scenarios-whole", version: 1, by: "`leaselab scenarios -o whole`",
		of: reflect.TypeFor[[]scenario.Scenario]()},
	{name: "lessons", version: 2, by: "`leaselab scenarios --lessons -o json`",
		of: reflect.TypeFor[list[lesson.Entry]]()},
	{name: "lessons-whole", version: 2, by: "`leaselab scenarios --lessons -o whole`",
		of: reflect.TypeFor[[]lesson.Whole]()},
}

func outputNamed(name string) *output {
	for i := range outputs {
		if outputs[i].name == name {
			return &outputs[i]
		}
	}
	return nil
}

func (o *output) id() string {
	return fmt.Sprintf("https://leaselab.dev/schemas/%s-v%d.json", o.name, o.version)
}

// ownForms returns the schemas of types that write their JSON themselves.
var ownForms = sync.OnceValue(func() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage]():   {Type: "object", Description: "the scenario"},
		reflect.TypeFor[scenario.Scenario](): scenarioSchema(),
		reflect.TypeFor[summary.Seconds](): {Type: "number",
			Description: "seconds of virtual time, exact to the nanosecond"},
		reflect.TypeFor[lesson.Scenario](): {Type: "string", Description: "the name of a shipped scenario"},
		reflect.TypeFor[lesson.Point](): {Types: []string{"string", "integer"},
			Description: "a name, or nanoseconds or a count"},
		reflect.TypeFor[scenario.Duration](): {Type: "string", Description: `a duration, such as "15s"`},
		reflect.TypeFor[scenario.Amount](): {Types: []string{"string", "number"},
			Description: `a length, such as "15s", or a number`},
	}
})

// scenarioSchema is the schema of the scenario format, which refers to itself by its $id.
func scenarioSchema() *jsonschema.Schema {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema.JSON(), &s); err != nil {
		panic(err)
	}
	return &s
}

// schema returns the JSON Schema of an output. It refuses fields that it does not name.
func (o *output) schema() (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(o.of, &jsonschema.ForOptions{TypeSchemas: ownForms()})
	if err != nil {
		return nil, err
	}
	if len(o.kinds) > 0 {
		asDocument(s, o.kinds[0])
	}
	if o.or != nil {
		other, err := jsonschema.ForType(o.or, &jsonschema.ForOptions{TypeSchemas: ownForms()})
		if err != nil {
			return nil, err
		}
		asDocument(other, o.kinds[1])
		s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, other}}
	}
	s.Schema, s.ID = "https://json-schema.org/draft/2020-12/schema", o.id()
	s.Title, s.Description = "leaselab "+o.name, o.by
	return s, nil
}

// asDocument adds to a schema what writeDocument adds to an object.
func asDocument(s *jsonschema.Schema, kind string) {
	for name, value := range map[string]any{"apiVersion": apiVersion, "kind": kind} {
		s.Properties[name] = &jsonschema.Schema{Type: "string", Const: &value}
	}
	s.PropertyOrder = append([]string{"apiVersion", "kind"}, s.PropertyOrder...)
	s.Required = append(s.Required, "apiVersion", "kind")
}
