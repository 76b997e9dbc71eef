package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/judge/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/schema"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// output is a JSON that a command prints. A version keeps every field with its type and its meaning: a change that takes one away
// needs the next version.
type output struct {
	name    string
	version int
	by      string // the commands that print it
	of      reflect.Type
}

var outputs = []output{
	{"summary", 1, "the outcome of a run: `leaselab run -o json`, the last line of -o ndjson, and each line of --seeds A..B -o json", reflect.TypeFor[summary.Summary]()},
	{"event", 1, "an event of a run: each line of `leaselab run -o ndjson` but the last, and of --trace", reflect.TypeFor[event]()},
	{"break", 1, "the state at a breakpoint: `leaselab run --break CONDITION -o json`", reflect.TypeFor[stop]()},
	{"explain", 1, "`leaselab explain -o json`", reflect.TypeFor[explained]()},
	{"reroll", 1, "`leaselab reroll -o json`", reflect.TypeFor[rerolled]()},
	{"compare", 1, "`leaselab compare -o json`", reflect.TypeFor[compareReport]()},
	{"sweep", 1, "a combination: each line of `leaselab sweep -o json`", reflect.TypeFor[grid.Row]()},
	{"scenarios", 1, "`leaselab scenarios -o json`", reflect.TypeFor[[]shipped.Entry]()},
	{"bench", 1, "`leaselab bench -o json`", reflect.TypeFor[benchReport]()},
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

// ownForms are the schemas of types that write their JSON themselves.
var ownForms = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[summary.Seconds]():   {Type: "number", Description: "seconds of virtual time, exact to the nanosecond"},
	reflect.TypeFor[scenario.Duration](): {Type: "string", Description: `a duration, such as "15s"`},
	reflect.TypeFor[scenario.Amount]():   {Types: []string{"string", "number"}, Description: `a length, such as "15s", or a number`},
}

// schema returns the JSON Schema of an output. strict refuses fields that it does not name; a program that reads outputs should not,
// since a version may gain fields.
func (o *output) schema(strict bool) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(o.of, &jsonschema.ForOptions{TypeSchemas: ownForms})
	if err != nil {
		return nil, err
	}
	if !strict {
		open(s)
	}
	s.Schema, s.ID = "https://json-schema.org/draft/2020-12/schema", o.id()
	s.Title, s.Description = "leaselab "+o.name, o.by
	return s, nil
}

// open lets every object have more fields.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil
	}
	open(s.AdditionalProperties)
	open(s.Items)
	for _, p := range s.Properties {
		open(p)
	}
}

func schemaCommand() *cobra.Command {
	var names []cobra.Completion
	var lines strings.Builder
	for i := range outputs {
		o := &outputs[i]
		names = append(names, cobra.CompletionWithDesc(o.name, o.by))
		fmt.Fprintf(&lines, "\n  %-10s %s", o.name, o.by)
	}
	return &cobra.Command{
		Use:   "schema [OUTPUT]",
		Short: "Print the JSON Schema of the scenario format, or of what a command prints",
		Long: "schema prints the JSON Schema of the scenario format. With the name of an output it prints that of the output; its $id has the\n" +
			"version. A version may gain fields, and loses none. Outputs:\n" + lines.String(),
		Example: "  leaselab schema > scenario.schema.json\n  leaselab schema event | jq '.properties | keys'",
		Args:    takes(0, 1, ""),
		ValidArgsFunction: func(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return beginning(word, names), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			data := schema.JSON()
			if len(args) == 1 && args[0] != "scenario" {
				var err error
				if data, err = schemaOf(args[0]); err != nil {
					return err
				}
			}
			_, err := cmd.OutOrStdout().Write(data)
			return err
		},
	}
}

func schemaOf(name string) ([]byte, error) {
	o := outputNamed(name)
	if o == nil {
		names := []string{"scenario"}
		for _, one := range outputs {
			names = append(names, one.name)
		}
		if near := scenario.Nearest(name, names); near != "" {
			return nil, fmt.Errorf("no output is named %q; did you mean %q?", name, near)
		}
		return nil, fmt.Errorf("no output is named %q; there are %s", name, strings.Join(names, ", "))
	}
	s, err := o.schema(false)
	if err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	return append(data, '\n'), err
}
