package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/lesson"
	lessonfile "github.com/leaselab/leaselab/sim/lesson/file"
	"github.com/leaselab/leaselab/sim/lesson/shipped"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
)

// lessonsCommand is `leaselab lessons`: it prints the lessons of the page, as a list or as JSON, to standard output.
// The output formats "whole" and "player" are for the page's build, which packs the lessons into the engine.
func lessonsCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:     "lessons",
		Short:   "List the lessons that the page has",
		Example: "  leaselab lessons\n  leaselab lessons -o json | jq -r '.[].title'",
		Args:    takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			switch output {
			case "json":
				_, err := out.Write(indent(shipped.Catalogue()))
				return err
			case "whole":
				_, err := out.Write(shipped.JSON())
				return err
			case "player":
				_, err := out.Write(shipped.PlayerJSON())
				return err
			case "text":
				for _, e := range shipped.Catalogue() {
					fmt.Fprintf(out, "%3d  %-46s %s\n", e.Number, e.Title, e.Scenario)
				}
				return nil
			}
			return checkOutput(output, "text", "json", "whole", "player")
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "text",
		"text, json (number, title, scenario, steps and bets of each), whole (the lessons with their "+
			"sentences, as the page gets them) or player (the page's texts around them, by language)")
	completeWords(c, "output", "text", "json", "whole", "player")
	return c
}

// lessonCommand is `leaselab lesson check`: it checks a lesson file and its texts in all languages. It runs the
// lesson's scenario, because the answers to the lesson's questions must match what the engine measures. A lesson
// about a 15 s gap fails this check as soon as the gap becomes 14 s.
//
// It exits 0 and says what it measured, or exits 1 and prints every mistake with its line to standard error.
func lessonCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "lesson",
		Short:   "Check a lesson file",
		Example: "  leaselab lesson check sim/lesson/shipped/a-leader-dies.yaml",
		Args:    noCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check a lesson or its text, and run it: every answer must match what the engine measures",
		Example: "  leaselab lesson check sim/lesson/shipped/a-leader-dies.yaml\n  leaselab lesson check " +
			"sim/lesson/shipped/a-leader-dies.en.yaml",
		Long: "check reads NAME.yaml together with the texts NAME.LANGUAGE.yaml beside it, or one text together\n" +
			"with its lesson. A lesson that the page saved is a single file. check lists every mistake with its\n" +
			"line and how to fix it, and exits 1 if it finds any.",
		Args: takes(1, 1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			said, problems, err := checkLesson(args[0])
			if err != nil {
				return err
			}
			if len(problems) > 0 {
				return problems
			}
			fmt.Fprintln(cmd.OutOrStdout(), said)
			return nil
		},
	})
	return c
}

// checkLesson checks a lesson with its texts, or one text with its lesson. A lesson has a file without sentences, and
// one file of sentences per language: name.yaml, name.en.yaml. A lesson that a visitor made in the page is one file
// with both.
//
// Mistakes are values (problems), so that an author sees all of them at once. An error means that a file is missing
// or the engine cannot run the lesson; then a list of problems would not be complete.
func checkLesson(file string) (said string, problems lesson.Problems, err error) {
	data, err := readFile(file)
	if err != nil {
		return "", nil, err
	}
	lessonFile, texts := file, []string{file}
	if lessonfile.KindOf(data) == lesson.KindText {
		folder, name := filepath.Split(file)
		name, _, _ = strings.Cut(name, ".")
		lessonFile = folder + name + ".yaml"
		if data, err = readFile(lessonFile); err != nil {
			return "", nil, fmt.Errorf("the lesson that this text belongs to: %w", err)
		}
	} else if texts, err = filepath.Glob(strings.TrimSuffix(file, filepath.Ext(file)) + ".*.yaml"); err != nil {
		return "", nil, err
	}
	l, problems := lessonfile.Read(lessonFile, data)
	if len(problems) > 0 {
		return "", problems, nil
	}
	facts, err := l.Evaluate()
	if err != nil {
		return "", nil, err
	}
	problems = lesson.Check(lessonFile, l)
	if english := l.English(); english != nil {
		said = saidOf(l, english, facts)
	} else if len(texts) == 0 {
		problems = append(problems, lesson.Problem{File: lessonFile,
			Message: "has no sentences; write title: and says: in its steps, or add a text, such as " + l.Name +
				".en.yaml"})
	}
	for _, one := range texts {
		data, err := readFile(one)
		if err != nil {
			return "", nil, err
		}
		t, wrong := lessonfile.ReadText(one, data, l)
		if len(wrong) == 0 {
			said = saidOf(l, t, facts)
		}
		problems = append(problems, wrong...)
	}
	return said, problems, nil
}

// saidOf describes a lesson that has no problems: what the engine measured, and how many steps it has.
func saidOf(l *lesson.Lesson, t *lesson.Text, facts *lesson.Facts) string {
	place := "your lesson"
	if !l.Own() {
		place = fmt.Sprintf("lesson %d", l.Number)
	}
	return facts.String() + fmt.Sprintf("%s, %s: %s, no problem found", place, t.Title,
		words.Count(len(l.Steps), "step", "steps"))
}

// readFile reads a file up to the limit of a scenario's size, so that a wrong argument does not fill the memory.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return scenario.ReadLimited(f)
}
