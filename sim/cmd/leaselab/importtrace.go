package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/history"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// equalRuns reads the runs of the trace files among some files, and reports each. A trace that does not agree with its run is an error
// if strict, else a problem of the report: the records are evidence all the same.
func equalRuns(report *evidence.Report, names []string, strict bool) ([]scenario.Scenario, error) {
	var all []scenario.Scenario
	for _, name := range names {
		one, is, err := equalRun(name)
		switch {
		case !is:
		case err != nil && strict:
			return nil, fmt.Errorf("%s: %w", name, err)
		case err != nil:
			report.Problems = append(report.Problems, evidence.Problem{File: name, Line: lineOf(err), Says: "the trace does not read back to an equal run: " + err.Error()})
			report.ProblemCount++
		default:
			all = append(all, one.Scenario)
			k := slices.IndexFunc(report.Files, func(f evidence.FileReport) bool { return f.Name == name })
			report.Files[k].Run = &evidence.EqualRun{
				Scenario: one.Scenario.Name, Seed: one.Scenario.Seed, Engine: world.Engine, Hash: one.Hash.String(), Records: one.Records,
			}
		}
	}
	return all, nil
}

// equalRun reads a trace of a run. is: the file is one.
func equalRun(name string) (one history.Traced, is bool, err error) {
	file, err := os.Open(name)
	if err != nil {
		return one, false, nil // the standard input, which is read already
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	begin, _ := in.Peek(64 << 10)
	if !history.IsTrace(begin) || !ofRun(begin) {
		return one, false, nil
	}
	one, err = history.Read(in)
	return one, true, err
}

// ofRun says whether a header names an engine: that of evidence does not.
func ofRun(begin []byte) bool {
	var head struct{ Engine *int }
	err := json.NewDecoder(bytes.NewReader(begin)).Decode(&head)
	return head.Engine != nil || err != nil
}

// lineOf is the line that an error of history.Read names.
func lineOf(err error) (line int) {
	if _, scanned := fmt.Sscanf(err.Error(), "line %d", &line); scanned != nil {
		return 1
	}
	return line
}
