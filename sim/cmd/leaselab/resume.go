package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/leaselab/leaselab/sim/study/runfile"
	"github.com/leaselab/leaselab/sim/words"
)

// resumeFile is the name of the file of --resume.
type resumeFile string

// resumeFlag adds --resume.
func resumeFlag(c *cobra.Command, to *string, usage string) {
	c.Flags().Var((*resumeFile)(to), "resume", usage)
}

// Set implements pflag.Value. It refuses an empty name, as from an unset shell variable, which would keep nothing.
func (f *resumeFile) Set(name string) error {
	if name == "" {
		return errors.New("the name of the file is empty")
	}
	*f = resumeFile(name)
	return nil
}

func (f *resumeFile) String() string { return string(*f) }

// Type implements pflag.Value.
func (f *resumeFile) Type() string { return "string" }

// kept says where a study keeps its runs.
type kept struct {
	file  string // of --resume; "" for nowhere
	again string // the command, which starts the study again
}

// openRuns opens the file of --resume, or returns nil without one. It calls have with each run in the file.
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

// goesOn says how to continue a cancelled study.
func (k *kept) goesOn() string {
	if k.file == "" {
		return "with --resume FILE the next one can continue where it stopped"
	}
	return "run the same command again to continue"
}

// commandLine writes a command with its arguments and the user's flags.
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
