package main

import (
	"cmp"
	"fmt"
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
type standardOutput struct {
	file  *os.File
	fresh bool // --out names the file, and it still has its old content
	err   error
}

// outFlag adds --out to all commands.
func outFlag(root *cobra.Command) {
	root.PersistentFlags().String("out", "", "write the answer to this `file` instead of standard output")
	if err := root.MarkPersistentFlagFilename("out"); err != nil {
		panic(err) // cannot happen: the flag exists
	}
}

// redirect opens the file of --out. The file keeps its old content until the first write, because an error in another
// flag should not cost the user an old answer.
func redirect(cmd *cobra.Command) error {
	flag := cmd.InheritedFlags().Lookup("out")
	if flag == nil || !flag.Changed {
		return nil
	}
	file, err := os.OpenFile(flag.Value.String(), os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	out, is := cmd.OutOrStdout().(*standardOutput)
	if !is {
		out = &standardOutput{}
		cmd.SetOut(out)
	}
	out.file, out.fresh = file, true
	return nil
}

// Write implements io.Writer. After an error, Write still writes, since a later write to a terminal or a disk may
// succeed. But the first error stays.
func (o *standardOutput) Write(data []byte) (int, error) {
	if o.fresh {
		o.fresh = false
		_ = o.file.Truncate(0) // a device or a pipe has nothing to cut off
	}
	n, err := o.file.Write(data)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// close reports the first error, or one from closing the file: some file systems report a full disk only then.
func (o *standardOutput) close() error {
	return cmp.Or(o.err, o.file.Close())
}
