package main

import "os"

// standardOutput remembers its first error. Commands write without checking for errors, and main checks once at the
// end. If the reader of a pipe closes it early, SIGPIPE ends the process, as with any command.
//
// The most important case is a full disk: `leaselab sweep … -o csv > table.csv` must not exit 0 after half a table.
type standardOutput struct {
	file *os.File
	err  error
}

// Write implements io.Writer. After an error, Write still writes, since a later write to a terminal or a disk may
// succeed. But the first error stays.
func (o *standardOutput) Write(data []byte) (int, error) {
	n, err := o.file.Write(data)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}
