package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// reference is the input of web/docs.mjs for the pages about commands and checkers. The pages cannot disagree with
// the command, because they come from the same flags and texts.
type reference struct {
	Commands []commandReference `json:"commands"`
	Checkers []checkerReference `json:"checkers"`
}

// commandReference is one command without subcommands, as its --help shows it.
type commandReference struct {
	Line  string          `json:"line"` // the command with its arguments
	Short string          `json:"short"`
	Long  string          `json:"long"`
	Flags []flagReference `json:"flags"`
}

// flagReference is one flag. Type is the word between backquotes in the usage, such as `file`, or else pflag's own
// word, such as "duration".
type flagReference struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default"` // "" for none
	Usage   string `json:"usage"`
}

// checkerReference is one rule, by the number that summaries print.
type checkerReference struct {
	Number   int    `json:"number"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
}

// referenceCommand is the hidden `leaselab reference`: it prints commands and checkers as one JSON object to standard
// output, for `make site`.
func referenceCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "reference",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(referenceOf(cmd.Root()))
		},
	}
}

// referenceOf visits the tree of commands in cobra's order, which is alphabetic. It leaves out the commands that only
// group others.
func referenceOf(root *cobra.Command) reference {
	var r reference
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		if !c.HasSubCommands() || c.ValidArgsFunction != nil {
			r.Commands = append(r.Commands, commandOf(c))
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(root)
	for _, rule := range rules.All() {
		r.Checkers = append(r.Checkers, checkerReference{rule.Number, rule.Name, rule.Severity.String(), rule.Title})
	}
	return r
}

// commandOf describes one command. A default of "false" or "[]" is not worth showing, so it becomes "".
func commandOf(c *cobra.Command) commandReference {
	told := commandReference{Line: c.UseLine(), Short: c.Short, Long: c.Long, Flags: []flagReference{}}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value := f.DefValue
		if value == "[]" || value == "false" {
			value = ""
		}
		kind, usage := f.Value.Type(), f.Usage
		if strings.Contains(usage, "`") {
			kind, usage = pflag.UnquoteUsage(f)
		}
		told.Flags = append(told.Flags, flagReference{f.Name, kind, value, usage})
	})
	return told
}
