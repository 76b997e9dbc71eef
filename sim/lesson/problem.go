package lesson

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
)

// Problem is one error in a file.
type Problem struct {
	File    string
	Line    int    // from 1; 0 means the whole file
	Path    string // "steps[2].look.node"
	Message string // what is wrong, and how to fix it
}

// String returns the problem on one line: file:line: path: message.
func (p Problem) String() string {
	var out strings.Builder
	out.WriteString(p.File)
	if p.Line > 0 {
		out.WriteString(":" + strconv.Itoa(p.Line))
	}
	out.WriteString(": ")
	if p.Path != "" {
		out.WriteString(p.Path + ": ")
	}
	out.WriteString(p.Message)
	return out.String()
}

// Problems lists all errors, in the order of the file.
type Problems []Problem

// Error lists the problems, one per line.
func (p Problems) Error() string {
	return strings.Join(elements.Of(p, func(one Problem) string { return one.String() }), "\n")
}

// `report` collects the problems of one file.
type report struct {
	file  string
	lines map[string]int
	found Problems
}

// add adds a problem at a path. If the file does not have the path, `add` uses the line of the nearest path above it.
// So the problem of a missing field shows the line of the group that should contain the field.
func (r *report) add(path, message string) {
	line, above := 0, path
	for {
		if at, known := r.lines[above]; known {
			line = at
			break
		}
		cut := strings.LastIndexAny(above, ".[")
		if cut < 0 {
			line = r.lines[""]
			break
		}
		above = above[:cut]
	}
	r.found = append(r.found, Problem{File: r.file, Line: line, Path: path, Message: message})
}
