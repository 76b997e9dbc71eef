package main

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/leaselab/leaselab/sim/scenario"
)

// helpTexts holds what the help of some commands says below the examples, as COMMAND.md.
//
//go:embed help/*.md
var helpTexts embed.FS

// examples.txt has the examples of a command below its name. A blank line ends them.
//
//go:embed examples.txt
var exampleLines string

// usage.txt has what a command does below its name, and then what each of its flags does. The first section is for
// flags that several commands share.
//
//go:embed usage.txt
var usageLines string

const shared = "every command"

// section returns the lines below a heading of a text.
func section(text, heading string) string {
	_, rest, _ := strings.Cut("\n\n"+text, "\n\n"+heading+"\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	return strings.TrimSuffix(rest, "\n")
}

// addHelp gives a command, its flags and its subcommands their texts. In a help text, KINDS stands for a list that the
// command itself has made.
func addHelp(c *cobra.Command) {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	c.Example = section(exampleLines, c.CommandPath())
	short, own, _ := strings.Cut(section(usageLines, c.CommandPath()), "\n")
	c.Short = short
	for line := range strings.Lines(own + "\n" + section(usageLines, shared)) {
		name, usage, _ := strings.Cut(strings.TrimSpace(line), " ")
		if f := c.LocalFlags().Lookup(name); f != nil && f.Usage == "" {
			f.Usage = strings.TrimSpace(usage)
		}
	}
	if text, err := helpTexts.ReadFile("help/" + strings.ReplaceAll(path, " ", "-") + ".md"); err == nil {
		c.Long = strings.Replace(strings.TrimSpace(string(text)), "KINDS", c.Long, 1)
	}
	for _, sub := range c.Commands() {
		addHelp(sub)
	}
}

// printHelp prints what a command does, then examples, then the rest. Examples come before the long text, since most
// readers want a line to copy. It does not use cobra's templates: text/template keeps the linker from dropping unused
// methods, and the command would be 4 MB larger.
func printHelp(cmd *cobra.Command, _ []string) {
	out := cmd.OutOrStdout()
	wide := columnsOf(out)
	fmt.Fprint(out, wrapLines(cmd.Short+".\n\n", wide))
	if cmd.HasExample() {
		fmt.Fprintf(out, "%s\n", wrapExamples(cmd.Example, wide))
	}
	if cmd.Long != "" {
		fmt.Fprint(out, wrapLines(paragraphs(strings.TrimSpace(cmd.Long))+"\n\n", wide))
	}
	_ = printUsage(cmd) // main checks whether the output is complete
}

// printUsage prints the usage line, the subcommands and the flags. It leaves hidden commands out.
func printUsage(cmd *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(&b, "\nCommands:")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-*s  %s\n", c.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.AddFlagSet(cmd.LocalFlags())
	flags.AddFlagSet(cmd.InheritedFlags())
	fmt.Fprintf(&b, "\nFlags:\n%s", flags.FlagUsages())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n`%s COMMAND --help` shows a command's examples and flags.\n", cmd.CommandPath())
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), wrapLines(b.String(), columnsOf(cmd.OutOrStdout())))
	return err
}

// The function takes checks the number of arguments and names the missing one. Cobra's own checks only count: "accepts
// 1 arg(s), received 0".
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing: %s", what, cmd.UseLine())
		case len(args) > most:
			return fmt.Errorf("unexpected argument %q: %s", args[most], cmd.UseLine())
		}
		return nil
	}
}

// aScenario checks the arguments of a command that takes one scenario.
var aScenario = takes(1, 1, "a scenario (a shipped one's name, a file, or - for standard input)")

// noCommand refuses the name of an unknown command and suggests a similar one. Without an argument it returns no
// error, and the command prints its help.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := scenario.Nearest(args[0], names); near != "" {
		return fmt.Errorf("%s has no command %q; did you mean %q?", cmd.CommandPath(), args[0], near)
	}
	return fmt.Errorf("%s has no command %q; use one of %s", cmd.CommandPath(), args[0], strings.Join(names, ", "))
}

// helpCommand is the hidden `leaselab help COMMAND`. It also knows the old spelling of a command.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			of, rest, err := cmd.Root().Find(args)
			if err == nil && !of.HasParent() {
				err = noCommand(of, rest)
			}
			if err == nil {
				err = of.Help()
			}
			return err
		},
	}
}

// sayFlag rewords an error of the flag library. The new error says what is wrong, quotes what the user typed, and says
// what to write instead. For a flag that earlier versions had, it names the replacement (spelling.go); for an unknown
// flag, it names a similar one.
func sayFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("unknown flag -%s; `%s --help` lists the flags", name, cmd.CommandPath())
		}
		if instead := removedFlags[path+" --"+name]; instead != "" {
			return fmt.Errorf("--%s was removed: %s", name, instead)
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := scenario.Nearest(name, names); near != "" {
			return fmt.Errorf("unknown flag --%s; did you mean --%s?", name, near)
		}
		return fmt.Errorf("unknown flag --%s; `%s --help` lists the flags", name, cmd.CommandPath())
	case errors.As(err, &invalid):
		name, value := invalid.GetFlag().Name, invalid.GetValue()
		if instead := removedFlags[path+" --"+name+" "+value]; instead != "" {
			return fmt.Errorf("--%s %s was removed: %s", name, value, instead)
		}
		return sayValue(invalid)
	}
	return err
}

// flagBesides returns a flag that the user gave, and that is neither in the list nor --out. It returns "" for none.
func flagBesides(c *cobra.Command, known ...string) (name string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "out" && !slices.Contains(known, f.Name) {
			name = f.Name
		}
	})
	return name
}

// takesOnly refuses flags that do not work together with the flag "mode".
func takesOnly(c *cobra.Command, mode string, with ...string) error {
	if flag := flagBesides(c, append(with, mode)...); flag != "" {
		return fmt.Errorf("--%s does not work together with --%s; omit one of them", flag, mode)
	}
	return nil
}

// needs refuses flags that have no effect without the flag "mode".
func needs(c *cobra.Command, mode string, flags ...string) error {
	for _, flag := range flags {
		if c.Flags().Changed(flag) {
			return fmt.Errorf("--%s needs --%s", flag, mode)
		}
	}
	return nil
}

// noEmptyFlag refuses a flag with an empty value, which probably comes from an unset variable. Using the flag's
// default instead may be very wrong. For example, `--shard "$SHARD"` without SHARD would run the whole sweep in every
// pod, and with an empty --token the server would be open to everybody. Only an empty --site has a meaning: no page.
func noEmptyFlag(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, is := f.Value.(pflag.SliceValue); is {
			empty = !slices.ContainsFunc(list.GetSlice(), func(one string) bool { return one != "" })
		}
		if err == nil && empty && f.Name != "site" {
			err = fmt.Errorf("--%s is empty: give it a value, or leave it out", f.Name)
			if f.Name == "against" {
				err = errors.New("the second scenario is missing: leaselab run A --against B, or --against-seed SEED")
			}
		}
	})
	return err
}

// sayValue says which values a flag takes, for a value that the flag library cannot parse. The common mistake is a
// duration without a unit, so "--until 30" gets "write 30s if you mean seconds". For a flag type of this package, the
// error of its Set method says what the flag takes.
func sayValue(invalid *pflag.InvalidValueError) error {
	f, value := invalid.GetFlag(), invalid.GetValue()
	if words, is := f.Value.(oneOf); is {
		return checkWord(f.Name, value, words.words...)
	}
	rule := invalid.Unwrap().Error()
	switch f.Value.Type() {
	case "duration":
		rule = "must be a duration, such as 15s, 1m30s or 500ms"
		if strings.Trim(value, "0123456789.") == "" && value != "" {
			rule = "must have a unit; write " + value + "s if you mean seconds"
		}
	case "int", "int64":
		rule = "must be a whole number"
	case "uint64":
		rule = "must be a whole number from 0 to 18,446,744,073,709,551,615"
	case "float64":
		rule = "must be a number"
	case "bool":
		rule = "must be true or false"
	}
	return fmt.Errorf("--%s %q: %s", f.Name, value, rule)
}

// checkWord returns an error unless a flag's value is one of some words. The error lists the words, and suggests one
// for a typo.
func checkWord(flag, value string, words ...string) error {
	if err := (oneOf{words: words}).check(value); err != nil {
		return fmt.Errorf("--%s %q %w", flag, value, err)
	}
	return nil
}

// oneOf is the value of a flag that takes one of some words.
type oneOf struct {
	to    *string
	words []string
}

// String implements pflag.Value.
func (o oneOf) String() string { return *o.to }

// Type implements pflag.Value.
func (o oneOf) Type() string { return "string" }

// Set implements pflag.Value.
func (o oneOf) Set(value string) error {
	*o.to = value
	return o.check(value)
}

func (o oneOf) check(value string) error {
	if slices.Contains(o.words, value) {
		return nil
	}
	last := len(o.words) - 1
	rule := "must be " + o.words[0]
	if last > 0 {
		rule = "must be " + strings.Join(o.words[:last], ", ") + " or " + o.words[last]
	}
	if near := scenario.Nearest(value, o.words); near != "" && value != "" {
		rule += fmt.Sprintf("; did you mean %q?", near)
	}
	return errors.New(rule)
}

// wordFlag adds a flag, such as "color" or "output,o", that takes one of some words. The first word is the default.
func wordFlag(c *cobra.Command, to *string, name string, words ...string) {
	*to = words[0]
	name, short, _ := strings.Cut(name, ",")
	c.Flags().VarP(oneOf{to, words}, name, short, "")
	completeWords(c, name, words...)
}

// formatFlag adds --output, which takes one of some formats.
func formatFlag(c *cobra.Command, to *string, formats ...string) {
	wordFlag(c, to, "output,o", formats...)
}
