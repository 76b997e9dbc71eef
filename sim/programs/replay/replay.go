package replay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Replayed is a complete replay of a record.
type Replayed struct {
	Scenario scenario.Scenario // the scenario, with the acts of the record
	Run      *run.Run          // the run, settled at EndNs
	EndNs    int64
	Whole    bool         // the record has its last line
	EpochNs  int64        // the beginning of the record, in nanoseconds since 1970; 0 in an older record
	Lease    string       // the Lease, as namespace/name; "" in an older record
	Conduct  conduct.Fold // what the programs did wrong
	observed Observed
}

// ObservedScenario returns a scenario in which leaselab's candidates do what the programs did, as far as the format
// allows. The programs' waits become jitterDraws. If they contradict the format, it returns the original scenario.
func (r *Replayed) ObservedScenario() scenario.Scenario {
	return r.observed.Scenario(r.Scenario, r.Run.World)
}

// Replay repeats the calls of a record. It calls the function see with every record of the trace, unless see is nil. An
// error names the line.
func Replay(in io.Reader, configureAPI func(*apiserver.Config),
	see func(*run.Run, *trace.Record, explain.Note)) (*Replayed, error) {
	t := NewTape(configureAPI)
	lines := bufio.NewReaderSize(in, 1<<16)
	var failed error
	for failed == nil {
		data, err := lines.ReadSlice('\n')
		failed = t.Append(data)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if !errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("line %d: %w", t.lines+1, err)
			}
			break
		}
	}
	if failed = t.Close(); failed != nil {
		return nil, failed
	}
	ran := run.New(t.setup, run.Watchers{Explanation: true, Clauses: t.scenario.Expect})
	r := &Replayed{Scenario: t.scenario, Run: ran, EndNs: t.untilNs, Whole: t.whole, Lease: t.heading.Lease}
	if began, err := time.Parse(time.RFC3339Nano, t.heading.Epoch); err == nil {
		r.EpochNs = began.UnixNano()
	}
	var shown func(*trace.Record, explain.Note)
	if see != nil {
		shown = func(record *trace.Record, note explain.Note) { see(ran, record, note) }
	}
	for h := t.attach(ran); h.Step(ran, math.MaxInt64, shown); {
		r.observed.Observe(ran.World.Records())
		r.Conduct.Observe(ran.World, ran.World.Records())
		h.tellConduct(&r.Conduct)
	}
	if t.err != nil {
		return nil, t.err
	}
	r.Conduct.SlackNs = t.heading.SlackNs
	t.tellPrinted(ran.World, &r.Conduct)
	ran.Settle(r.EndNs)
	return r, nil
}

// tellConduct tells a fold what the trace does not show of the call that the last step has carried out: a request that
// is not about the Lease, or how a process ended.
func (h *head) tellConduct(to *conduct.Fold) {
	if h.steps > 0 || h.next == 0 {
		return // it was a step of the world
	}
	switch e := &h.entries[h.next-1]; {
	case e.Do == CallRequest && !e.asked.IsElectors:
		to.Sends(e.Node, e.AtNs)
	case e.Exit != nil:
		to.Hear(conduct.Fact{AtNs: e.AtNs, Node: e.Node, Exit: e.Exit})
	}
}

// tellPrinted tells a fold what the programs printed.
func (t *Tape) tellPrinted(w *world.World, to *conduct.Fold) {
	for i := range t.printed {
		l := &t.printed[i]
		for node := range int32(w.Nodes()) {
			if w.Node(node).Name() == l.Node {
				to.Hear(conduct.Fact{AtNs: l.AtNs, Node: node, Line: l.Line})
			}
		}
	}
}
