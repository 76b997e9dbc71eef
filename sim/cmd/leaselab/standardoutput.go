package main

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// standardOutput remembers its first error. Commands write without checking for errors, and main checks once at the
// end. If the reader of a pipe closes it early, SIGPIPE ends the process, as with any command.
//
// The most important case is a full disk: `leaselab sweep … -o csv > table.csv` must not exit 0 after half a table.
//
// With --out the answer goes to a file. Every command has this flag, because it always means the same: the file gets
// what standard output would get. A flag for a second file has the name of its content, such as --trace or --record.
//
// What it writes is clean, so that no input can act on the terminal.
type standardOutput struct {
	to      io.Writer // a file, except in tests
	cleaner cleaner
	fresh   bool // --out names the file, and it still has its old content
	err     error
}

// newStandardOutput returns a standardOutput that writes to a file.
func newStandardOutput(to io.Writer) *standardOutput {
	o := &standardOutput{to: to}
	o.cleaner.out = (*rawOutput)(o)
	return o
}

// file returns the file that gets the output, or nil in tests.
func (o *standardOutput) file() *os.File {
	file, _ := o.to.(*os.File)
	return file
}

// outFlag adds --out to all commands.
func outFlag(root *cobra.Command) {
	root.PersistentFlags().String("out", "", "")
	if err := root.MarkPersistentFlagFilename("out"); err != nil {
		panic(err) // cannot happen: the flag exists
	}
}

// redirect makes both outputs of a command clean, and opens the file of --out. The file keeps its old content until the
// first write, because an error in another flag should not cost the user an old answer.
func redirect(cmd *cobra.Command) error {
	out, is := cmd.OutOrStdout().(*standardOutput)
	if !is {
		out = newStandardOutput(cmd.OutOrStdout())
		cmd.SetOut(out)
	}
	if _, is := cmd.ErrOrStderr().(*standardError); !is {
		cmd.SetErr(&cleaner{out: cmd.ErrOrStderr()})
	}
	flag := cmd.InheritedFlags().Lookup("out")
	if flag == nil || !flag.Changed {
		return nil
	}
	file, err := os.OpenFile(flag.Value.String(), os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	out.to, out.fresh = file, true
	return nil
}

// Write implements io.Writer. After an error, Write still writes, since a later write to a terminal or a disk may
// succeed. But the first error stays.
func (o *standardOutput) Write(data []byte) (int, error) {
	n, err := o.cleaner.Write(data)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// rawOutput is a standardOutput behind its cleaner.
type rawOutput standardOutput

// Write implements io.Writer.
func (o *rawOutput) Write(data []byte) (int, error) {
	if file, is := o.to.(*os.File); is && o.fresh {
		_ = file.Truncate(0) // a device or a pipe has nothing to cut off
	}
	o.fresh = false
	return o.to.Write(data)
}

// close reports the first error, or one from closing the file: some file systems report a full disk only then.
func (o *standardOutput) close() error {
	o.err = cmp.Or(o.err, o.cleaner.finish())
	if file := o.file(); file != nil {
		return cmp.Or(o.err, file.Close())
	}
	return o.err
}
