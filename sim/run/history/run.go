package history

import (
	"cmp"
	"math"
	"strconv"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// EventOf converts a record of a run. The world must be in the state right after the record's step.
func EventOf(w *world.World, r *trace.Record, note explain.Note) Event {
	s := explain.Say(w, r, note)
	e := Event{
		T: summary.Seconds(r.At), N: note.Place.Ordinal, Node: s.Subject, Kind: s.Kind, Events: trace.Names(r),
		Text: s.Text, ResourceVersion: r.ResourceVersion,
	}
	if _, lease, exists := w.Holder(); exists {
		e.Transitions = lease.Spec.LeaseTransitions
		if lease.Spec.HolderIdentity != 0 {
			e.Holder = w.Setup().Symbols.Text(lease.Spec.HolderIdentity)
		}
	}
	switch r.Kind {
	case trace.RequestSent, trace.RequestServed, trace.RequestEnded, trace.RequestNotSent:
		e.Verb, e.Seq = r.Verb.String(), r.Seq
		if r.Kind == trace.RequestEnded || r.Kind == trace.RequestNotSent {
			e.Result = r.Result.String()
		}
		if r.Kind == trace.RequestServed {
			e.Result = r.Outcome.String()
		}
	}
	return e
}

// request identifies a request of a run.
type request struct {
	node, seq int32
	run       int16
}

// collector builds a history from a run's records. Roles, faults and requests are open until a later record ends
// them. Whatever is still open at the end of the span gets the end Open.
type collector struct {
	h        *History
	w        *world.World
	requests map[request]int
	role     []string // current role of each node
	open     map[fault]int
	holder   string
}

type fault struct {
	node int32
	what string
}

// OfRun runs a scenario up to an instant and returns what happened from another instant on, with the hash of the
// trace up to the end of the span.
func OfRun(s scenario.Scenario, fromNs, toNs int64) (History, trace.Hash) {
	h, hash, _ := OfRunWithin(s, fromNs, toNs, math.MaxInt)
	return h, hash
}

// OfRunWithin is like OfRun, but it stops the run and returns false if the span has too many records. The argument most
// is the limit.
func OfRunWithin(s scenario.Scenario, fromNs, toNs int64, most int) (History, trace.Hash, bool) {
	records := 0
	h, hash, _ := Of(s, fromNs, func(see Seen) (*run.Run, int64, error) {
		r := run.WithAll(s)
		count := func(record *trace.Record, note explain.Note) {
			if record.At >= fromNs {
				records++
			}
			see(r, record, note)
		}
		for records <= most && r.Step(toNs, count) {
		}
		r.Settle(toNs)
		return r, toNs, nil
	}) // runs do not fail
	return h, hash, records <= most
}

// Seen takes a record of a run.
type Seen = func(r *run.Run, record *trace.Record, note explain.Note)

// Of returns what happened in a run: the run of a scenario, or the run of a recording of real programs. The function
// play carries out the run, and returns it with the instant at which it ends.
func Of(s scenario.Scenario, fromNs int64, play func(see Seen) (*run.Run, int64, error)) (History, trace.Hash, error) {
	h := History{FromNs: fromNs, Lease: cmp.Or(s.Lease.Name, scenario.DefaultLeaseName),
		Title: cmp.Or(s.Title, s.Name, "Your scenario")}
	c := collector{h: &h, requests: map[request]int{}, open: map[fault]int{}}
	r, toNs, err := play(c.see)
	if err != nil {
		return History{}, 0, err
	}
	c.w, h.ToNs = r.World, toNs
	hash := r.World.Hash()
	for i := range r.World.Nodes() {
		c.node(int32(i))
	}
	h.About = []Fact{
		{"scenario", s.Name}, {"seed", strconv.FormatUint(s.Seed, 10)}, {"engine", strconv.Itoa(world.Engine)},
		{"trace hash", hash.String()},
	}
	h.Clip()
	return h, hash, nil
}

// node makes sure that the history knows a node, including one that joined later.
func (c *collector) node(i int32) {
	for k := int32(len(c.h.Nodes)); k <= i; k++ {
		c.h.Nodes = append(c.h.Nodes, c.w.Node(k).Name())
		c.role = append(c.role, "")
	}
}

func (c *collector) see(of *run.Run, r *trace.Record, note explain.Note) {
	c.w = of.World
	e := EventOf(c.w, r, note)
	if r.At >= c.h.FromNs {
		c.h.Events = append(c.h.Events, e)
	}
	if r.Candidate >= 0 {
		c.node(r.Candidate)
	}
	if e.Holder != c.holder {
		c.endHolder(r.At)
		if c.holder = e.Holder; c.holder != "" {
			c.h.Holders = append(c.h.Holders, Span{APIServer, c.holder, r.At, Open})
		}
	}
	c.request(r, e.N)
	c.roleOf(r)
	c.fault(r)
}

func (c *collector) endHolder(atNs int64) {
	if n := len(c.h.Holders); n > 0 && c.h.Holders[n-1].ToNs == Open {
		c.h.Holders[n-1].ToNs = atNs
	}
}

func (c *collector) request(r *trace.Record, n int32) {
	key := request{r.Candidate, r.Seq, r.Run}
	k, known := c.requests[key]
	switch r.Kind {
	case trace.RequestSent:
		c.requests[key] = len(c.h.Requests)
		c.h.Requests = append(c.h.Requests,
			Request{Node: int(r.Candidate), Number: r.Seq, Verb: r.Verb.String(), SentNs: r.At, ServedNs: Open,
				EndedNs: Open, Version: r.ResourceVersion, sentN: n})
	case trace.RequestServed:
		if known {
			c.h.Requests[k].ServedNs, c.h.Requests[k].servedN = r.At, n
		}
	case trace.RequestEnded:
		if known {
			q := &c.h.Requests[k]
			q.EndedNs, q.Result, q.Version, q.endedN = r.At, r.Result.String(), max(q.Version, r.ResourceVersion), n
		}
	}
}

// Leads is the role of a node that believes that it leads.
const Leads = "leads"

// The other roles of a node.
const (
	follows = "follows"
	drains  = "finishes its work"
	down    = "is down"
)

func (c *collector) roleOf(r *trace.Record) {
	role := ""
	switch r.Kind {
	case trace.Started, trace.Restarted, trace.Joined:
		role = follows
	case trace.StartedLeading:
		role = Leads
	case trace.LeadingDone:
		if role = follows; r.Work().LeftNs != 0 {
			role = drains
		}
	case trace.StoppedLeading, trace.WorkDone:
		if role = follows; r.Kind == trace.StoppedLeading && c.role[r.Candidate] == drains {
			return
		}
	case trace.Crashed, trace.Removed, trace.ConfigError, trace.ServerCrashed:
		role = down
	case trace.RunReturned:
		if role = down; r.Return().RunsAgain {
			return
		}
	}
	if role == "" || r.Candidate < 0 || c.role[r.Candidate] == role {
		return
	}
	for i := len(c.h.Roles) - 1; i >= 0; i-- {
		if s := &c.h.Roles[i]; s.Node == int(r.Candidate) {
			s.ToNs = r.At
			break
		}
	}
	c.role[r.Candidate] = role
	c.h.Roles = append(c.h.Roles, Span{int(r.Candidate), role, r.At, Open})
}

// faultNames maps a kind of record to the fault that it begins and the kind that ends it.
var faultNames = map[trace.Kind]struct {
	what string
	ends bool
}{
	trace.Paused: {"paused", false}, trace.Resumed: {"paused", true},
	trace.CutBegan: {"cut", false}, trace.CutEnded: {"cut", true},
	trace.FailBegan: {"requests fail", false}, trace.FailEnded: {"requests fail", true},
	trace.LatencyChanged: {"other latency", false}, trace.LatencyRestored: {"other latency", true},
	trace.ResourceCutBegan: {"cut from the resource", false}, trace.ResourceCutEnded: {"cut from the resource", true},
}

func (c *collector) fault(r *trace.Record) {
	if r.Kind == trace.Crashed { // a dead process is no longer paused
		c.endFault(fault{r.Candidate, "paused"}, r.At)
	}
	name, is := faultNames[r.Kind]
	if !is {
		return
	}
	key := fault{r.Candidate, name.what}
	if c.endFault(key, r.At); !name.ends {
		c.open[key] = len(c.h.Faults)
		c.h.Faults = append(c.h.Faults, Span{int(max(r.Candidate, APIServer)), name.what, r.At, Open})
	}
}

func (c *collector) endFault(key fault, atNs int64) {
	if k, lasts := c.open[key]; lasts {
		c.h.Faults[k].ToNs = atNs
		delete(c.open, key)
	}
}
