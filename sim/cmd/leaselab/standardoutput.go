package main

import "os"

// standardOutput remembers its first error: commands write without looking, and main looks once at the end. A pipe that
// is closed early ends the process by its signal, as with any command.
type standardOutput struct {
	file *os.File
	err  error
}

// Write implements io.Writer.
func (o *standardOutput) Write(data []byte) (int, error) {
	n, err := o.file.Write(data)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}
