package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/lesson"
	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/schema"
	"github.com/leaselab/leaselab/sim/study/advise"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// output is a JSON that a command prints. A version keeps every field with its type and its meaning: a change that
// takes one away needs the next version.
type output struct {
	name    string
	version int
	by      string // the commands that print it
	of      reflect.Type
	or      reflect.Type // another form that a line may have; nil: none
}

var outputs = []output{
	{name: "summary", version: 1,
		by: "the outcome of a run: `leaselab run -o json`, the last line of -o ndjson, and each line of --seeds A..B " +
			"-o json", of: reflect.TypeFor[summary.Summary]()},
	{name: "event", version: 1,
		by: "an event of a run: each line of `leaselab run -o ndjson` but the last, and of --trace",
		of: reflect.TypeFor[history.Event]()},
	{name: "trace", version: 1, by: "the first line of `leaselab export ndjson`; each line after it is an event",
		of: reflect.TypeFor[history.Header]()},
	{name: "break", version: 1, by: "the state at a breakpoint: `leaselab run --break CONDITION -o json`",
		of: reflect.TypeFor[stop]()},
	{name: "explain", version: 1, by: "`leaselab explain -o json`", of: reflect.TypeFor[explained]()},
	{name: "reroll", version: 1, by: "`leaselab reroll -o json`", of: reflect.TypeFor[rerolled]()},
	{name: "compare", version: 1, by: "`leaselab compare -o json`", of: reflect.TypeFor[compareReport]()},
	{name: "sweep", version: 1, by: "a combination: each line of `leaselab sweep -o json` and `leaselab merge -o json`",
		of: reflect.TypeFor[grid.Row](), or: reflect.TypeFor[grid.RefusedRow]()},
	{name: "explore", version: 1, by: "`leaselab explore -o json`", of: reflect.TypeFor[exploredReport]()},
	{name: "hunt", version: 1, by: "`leaselab hunt -o json`", of: reflect.TypeFor[hunted]()},
	{name: "advise", version: 1, by: "`leaselab advise -o json`", of: reflect.TypeFor[advise.Advice]()},
	{name: "import", version: 1, by: "`leaselab import -o json`", of: reflect.TypeFor[evidence.Report]()},
	{name: "check", version: 1, by: "`leaselab check -o json`", of: reflect.TypeFor[evidence.Verdict]()},
	{name: "scenarios", version: 1, by: "`leaselab scenarios -o json`", of: reflect.TypeFor[[]listedScenario]()},
	{name: "score", version: 1, by: "`leaselab score -o json`", of: reflect.TypeFor[scoreReport]()},
	{name: "suite", version: 1, by: "`leaselab test --suite NAME -o json`", of: reflect.TypeFor[suiteReport]()},
	{name: "scenarios-whole", version: 1, by: "`leaselab scenarios -o whole`",
		of: reflect.TypeFor[[]scenario.Scenario]()},
	{name: "lessons", version: 1, by: "`leaselab lessons -o json`", of: reflect.TypeFor[[]lesson.Entry]()},
	{name: "lessons-whole", version: 1, by: "`leaselab lessons -o whole`", of: reflect.TypeFor[[]lesson.Whole]()},
	{name: "lessons-player", version: 1,
		by: "what the page says around lessons, by language: `leaselab lessons -o player`",
		of: reflect.TypeFor[map[string]map[string]string]()},
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
	if o.or != nil {
		other, err := jsonschema.ForType(o.or, &jsonschema.ForOptions{TypeSchemas: ownForms()})
		if err != nil {
			return nil, err
		}
		s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, other}}
	}
	s.Schema, s.ID = "https://json-schema.org/draft/2020-12/schema", o.id()
	s.Title, s.Description = "leaselab "+o.name, o.by
	return s, nil
}
