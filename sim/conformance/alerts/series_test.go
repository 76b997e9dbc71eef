package alerts

import (
	"math"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/util/annotations"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/process"
)

const (
	interval   = 15 * time.Second // of scrapes and of evaluations
	leadership = "leader_election_master_status"
	// kube-state-metrics is scraped this long after an evaluation. Process i is scraped 4 i s after it, modulo the
	// interval. Prometheus, too, spreads its targets over the interval, so it sees the old leader longer than the new.
	stateOffset, spread = 7 * time.Second, 4 * time.Second
)

// series is one time series. Its chunk is Prometheus' own.
type series struct {
	labels labels.Labels
	chunk  *chunkenc.XORChunk
	to     chunkenc.Appender
	live   bool // the last scrape had it
	fresh  bool // this scrape has it
}

// database holds the series of one run. Instants count from the start of the run.
type database struct {
	names   map[string]*series
	targets map[int32][]*series
	all     []*series
	// a candidate has a LeaseCandidate, so each of its renewals takes client-go's slow path
	coordinated bool
}

func (d *database) add(target int32, at time.Duration, v float64, pairs ...string) {
	ls := labels.FromStrings(pairs...)
	s := d.names[ls.String()]
	if s == nil {
		s = &series{labels: ls, chunk: chunkenc.NewXORChunk()}
		s.to, _ = s.chunk.Appender()
		d.names[ls.String()] = s
		d.targets[target] = append(d.targets[target], s)
		d.all = append(d.all, s)
	}
	s.to.Append(0, stamp(at), v)
	s.fresh = true
}

// end marks as stale what the last scrape of a target had and this one has not, as Prometheus does.
func (d *database) end(target int32, at time.Duration) {
	for _, s := range d.targets[target] {
		if s.live && !s.fresh {
			s.to.Append(0, stamp(at), math.Float64frombits(value.StaleNaN))
		}
		s.live, s.fresh = s.fresh, false
	}
}

// Querier returns the database as the storage of a query.
func (d *database) Querier(int64, int64) (storage.Querier, error) {
	return &storage.MockQuerier{SelectMockFunction: d.find}, nil
}

func (d *database) find(_ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	found := &results{}
	for _, s := range d.all {
		if !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(s.labels.Get(m.Name)) }) {
			found.all = append(found.all, s)
		}
	}
	return found
}

// results is what a query finds.
type results struct {
	all []*series
	n   int
}

func (r *results) Next() bool                      { r.n++; return r.n <= len(r.all) }
func (*results) Err() error                        { return nil }
func (*results) Warnings() annotations.Annotations { return nil }

func (r *results) At() storage.Series {
	one := r.all[r.n-1]
	return &storage.SeriesEntry{Lset: one.labels, SampleIteratorFn: one.chunk.Iterator}
}

// exporter is what client-go exports in one process.
type exporter struct {
	leads, slowPaths float64
	hangs            bool // its elector's loop hangs, and the process still answers
}

// record plays a scenario for a duration, and returns what Prometheus scrapes meanwhile.
func record(s scenario.Scenario, duration time.Duration) *database {
	d := &database{names: map[string]*series{}, targets: map[int32][]*series{}}
	r := run.Plain(s)
	processes := map[int32]*exporter{}
	for at := time.Duration(0); at <= duration; at += time.Second {
		for r.Step(int64(at), nil) {
			for _, one := range r.World.Records() {
				observe(processes, &one)
			}
		}
		for i := range int32(r.World.Nodes()) {
			if at%interval == time.Duration(i)*spread%interval {
				scrapeProcess(d, r.World, i, at, processes[i])
			}
		}
		if at%interval == stateOffset {
			scrapeState(d, r.World, at)
		}
	}
	return d
}

func observe(processes map[int32]*exporter, r *trace.Record) {
	e := processes[r.Candidate]
	switch r.Kind {
	case trace.Restarted, trace.Crashed:
		delete(processes, r.Candidate)
	case trace.MetricLeaderOff:
		if e == nil {
			processes[r.Candidate] = &exporter{}
			return
		}
		e.leads = 0
	case trace.MetricLeaderOn:
		e.leads = 1
	case trace.MetricSlowPath:
		e.slowPaths++
	case trace.Paused:
		if e != nil {
			e.hangs = r.Pause().Kind == trace.ElectorHangs
		}
	}
}

// scrapeProcess scrapes a candidate. A cut separates it from the API server, not from Prometheus. The counter of the
// slow path begins with its first increment. client-go has it since kubernetes#122069, which came after the other locks.
func scrapeProcess(d *database, w *world.World, i int32, at time.Duration, e *exporter) {
	n := w.Node(i)
	if e != nil && !n.IsServer() && (answers(n) || e.hangs && n.Paused()) {
		pod, name := n.ProcessName(), w.Setup().LeaseNames[n.LeaseOf()]
		d.add(i, at, e.leads, "__name__", leadership, "namespace", "default", "name", name, "pod", pod)
		if running, _ := n.Settings(); e.slowPaths > 0 && n.Lock() == elector.Leases && running.Dialect&elector.NoFastPath == 0 {
			d.add(i, at, e.slowPaths, "__name__", "leader_election_slowpath_total", "namespace", "default", "name", name, "pod", pod)
		}
	}
	_, candidate := n.LeaseCandidate()
	d.coordinated = d.coordinated || candidate
	d.end(i, at)
}

// answers reports whether a process answers a scrape. A process whose Run has returned does, unless it was told to stop or
// exits on a loss. For a hung elector, see exporter.
func answers(n world.Node) bool {
	switch n.Role() {
	case world.RoleWaiting, world.RolePaused, world.RoleDown:
		return false
	case world.RoleEnded:
		running, _ := n.Settings()
		return !n.StopAsked() && running.Process.OnLoss != process.ExitProcess
	}
	return n.Alive()
}

// scrapeState scrapes kube-state-metrics. Source: kube-state-metrics v2 internal/store/lease.go.
func scrapeState(d *database, w *world.World, at time.Duration) {
	const itself = -1
	for number, name := range w.Setup().LeaseNames {
		o := w.Store().Read(int32(number))
		if o == nil {
			continue
		}
		d.add(itself, at, 1, "__name__", "kube_lease_owner", "namespace", "default", "lease", name,
			"lease_holder", w.Setup().Symbols.Text(o.Spec.HolderIdentity))
		if o.Spec.RenewTime != 0 {
			d.add(itself, at, float64(int64(o.Spec.RenewTime)/1e6), "__name__", "kube_lease_renew_time", "namespace", "default",
				"lease", name)
		}
	}
	d.end(itself, at)
}

// stamp returns an instant in Prometheus' milliseconds.
func stamp(at time.Duration) int64 { return world.EpochUnixNs/1e6 + at.Milliseconds() }
