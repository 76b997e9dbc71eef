// Package file reads lessons from YAML files, for the command and for the shipped lessons. The page parses YAML itself
// and passes the document to package lesson. Read is the function to know.
//
// Guarantee: the problems include every mistake in a file, each with its line. Non-guarantee: the package does not
// run scenarios, so it cannot check the lesson's answers.
package file

import (
	"errors"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/lesson"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// Read reads the file of a lesson and checks everything that needs no run.
func Read(name string, data []byte) (*lesson.Lesson, lesson.Problems) {
	document, problems := read(name, data)
	if len(problems) > 0 {
		return new(lesson.Lesson), problems
	}
	return lesson.Decode(name, document, Library())
}

// Library contains the scenarios that come with leaselab.
func Library() lesson.Library {
	return lesson.Library{Find: shipped.ByName, Names: func() []string {
		return elements.Of(shipped.Catalogue(), func(one shipped.Entry) string { return one.Name })
	}}
}

// KindOf returns the value of kind in a file, or "".
func KindOf(data []byte) string {
	document, problems := read("", data)
	if len(problems) > 0 {
		return ""
	}
	root, err := wire.Parse(document)
	if err != nil || root.Kind != wire.ObjectKind {
		return ""
	}
	if kind := root.Member("kind"); kind != nil {
		return kind.Text
	}
	return ""
}

// read converts YAML or JSON to JSON and keeps the line numbers.
func read(name string, data []byte) ([]byte, lesson.Problems) {
	if len(data) > lesson.MaxBytes {
		_, problems := lesson.Decode(name, data, lesson.Library{})
		return nil, problems
	}
	document, disputed, err := yaml.Read(data)
	var problems lesson.Problems
	for _, d := range disputed {
		problems = append(problems, lesson.Problem{File: name, Line: d.Line, Path: d.Path, Message: d.Message})
	}
	var at *scenario.FieldError
	switch {
	case len(problems) > 0 || err == nil:
	case errors.As(err, &at):
		problems = append(problems, lesson.Problem{File: name, Line: at.Line, Path: at.Path, Message: at.Message})
	default:
		problems = append(problems, lesson.Problem{File: name, Line: 1, Message: err.Error()})
	}
	return document, problems
}
