package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// completer proposes completions of a word to the shell. The shell calls leaselab for them while the user types, so a
// completer must be quick and may print nothing.
type completer = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective)

// completionCommand is `leaselab completion`: it prints a script that makes a shell complete leaselab's command lines.
func completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:  "completion bash|zsh|fish|powershell",
		Args: takes(1, 1, "a shell"), ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return fmt.Errorf("%q is not a shell that leaselab knows; use one of %s", args[0],
				strings.Join(shells, ", "))
		},
	}
}

// completeScenarios proposes shipped scenarios and files for the first `most` arguments, because a scenario may come
// from either. For later arguments it proposes nothing.
func completeScenarios(most int) completer {
	return func(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return beginning(word, scenarioNames()), cobra.ShellCompDirectiveDefault
	}
}

// completeShipped proposes shipped scenarios but no files, for `leaselab scenarios`, which prints only shipped ones.
func completeShipped(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(word, scenarioNames()), cobra.ShellCompDirectiveNoFileComp
}

// scenarioNames are the shipped scenarios, with their titles as descriptions.
func scenarioNames() []cobra.Completion {
	return elements.Of(shipped.Catalogue(), func(e shipped.Entry) cobra.Completion {
		return cobra.CompletionWithDesc(e.Name, e.Title)
	})
}

// beginning selects the completions that begin with what the user has typed so far.
func beginning(word string, of []cobra.Completion) []cobra.Completion {
	return elements.If(of, func(one cobra.Completion) bool { return strings.HasPrefix(one, word) })
}

// completeWords proposes the given words as values of a flag.
func completeWords(c *cobra.Command, flag string, words ...cobra.Completion) {
	completeBy(c, flag, func(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return beginning(word, words), cobra.ShellCompDirectiveNoFileComp
	})
}

// completeBy registers a completer for a flag. It panics for an unknown flag, so the command's first test finds the
// mistake.
func completeBy(c *cobra.Command, flag string, by completer) {
	if err := c.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err) // cannot happen: the flag exists
	}
}

// ruleWords are completions for --rule: the rules with their titles, and the beginning of the one rule that takes a
// number.
func ruleWords() []cobra.Completion {
	all := elements.Of(rules.All(), func(r rules.Rule) cobra.Completion {
		return cobra.CompletionWithDesc(r.Name, r.Title)
	})
	return append(all, cobra.CompletionWithDesc("leaderless>", "a time without a leader, such as leaderless>20s"))
}

// completeSet proposes the paths of the settings, such as elector.retryPeriod=. It does not read the scenario, so it
// cannot propose the fields of acts and candidates.
func completeSet(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	all := elements.Of(scenario.Settings(), func(s scenario.Setting) cobra.Completion {
		return cobra.CompletionWithDesc(s.Path+"=", s.Help)
	})
	return beginning(word, all), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}
