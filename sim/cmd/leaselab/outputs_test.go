package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/schema"
)

func resolveSchema(t *testing.T, name string) *jsonschema.Resolved {
	s := scenarioSchema()
	if o := outputNamed(name); o != nil {
		var err error
		s, err = o.schema()
		require.NoError(t, err)
	}
	r, err := s.Resolve(nil)
	require.NoError(t, err)
	return r
}

// printedBy is a line of the command that prints JSON, and the output that it is.
type printedBy struct {
	output string
	args   []string
}

var printed = []printedBy{
	{"summary", []string{"run", "crash", "-o", "json"}},
	{"summary", []string{"run", "b04-released-too-early", "-o", "json"}},
	{"summary", []string{"run", "crash", "--seeds", "1..3", "-o", "json"}},
	{"summary", []string{"test", "testdata/brief.yaml", "-q", "-o", "json", "--", "true"}},
	{"suite", []string{"test", "--suite", "operator", "-q", "--parallel", "12", "-o", "json", "--", "true"}},
	{"score", []string{"score", "-q", "--parallel", "20", "-o", "json", "--", "true"}},
	{"event", []string{"run", "a-leader-at-work", "-o", "ndjson"}},
	{"event", []string{"run", "oldest-version-leads", "-o", "ndjson"}},
	{"trace", []string{"export", "ndjson", "first-election"}},
	{"trace", []string{"export", "ndjson", incidents + "release-1/audit.jsonl.gz", "--lease", "ns-a/demo"}},
	{"explain", []string{"explain", "paused-leader", "--counterfactuals", "-o", "json"}},
	{"explain", []string{"explain", "first-election", "-o", "json"}},
	{"reroll", []string{"explain", "clock-rate", "--point-of-no-return", "--rule", "moreThanOneActive", "--runs", "4", "--points", "3", "-o",
		"json"}},
	{"reroll", []string{"explain", "crash", "--point-of-no-return", "--rule", "moreThanOneActive", "--runs", "2", "--points", "2", "-o",
		"json"}},
	{"compare", []string{"run", "graceful-stop", "--against", "graceful-stop-release", "-o", "json"}},
	{"compare", []string{"run", "crash", "--against-seed", "17", "-o", "json"}},
	{"sweep", []string{"sweep", "crash", "--set", "elector.retryPeriod=1s,2s", "--seeds", "1..3", "-o", "json"}},
	{"sweep", []string{"sweep", "crash", "--set", "elector.renewDeadline=10s,16s", "-o", "json"}},
	{"sweep", []string{"sweep", "merge", keptRuns, "-o", "json"}},
	{"explore", []string{"explore", "crash", "--window", "60s..66s", "--rule", "leaderless>1s", "-o", "json"}},
	{"explore", []string{"explore", "crash", "--window", "60s..66s", "--depth", "2", "-o", "json"}},
	{"hunt", []string{"hunt", "first-election", "--runs", "40", "-o", "json"}},
	{"hunt", []string{"hunt", "first-election", "--runs", "10", "--faults", "jump", "-o", "json"}},
	{"scenario", []string{"shrink", "paused-leader", "-o", "json"}},
	{"advise", []string{"advise", "takeover=30s", "writes=20", "-o", "json"}},
	{"advise", []string{"advise", "survive=60s", "takeover=30s", "-o", "json"}},
	{"checkup", []string{"checkup", "../../evidence/checkup/testdata/once.json", "../../evidence/checkup/testdata/watch.json.gz",
		"../../evidence/checkup/testdata/again.json", "--stall", "35s", "-o", "json"}},
	{"numbers", []string{"numbers", "15s/10s/2s", "40s/-/10s", "-o", "json"}},
	{"why", []string{"why", "../../evidence/symptoms/testdata/02.txt", "-o", "json"}},
	{"import", []string{"import", "../../evidence/testdata/pause-1/audit.jsonl.gz",
		"../../evidence/testdata/pause-1/node-a.klog", "-o", "json"}},
	{"import", []string{"import", "../../evidence/testdata/record.ndjson.gz", "-o", "json"}},
	{"import", []string{"import", "../../evidence/testdata/crash-1/watch.jsonl.gz", "-o", "json"}},
	{"check", []string{"import", "--judge", "../../evidence/testdata/pause-1/node-a.klog",
		"../../evidence/testdata/pause-1/node-b.klog", "-o", "json"}},
	{"scenarios", []string{"scenarios", "-o", "json"}},
	{"scenarios-whole", []string{"scenarios", "-o", "whole"}},
	{"lessons", []string{"scenarios", "--lessons", "-o", "json"}},
	{"lessons-whole", []string{"scenarios", "--lessons", "-o", "whole"}},
	{"scenario", []string{"export", "scenario", "#crash&seed=7", "-o", "json"}},
}

// keptRuns stands for a file of runs.
const keptRuns = "FILE"

// perLine are the outputs with an object on each line.
var perLine = []string{"explore", "trace", "summary", "event", "break", "explain", "reroll", "compare", "sweep",
	"numbers"}

// digits are what lines of one shape differ in: of such lines the test looks at the first.
var digits = regexp.MustCompile("[0-9]+")

// Every JSON that a command prints is as its schema says, with no field besides.
func TestOutputsAreAsTheirSchemasSay(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range printed {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			if testing.Short() && c.output != "summary" && c.output != "break" && c.output != "suite" && c.output != "score" {
				t.Skip("run without -short: many runs")
			}
			if c.args[0] == "test" && runtime.GOOS == "js" {
				t.Skip("no program can be started here")
			}
			var out bytes.Buffer
			run := command()
			if at := slices.Index(c.args, keptRuns); at >= 0 {
				file := filepath.Join(t.TempDir(), "kept.runs")
				_, err := leaselab("sweep", "crash", "--set", "elector.retryPeriod=1s,2s", "--resume", file)
				require.NoError(t, err)
				c.args = slices.Replace(slices.Clone(c.args), at, at+1, file)
			}
			run.SetArgs(c.args)
			run.SetOut(&out)
			run.SetErr(io.Discard)
			var exit exitError
			if err := run.Execute(); !errors.As(err, &exit) {
				require.NoError(t, err)
			}
			seen[c.output] = true
			texts := []string{out.String()}
			if slices.Contains(perLine, c.output) {
				texts = strings.Split(strings.TrimSpace(out.String()), "\n")
			}
			if c.output == "event" {
				last := len(texts) - 1
				assert.NoError(t, valid(t, "summary", texts[last]))
				texts = texts[:last]
			}
			alike := map[string]bool{}
			for i, text := range texts {
				shape := digits.ReplaceAllString(text, "0")
				if alike[shape] {
					continue
				}
				alike[shape] = true
				if c.output == "trace" && i > 0 {
					require.NoError(t, valid(t, "event", text), text)
					continue
				}
				require.NoError(t, valid(t, c.output, text), text)
			}
		})
	}
	for _, o := range outputs {
		assert.True(t, testing.Short() || seen[o.name], "no command prints %s here", o.name)
	}
}

// Each format of each command but text has a line above.
func TestEveryJSONHasASchema(t *testing.T) {
	formats := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		words := []string{}
		if complete, has := c.GetFlagCompletionFunc("output"); has {
			words, _ = complete(c, nil, "")
		} else {
			assert.Nil(t, c.Flags().Lookup("output"), "%s: --output completes no formats", c.CommandPath())
		}
		for _, word := range words {
			if slices.Contains([]string{"text", "yaml", "csv", "scenario", "html", "markdown", "junit", "svg",
				"badge"}, word) {
				continue // import writes a scenario as YAML
			}
			formats++
			path := strings.Fields(c.CommandPath())[1:]
			assert.True(t, slices.ContainsFunc(printed, func(one printedBy) bool {
				return slices.Equal(path, one.args[:min(len(path), len(one.args))]) && slices.Contains(one.args, word)
			}), "%s prints %q, and no schema is tried with it", c.CommandPath(), word)
		}
	}
	visit(command())
	assert.Greater(t, formats, 10)
}

func valid(t *testing.T, output, text string) error {
	var value any
	require.NoError(t, json.Unmarshal([]byte(text), &value))
	return resolveSchema(t, output).Validate(value)
}

// The schemas refuse what no command prints.
func TestSchemasRefuse(t *testing.T) {
	assert.Error(t,
		valid(t, "event",
			`{"t":"1s","n":0,"kind":"act","events":["crashed"],"text":"crashes.","holder":"","transitions":0}`),
		"the type of t")
	assert.Error(t, valid(t, "event", `{"t":1,"n":0,"kind":"act","text":"crashes.","holder":"","transitions":0}`),
		"no events")
	assert.Error(t,
		valid(t, "event",
			`{"t":1,"n":0,"kind":"act","events":["crashed"],"text":"crashes.","holder":"","transitions":0,"more":1}`),
		"a field besides")
}

// The schema of the format that users write is printed; another name says what to do instead.
func TestPrintedSchemas(t *testing.T) {
	for _, line := range []string{"schema", "schema scenario"} {
		text, err := leaselab(strings.Fields(line)...)
		require.NoError(t, err)
		assert.Contains(t, text, `"title": "leaselab scenario`)
	}
	for _, name := range []string{"event", "lesson"} {
		_, err := leaselab("schema", name)
		assert.ErrorContains(t, err, "`leaselab scenarios check FILE` checks a lesson, and -o json | jq shows the fields")
	}
}

// A version of an output keeps its fields and their types: a field that goes needs the next version.
func TestVersionsKeepTheirFields(t *testing.T) {
	const file = "testdata/outputs.txt"
	var have []string
	for _, o := range outputs {
		s, err := o.schema()
		require.NoError(t, err)
		fields := fieldsOf(fmt.Sprintf("%s-v%d", o.name, o.version), s)
		have = append(have, fields...)
		// The header of a trace speaks for its events, and the page's build packs the others.
		if !slices.Contains([]string{"event", "scenarios-whole", "lessons-whole"}, o.name) {
			assert.True(t, strings.HasSuffix(fields[0], ".apiVersion: string"), "%s has no apiVersion", o.name)
			assert.True(t, strings.HasSuffix(fields[1], ".kind: string"), "%s has no kind", o.name)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(have, "\n")+"\n"), 0o644))
	}
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, field := range strings.Fields(strings.ReplaceAll(string(kept), ": ", ":")) {
		of, _, _ := strings.Cut(field, ".")
		if slices.ContainsFunc(have, func(one string) bool { return strings.HasPrefix(one, of+".") }) {
			// else the version has changed
			assert.Contains(t, have, strings.ReplaceAll(field, ":", ": "))
		}
	}
	assert.Greater(t, len(have), 50)
}

// fieldsOf lists the fields below a schema as "event-v1.t: number".
func fieldsOf(path string, s *jsonschema.Schema) []string {
	var all []string
	for _, name := range s.PropertyOrder {
		p := s.Properties[name]
		kind := strings.Join(append(slices.Clone(p.Types), p.Type), "|")
		all = append(all, path+"."+name+": "+strings.TrimSuffix(kind, "|"))
		all = append(all, fieldsOf(path+"."+name, p)...)
	}
	for _, one := range s.AnyOf {
		all = append(all, fieldsOf(path, one)...)
	}
	if s.Items != nil && s.Items.ID != schema.ID {
		all = append(all, fieldsOf(path+"[]", s.Items)...)
	}
	return all
}
