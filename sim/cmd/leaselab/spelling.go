package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// renamedCommand is a command that has another name now. With last, the command's last argument becomes the value of
// that flag: `compare A B` becomes `run A --against=B`, and `compare A --seed-b 2` becomes
// `run A --against=A --against-seed 2`.
type renamedCommand struct{ old, now, last string }

// renamedCommands says how to spell a command of earlier versions. A longer old spelling comes before a shorter one.
var renamedCommands = []renamedCommand{
	{old: "check", now: "import --judge"},
	{old: "compare", now: "run", last: "--against"},
	{old: "lesson check", now: "scenarios check"},
	{old: "lesson", now: "scenarios check"},
	{old: "lessons", now: "scenarios --lessons"},
	{old: "link", now: "export link"},
	{old: "open", now: "export scenario"},
	{old: "reroll", now: "explain --point-of-no-return"},
}

// renamedFlags says how to spell a flag of earlier versions, by command and flag.
var renamedFlags = map[string]string{
	"run --seed-b":             "--against-seed",
	"explore --write":          "--schedule",
	"hunt --out":               "--failures",
	"export csv --output":      "--out",
	"export go-test --output":  "--out",
	"export markdown --output": "--out",
	"export mermaid --output":  "--out",
	"export ndjson --output":   "--out",
	"export svg --output":      "--out",
}

// respell rewrites the old spellings in a command line. The note tells the user about them; it is "" if there are none.
func respell(root *cobra.Command, line []string) (now []string, note string) {
	var was renamedCommand
	var notes []string
	for _, one := range renamedCommands {
		if old := strings.Fields(one.old); slices.Equal(old, line[:min(len(old), len(line))]) {
			was, line = one, append(strings.Fields(one.now), line[len(old):]...)
			notes = append(notes, fmt.Sprintf("`leaselab %s` is now `leaselab %s`", was.old, was.example()))
			break
		}
	}
	command, _, err := root.Find(line)
	if err != nil {
		return line, strings.Join(notes, ", ")
	}
	now, args, notes := respellFlags(command, line, notes)
	if was.last == "" || len(args) < 2 { // only the command's name
		return now, strings.Join(notes, ", ")
	}
	last := args[len(args)-1]
	value := was.last + "=" + now[last]
	switch {
	case len(args) > 2:
		now = slices.Delete(now, last, last+1)
	case !slices.ContainsFunc(now, func(word string) bool { return strings.HasPrefix(word, "--against-seed") }):
		value = was.last + "=" // the command says that the value is missing
		notes = nil
	}
	return slices.Insert(now, 1, value), strings.Join(notes, ", ")
}

// example is the new spelling, for people.
func (r renamedCommand) example() string {
	if r.last == "" {
		return r.now
	}
	return r.now + " A " + r.last + " B"
}

// respellFlags rewrites the flags of a command, and adds to the notes. It also returns where the arguments stand, the
// command's name included. Behind "--" it changes nothing, because the words there are another program's.
func respellFlags(c *cobra.Command, line, notes []string) (now []string, args []int, all []string) {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	for i := 0; i < len(line) && line[i] != "--"; i++ {
		word := line[i]
		if !strings.HasPrefix(word, "-") || word == "-" {
			args = append(args, i)
			now = append(now, word)
			continue
		}
		if file, short := strings.CutPrefix(word, "-o"); short && renamedFlags[path+" --output"] != "" {
			word = strings.TrimSuffix("--output="+strings.TrimPrefix(file, "="), "=")
		}
		name, _, hasValue := strings.Cut(word, "=")
		if to := renamedFlags[path+" "+name]; to != "" {
			notes = append(notes, fmt.Sprintf("%s is now %s", name, to))
			word = to + strings.TrimPrefix(word, name)
		}
		now = append(now, word)
		if f := flagOf(c, word); f != nil && f.NoOptDefVal == "" && !hasValue && i+1 < len(line) {
			i++
			now = append(now, line[i])
		}
	}
	return append(now, line[len(now):]...), args, notes
}

// flagOf returns the flag that a word without a value names, or nil.
func flagOf(c *cobra.Command, word string) *pflag.Flag {
	if name, long := strings.CutPrefix(word, "--"); long {
		return c.Flag(name)
	}
	return c.Flags().ShorthandLookup(word[1:2])
}

// removedCommands says what replaces a command that earlier versions had. The key is the path after "leaselab".
var removedCommands = map[string]string{
	"sweep merge":    "one machine runs a whole sweep, and --resume FILE continues it",
	"sweep manifest": "one machine runs a whole sweep, and --resume FILE continues it",
	"sweep image":    "the image ghcr.io/leaselab/leaselab contains only leaselab",
	"export session": "the page saves a session: open the scenarios there, and choose Save the session in the menu",
	"export shiviz":  "leaselab export mermaid draws the messages, and leaselab export csv lists the events",
	"export perfetto": "the page and leaselab export svg draw the timeline, and leaselab export csv lists the " +
		"events",
	"bench":   "run `make bench` in a checkout of leaselab to measure it",
	"conform": "run `go run ./sim/testsupport/recorded/conform` in a checkout of leaselab to replay recordings",
}

// removedFlags says what replaces a flag that earlier versions had, by command and flag, and perhaps value.
var removedFlags = map[string]string{
	"sweep --shard":             "one machine runs a whole sweep, and --resume FILE continues it",
	"advise --resume":           "the advice takes seconds; run the command again",
	"explain --resume":          "the answer takes seconds; run the command again",
	"import --output html":      "drop the file onto the page, which `leaselab serve` serves",
	"serve --audit-policy-file": "--audit-level sets one level for all Events",
	"run --expand": "the page's form for an act says what the act stands for, and `leaselab schema` shows what a " +
		"preset contains",
	"run --rename": "edit the names in the scenario's file; set the field stream to a node's old name to keep its " +
		"random draws",
}

// refusals returns a hidden command for each command that the given parent no longer has. Whatever its flags, the
// hidden command says what replaces the old one. So a script that still calls the old command gets exit code 1 and a
// hint, rather than "unknown command".
func refusals(parent string) []*cobra.Command {
	var all []*cobra.Command
	for name, instead := range removedCommands {
		at := strings.LastIndex(name, " ") + 1
		under, last := strings.TrimSpace(name[:at]), name[at:]
		if under != parent {
			continue
		}
		all = append(all, &cobra.Command{Use: last, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				return fmt.Errorf("%s was removed: %s", name, instead)
			}})
	}
	return all
}
