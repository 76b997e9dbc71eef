package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// completer proposes what the shell may complete a word to.
type completer = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective)

// explainCompletion gives cobra's completion command the form of the others: what it is for, then examples. cobra adds
// that command when the root is executed.
func explainCompletion(root *cobra.Command) {
	c, _, err := root.Find([]string{"completion"})
	if err != nil || c == root {
		return
	}
	c.Short, c.Long = "Print a script that lets a shell complete commands, flags, scenarios, rules and paths", ""
	c.Example = "  source <(leaselab completion bash)\n  leaselab completion fish | source"
	for name, example := range map[string]string{
		"bash": "  source <(leaselab completion bash)", "zsh": "  leaselab completion zsh > \"${fpath[1]}/_leaselab\"",
		"fish":       "  leaselab completion fish | source",
		"powershell": "  leaselab completion powershell | Out-String | Invoke-Expression",
	} {
		if shell, _, err := c.Find([]string{name}); err == nil {
			shell.Short, shell.Long, shell.Example = "Print the script for "+name, "", example
		}
	}
}

// completeScenarios proposes shipped scenarios for the first few arguments, and files.
func completeScenarios(most int) completer {
	return func(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return beginning(word, scenarioNames()), cobra.ShellCompDirectiveDefault
	}
}

func completeShipped(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(word, scenarioNames()), cobra.ShellCompDirectiveNoFileComp
}

func scenarioNames() []cobra.Completion {
	var all []cobra.Completion
	for _, e := range shipped.Catalogue() {
		all = append(all, cobra.CompletionWithDesc(e.Name, e.Title))
	}
	return all
}

func beginning(word string, of []cobra.Completion) []cobra.Completion {
	var all []cobra.Completion
	for _, one := range of {
		if strings.HasPrefix(one, word) {
			all = append(all, one)
		}
	}
	return all
}

// completeWords makes a flag complete to some words.
func completeWords(c *cobra.Command, flag string, words ...cobra.Completion) {
	completeBy(c, flag, func(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return beginning(word, words), cobra.ShellCompDirectiveNoFileComp
	})
}

func completeBy(c *cobra.Command, flag string, by completer) {
	if err := c.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err) // the flag does not exist
	}
}

// ruleWords are the rules with their titles.
func ruleWords() []cobra.Completion {
	var all []cobra.Completion
	for _, r := range rules.All() {
		all = append(all, cobra.CompletionWithDesc(r.Name, r.Title))
	}
	return append(all, cobra.CompletionWithDesc("leaderless>", "a time without a leader, such as leaderless>20s"))
}

// completeSet proposes the paths of a scenario's fields and, after =, the values that a field may have.
func completeSet(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	path, values, hasValue := strings.Cut(word, "=")
	fields := settable(args)
	const more = cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	if !hasValue {
		var all []cobra.Completion
		for _, f := range fields {
			if strings.HasPrefix(f.path, path) {
				all = append(all, cobra.CompletionWithDesc(f.path+"=", f.help))
			}
		}
		return all, more
	}
	done := path + "="
	if i := strings.LastIndex(values, ","); i >= 0 {
		done += values[:i+1]
	}
	var all []cobra.Completion
	for _, f := range fields {
		if f.path != path {
			continue
		}
		for _, value := range f.values {
			if strings.HasPrefix(done+value, word) {
				all = append(all, done+value)
			}
		}
	}
	return all, more
}

// settableField is a field that --set may change.
type settableField struct {
	path, help string
	values     []string // it may have; nil: any
}

// settable lists the settings and, when the command line names a scenario, the fields of its acts.
func settable(args []string) []settableField {
	var all []settableField
	for _, s := range scenario.Settings() {
		all = append(all, settableField{s.Path, s.Help, valuesOf(s.Key, s.Type)})
	}
	all = append(all, settableField{path: "duration", help: scenario.FieldNamed("Scenario.duration").Help})
	if len(args) == 0 || args[0] == "-" {
		return all
	}
	s, err := load(args[0])
	if err != nil {
		return all
	}
	types := map[string]reflect.Type{}
	for f := range reflect.TypeFor[scenario.Action]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		types[name] = f.Type
	}
	for i, a := range s.Actions {
		act := scenario.ActNamed(a.Act)
		for _, name := range append([]string{"at"}, act.Takes...) {
			if t := types[name]; t.Kind() != reflect.Slice && t.Kind() != reflect.Pointer ||
				t == reflect.TypeFor[*scenario.Duration]() {
				key := "Action." + name
				all = append(all, settableField{fmt.Sprintf("actions[%d].%s", i, name), a.Act + ": " +
					scenario.FieldNamed(key).Help, valuesOf(key, t)})
			}
		}
	}
	return all
}

func valuesOf(key string, t reflect.Type) []string {
	if t.Kind() == reflect.Bool {
		return []string{"false", "true"}
	}
	return scenario.Choices(key)
}
