package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/leaselab/leaselab/sim/study/runfile"
	"github.com/leaselab/leaselab/sim/words"
)

// The type kept says where a study keeps its runs, and how to continue the study. All studies with --resume share these
// rules. The same command continues the study; a different command with the same file gets an error that says so. The
// answer does not depend on how often the study stopped.
type kept struct {
	file  string // the file of --resume; "" if the user gave none
	again string // the command that starts the study again
}

// openRuns opens the file of --resume. Without --resume it returns nil; a nil file saves nothing, so callers need not
// check for nil. It calls the function "have" with each run in the file. The header h says what the runs depend on. If
// the file belongs to another scenario or other flags, the error shows the command that starts this study again.
func openRuns[T any](in kept, h runfile.Header, have func(number int, result T)) (*runfile.File[T], error) {
	if in.file == "" {
		return nil, nil
	}
	h.Again = in.again
	file, err := runfile.Open(in.file, h, have)
	if err != nil {
		err = fmt.Errorf("--resume %w", err)
	}
	return file, err
}

// closeRuns closes the file of --resume. If that fails, the file may lack runs, and the command must not end well.
func closeRuns[T any](file *runfile.File[T], err *error) {
	if closing := file.Close(); closing != nil {
		*err = fmt.Errorf("--resume: %w", closing)
	}
}

// goesOn says how to continue a cancelled study. Without --resume it says how the user could have made the study
// resumable.
func (k *kept) goesOn() string {
	if k.file == "" {
		return "with --resume FILE the next one can continue where it stopped"
	}
	return "run the same command again to continue"
}

// commandLine writes a command with its arguments and the user's flags, quoted for a shell. It writes --name=value,
// because a value such as -5s must not look like a flag. It writes a flag with several values once per value. It
// leaves out flags that the user did not give, so that the line stays short.
func commandLine(c *cobra.Command, args []string) string {
	var b strings.Builder
	b.WriteString(c.CommandPath())
	for _, arg := range args {
		b.WriteString(" " + words.ShellArgument(arg))
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, is := f.Value.(pflag.SliceValue); is {
			values = list.GetSlice()
		}
		for _, value := range values {
			b.WriteString(" " + words.ShellArgument("--"+f.Name+"="+value))
		}
	})
	return b.String()
}
