package programs

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Recorder writes the calls of a cluster as NDJSON: a header line with the scenario, then a line for each call.
// Between the calls it writes the resulting trace, for readers that have no cluster. It writes no credentials.
type Recorder struct {
	out       *counted
	name      func(int32) string
	traceless bool // the record omits the trace
	ended     bool
	err       error
}

// counted is a buffer that counts the bytes written.
type counted struct {
	*bufio.Writer
	to    io.Writer
	bytes int64
}

func (c *counted) Write(data []byte) (int, error) {
	n, err := c.to.Write(data)
	c.bytes += int64(n)
	return n, err
}

// NewRecorder writes the header line of a record of a cluster with these options.
func NewRecorder(out io.Writer, s scenario.Scenario, o *Options) (*Recorder, error) {
	r := &Recorder{out: &counted{to: out}}
	r.out.Writer = bufio.NewWriter(r.out)
	full := scenario.Resolve(s)
	r.write(replay.Heading{
		Record: replay.Version, Engine: world.Engine, Administered: o.Administered, Serves: o.Serves,
		SlackNs: o.slackNs(), Epoch: time.Now().UTC().Format(time.RFC3339Nano),
		Lease: full.Namespace + "/" + full.LeaseName, Scenario: scenario.Encode(s),
	})
	return r, r.err
}

func (r *Recorder) write(v any) {
	e := json.NewEncoder(r.out.Writer)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	if err == nil {
		err = r.out.Flush() // so that the record is complete up to this instant even if leaselab dies
	}
	r.err = errors.Join(r.err, err)
}

// WithoutTrace leaves out the trace from now on. The record still contains the whole run.
func (r *Recorder) WithoutTrace() { r.traceless = true }

// Err returns why the record is incomplete, or nil.
func (r *Recorder) Err() error { return r.err }

// Take writes a call. Use it as Options.Record.
func (r *Recorder) Take(k *replay.Call) {
	if r.err != nil || r.ended {
		return
	}
	node := ""
	if k.Node >= 0 && k.Do != replay.CallEnd {
		node = r.name(k.Node)
	}
	r.write(replay.LineOf(k, node))
	r.ended = k.Do == replay.CallEnd
}

// `tell` writes a record of the trace.
func (r *Recorder) tell(ran *run.Run, record *trace.Record, note explain.Note) {
	if r.err == nil && !r.ended && !r.traceless {
		r.write(history.EventOf(ran.World, record, note))
	}
}

// End ends the cluster's record at an instant, with the hash of the trace. Call it inside Judge. With the hash, a
// replay can prove that it has reproduced the same run.
func (c *Cluster) End(ns int64) {
	if c.options.Record != nil {
		c.options.Record(&replay.Call{AtNs: ns, Steps: c.steps, Do: replay.CallEnd, Node: -1,
			Hash: c.run.World.Hash().String()})
	}
}

// PassRecord advances the cluster to the present. Then it calls the function report, while nothing changes the cluster.
// `report` gets the number of bytes in the record, and whether the record is complete. If it is not, report also gets a
// line that tells followers how far the run has come.
func (c *Cluster) PassRecord(r *Recorder, report func(bytes int64, whole bool, passes replay.Line)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.ended {
		report(r.out.bytes, true, replay.Line{})
		return
	}
	ns := max(c.nowNs(), c.run.World.Now())
	c.apply(ns)
	c.advance(ns)
	report(r.out.bytes, false, replay.LineOf(&replay.Call{AtNs: ns, Steps: c.steps, Do: replay.CallPasses, Node: -1,
		Hash: c.run.World.Hash().String()}, ""))
}

// RecordTo sets the options to record the cluster, in addition to See. It returns a function that gives the recorder
// the cluster's names.
func (o *Options) RecordTo(r *Recorder) (begin func(*Cluster)) {
	o.Record = r.Take
	see := o.See
	o.See = func(ran *run.Run, record *trace.Record, note explain.Note) {
		if see != nil {
			see(ran, record, note)
		}
		r.tell(ran, record, note)
	}
	return func(c *Cluster) { r.name = func(i int32) string { return c.run.World.Node(i).Name() } }
}
