package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/lesson"
	lessonfile "github.com/leaselab/leaselab/sim/lesson/file"
	"github.com/leaselab/leaselab/sim/lesson/shipped"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/shrink"
	"github.com/leaselab/leaselab/sim/words"
)

// writeLessons is `leaselab scenarios --lessons`: it prints the lessons of the page. The output formats "whole" and
// "player" are for the page's build, which packs the lessons into the engine.
func writeLessons(out io.Writer, output string) error {
	switch output {
	case "json":
		return writeList(out, "LessonList", shipped.Catalogue())
	case "whole":
		_, err := out.Write(shipped.JSON())
		return err
	case "player":
		_, err := out.Write(shipped.PlayerJSON())
		return err
	case "text":
		for _, e := range shipped.Catalogue() {
			fmt.Fprint(out, wrapLines(fmt.Sprintf("%3d  %-46s %s\n", e.Number, e.Title, e.Scenario), columnsOf(out)))
		}
		return nil
	}
	return checkOutput(output, "text", "json", "whole", "player")
}

// checkFileCommand is `leaselab scenarios check`: it checks a scenario's file, or a lesson file and its texts in all
// languages. It runs the lesson's scenario, because the answers to the lesson's questions must match what the engine
// measures. A lesson about a 15 s gap fails this check as soon as the gap becomes 14 s.
//
// It exits 0 and says what it measured, or exits 1 and prints every mistake with its line to standard error.
func checkFileCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "check FILE",
		Args: takes(1, 1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if data, err := readFile(args[0]); err == nil && lessonfile.KindOf(data) == scenario.Kind {
				s, err := load(args[0])
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, no problem found\n", nameOr(s.Name), shrink.SizeOf(&s))
				}
				return err
			}
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
	}
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
