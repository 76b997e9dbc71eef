package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/lesson"
	lessonfile "github.com/leaselab/leaselab/sim/lesson/file"
	"github.com/leaselab/leaselab/sim/lesson/shipped"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/shrink"
	"github.com/leaselab/leaselab/sim/words"
)

// writeLessons is `leaselab scenarios --lessons`: it prints the lessons of the page. The output format "whole" is
// for the page's build.
func writeLessons(out io.Writer, output string) error {
	switch output {
	case "json":
		return writeList(out, "LessonList", shipped.Catalogue())
	case "whole":
		_, err := out.Write(shipped.JSON())
		return err
	case "text":
		for _, e := range shipped.Catalogue() {
			fmt.Fprint(out, wrapLines(fmt.Sprintf("%3d  %-46s %s\n", e.Number, e.Title, e.Scenario), columnsOf(out)))
		}
		return nil
	}
	return checkOutput(output, "text", "json", "whole")
}

// checkFileCommand is `leaselab scenarios check`: it checks the file of a scenario or a lesson. It runs the lesson's
// scenario, because the answers to the lesson's questions must match what the engine measures. A lesson about a 15 s
// gap fails this check as soon as the gap becomes 14 s.
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

// checkLesson checks a lesson.
//
// Mistakes are values (problems), so that an author sees all of them at once. An error means that a file is missing
// or the engine cannot run the lesson; then a list of problems would not be complete.
func checkLesson(file string) (said string, problems lesson.Problems, err error) {
	data, err := readFile(file)
	if err != nil {
		return "", nil, err
	}
	l, problems := lessonfile.Read(file, data)
	if len(problems) > 0 {
		return "", problems, nil
	}
	facts, err := l.Evaluate()
	if err != nil {
		return "", nil, err
	}
	return saidOf(l, facts), lesson.Check(file, l), nil
}

// saidOf describes a lesson that has no problems: what the engine measured, and how many steps it has.
func saidOf(l *lesson.Lesson, facts *lesson.Facts) string {
	place := "your lesson"
	if !l.Own() {
		place = fmt.Sprintf("lesson %d", l.Number)
	}
	return facts.String() + fmt.Sprintf("%s, %s: %s, no problem found", place, l.Title,
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
