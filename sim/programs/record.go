package programs

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
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

	most int64  // the cluster ends a record of that many bytes; 0 means no limit
	full func() // called when it does
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

// Limit sets how many bytes the record may have before the cluster ends it, and a function that the cluster then calls.
// From then on the cluster refuses writes, except deletions and the writes of elections. So neither the record nor the
// cluster's memory grows without end.
func (r *Recorder) Limit(bytes int64, full func()) { r.most, r.full = bytes, full }

func (r *Recorder) isFull() bool { return r.most > 0 && r.out.bytes >= r.most }

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

// endFull ends a full record at the world's present instant. The caller holds the lock.
func (c *Cluster) endFull() {
	if r := c.options.recorder; r != nil && !r.ended && r.isFull() {
		c.End(c.run.World.Now())
		go r.full() // it may wait, as for a terminal
	}
}

// refusesFull reports whether the cluster refuses a write because the record is full. node is -1 for a client that is
// not a candidate.
func (c *Cluster) refusesFull(node int32, r *apiserver.Request) bool {
	full := c.options.recorder != nil && c.options.recorder.isFull()
	return full && r.Writes() && r.Method != http.MethodDelete &&
		!(node >= 0 && len(r.Body) <= electionBytes && replay.Elects(c.run.World, node, r))
}

// electionBytes is the maximum length of an election's write beside a full record. Electors write about 500 bytes.
const electionBytes = 16 << 10

// forgetBytes and forgetVersions limit how much of its past a cluster keeps.
const (
	forgetBytes    = 64 << 20
	forgetVersions = 20_000
)

// forget drops the past of the run when it exceeds the limits. A scenario that restores etcd from a backup needs the
// past until its end. The caller holds the lock.
func (c *Cluster) forget(ns int64) {
	w := c.run.World
	if !c.desk.Mirror.Follows(w) || c.written < forgetBytes &&
		w.Store().RememberedCount() < c.versions+forgetVersions {
		return
	}
	if ns < c.endNs && slices.ContainsFunc(c.scenario.Actions, func(a scenario.Action) bool {
		return a.Act == scenario.ActRollback
	}) {
		return
	}
	w.ForgetDone()
	c.desk.Mirror.Forget(w)
	c.written, c.versions = 0, w.Store().RememberedCount()
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
	o.Record, o.recorder = r.Take, r
	see := o.See
	o.See = func(ran *run.Run, record *trace.Record, note explain.Note) {
		if see != nil {
			see(ran, record, note)
		}
		r.tell(ran, record, note)
	}
	return func(c *Cluster) { r.name = func(i int32) string { return c.run.World.Node(i).Name() } }
}
