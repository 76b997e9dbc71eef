package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/study/runfile"
	"github.com/leaselab/leaselab/sim/words"
)

// mergeCommand is `leaselab sweep merge`: it joins the files of a sweep's shards and prints, byte for byte, what the
// whole sweep would have printed. It needs only the files, because each has the scenario and the plan in its header.
//
// It exits 0 if every run of the sweep is in some file. If runs are missing, it exits 1 and says which shards to run
// again. With --partial it prints the existing rows and still exits 1, so that a script does not mistake these rows for
// the whole sweep.
func mergeCommand() *cobra.Command {
	var output, color string
	var partial bool
	c := &cobra.Command{
		Use:  "merge FILE …",
		Args: takes(1, 1_000_000, "a file of runs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := readShards(args)
			if err != nil {
				return err
			}
			missing := m.missing()
			if missing != nil && !partial {
				return missing
			}
			if err := m.write(cmd.OutOrStdout(), output, color); err != nil {
				return err
			}
			return missing
		},
	}
	formatFlag(c, &output, "text", "json", "csv")
	c.Flags().BoolVar(&partial, "partial", false, "")
	colorFlag(c, &color)
	return c
}

// merged holds the runs of several files, in one slice: a study of ten million runs must fit into memory. The zero
// grid.Run is a possible result, so a separate field named "has" says which runs exist.
type merged struct {
	header *runfile.Header
	swept  *swept
	runs   []grid.Run          // by number
	has    []bool              // by number
	shards map[string][]string // each shard's files
	files  []string
}

// readShards reads the files of one study, in any order. The numbers of the runs determine the order of the results.
func readShards(names []string) (*merged, error) {
	m := &merged{shards: map[string][]string{}, files: names}
	for _, name := range names {
		if err := m.read(name); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// read reads one file. If two files contain the same run, the run counts once. A run is a pure function of its number,
// so if the two results differ, different builds of leaselab made the files, and the method returns an error.
func (m *merged) read(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	differs := -1
	err = runfile.Read(f, name, func(h *runfile.Header) error { return m.begin(name, h) },
		func(number int, one grid.Run) {
			if m.has[number] && differs < 0 && !reflect.DeepEqual(m.runs[number], one) {
				differs = number
			}
			m.runs[number], m.has[number] = one, true
		})
	if err == nil && differs >= 0 {
		err = fmt.Errorf(
			"%s: run %d differs from the same run elsewhere in the files: different builds of leaselab "+
				"made them", name, differs)
	}
	return err
}

// begin checks the header of a file. The header of the first file says which runs the study has; every other header
// must agree with it in scenario, values, seeds and engine.
func (m *merged) begin(name string, h *runfile.Header) error {
	if m.header == nil {
		if err := m.open(h); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	} else if err := m.header.SameStudy(h); err != nil {
		return fmt.Errorf("%s and %s contain runs of different studies: %w", m.files[0], name, err)
	}
	m.shards[h.Shard] = append(m.shards[h.Shard], name)
	return nil
}

// open makes the plan that a header describes. It checks the number of runs before it allocates memory for them,
// because a damaged header could ask for any amount.
func (m *merged) open(h *runfile.Header) error {
	if h.Study != "sweep" {
		return fmt.Errorf("the file keeps the runs of a %s; merge joins only the runs of a sweep", h.Study)
	}
	m.header, m.swept = h, &swept{}
	if err := json.Unmarshal(h.Plan, m.swept); err != nil {
		return fmt.Errorf("the header's plan: %w", err)
	}
	m.swept.Argument = h.Argument
	s, err := scenario.Decode(m.swept.Scenario)
	if err == nil {
		err = m.swept.open(s)
	}
	if err != nil {
		return fmt.Errorf("the header's plan: %w", err)
	}
	if h.Runs < 1 || h.Runs > maxShardedRuns {
		return fmt.Errorf("the header's plan has %d runs; it must have 1 to %d", h.Runs, maxShardedRuns)
	}
	if has := m.swept.plan.Runs(); has != h.Runs {
		return fmt.Errorf("the header says %d runs, but its plan has %d", h.Runs, has)
	}
	m.runs, m.has = make([]grid.Run, h.Runs), make([]bool, h.Runs)
	return nil
}

// countLost counts the runs of a shard that are in no file. It also returns the number of the first lost run. The zero
// Shard stands for the whole study.
func (m *merged) countLost(shard study.Shard) (count, first int) {
	for i := range shard.Runs(len(m.has)) {
		if number := shard.Number(i); !m.has[number] {
			if count++; count == 1 {
				first = number
			}
		}
	}
	return count, first
}

// mostNamed is how many lost shards an error names one by one. A Job has up to 100,000 shards.
const mostNamed = 100

// missing says which shards or runs are missing, or returns nil. It distinguishes a shard without a file from a
// shard whose file lacks runs. In the first case the pod never ran, or nobody copied its file; in the second, the
// pod died before it was done.
func (m *merged) missing() error {
	const again = "; make them again with `leaselab sweep … --shard I/N --resume FILE`"
	all, first := m.countLost(study.Shard{})
	if all == 0 {
		return nil
	}
	of := 0
	for text := range m.shards {
		shard, err := study.ParseShard(text)
		if err != nil || (of > 0 && shard.Of != of) {
			return fmt.Errorf(
				"%d of %s are missing, the first is run %d, and the files disagree on the number of shards%s", all,
				runs(m.header.Runs), first, again)
		}
		of = shard.Of
	}
	var said []string
	for i := range of {
		shard := study.Shard{Index: i, Of: of}
		lost, _ := m.countLost(shard)
		files := m.shards[shard.String()]
		switch {
		case lost == 0:
		case len(files) == 0:
			said = append(said, fmt.Sprintf("shard %s is lost: no file has its %s", shard, runs(lost)))
		default:
			said = append(said, fmt.Sprintf("shard %s in %s lacks %d of %s", shard, strings.Join(files, ", "), lost,
				runs(shard.Runs(m.header.Runs))))
		}
	}
	if more := len(said) - mostNamed; more > 0 {
		said = append(said[:mostNamed], "and "+words.Count(more, "more shard", "more shards"))
	}
	return errors.New(strings.Join(said, "; ") + again)
}

// write prints the rows of the existing runs with the code that also prints a sweep's rows, so both outputs agree byte
// for byte.
func (m *merged) write(out io.Writer, format, color string) error {
	rows, err := newSweptRows(out, m.swept, format, color)
	if err != nil {
		return err
	}
	for number, has := range m.has {
		if has {
			rows.Add(number, m.runs[number])
		}
	}
	rows.End()
	return rows.err
}
