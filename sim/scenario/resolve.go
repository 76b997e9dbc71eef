package scenario

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elector"
)

// The defaults of client-go's users (component-base, controller-runtime), and of the simulated network.
const (
	DefaultLeaseDuration   = 15 * time.Second
	DefaultRenewDeadline   = 10 * time.Second
	DefaultRetryPeriod     = 2 * time.Second
	DefaultRequestTimeout  = 5 * time.Second
	DefaultRequestLatency  = 2 * time.Millisecond
	DefaultResponseLatency = 3 * time.Millisecond
	DefaultRatePpm         = 1_000_000
	DefaultNamespace       = "default"
	DefaultLeaseName       = "demo"
	DefaultServerRestart   = 10 * time.Second // the first back-off of a kubelet
)

// Resolved is a scenario ready for the simulator: replicas are separate candidates, every default is filled in, and the
// actions stand in the order in which they happen. It shares no memory with the scenario it came from.
type Resolved struct {
	Name       string
	Seed       uint64
	Streams    string // StreamsNamed or StreamsRecorded
	Duration   time.Duration
	Namespace  string
	LeaseName  string
	Candidates []ResolvedCandidate
	Actions    []Action // sorted by At; equal times keep their order in the list; cut has direction and mode, put has a spec
	Expect     []Expect
	APIServers []APIServer
	NilHolder  string
	// PreferredStrategies says that candidates have lists of strategies, as in v1alpha1; Strategy then holds the whole list
	// with commas between the names.
	PreferredStrategies bool
	Controllers         Controllers // left out: upstream's
	Server              *Server     // nil: it answers at once
	Heartbeats          *ResolvedHeartbeats

	Resource Resource // WriteEvery 0: there is none
	Bounds   Bounds
}

// ResolvedCandidate is one process with its node: no pointers, no inheritance.
type ResolvedCandidate struct {
	Name, Identity                            string
	StartAt                                   time.Duration
	LeaseDuration, RenewDeadline, RetryPeriod time.Duration
	RequestTimeout                            time.Duration // 0: none
	RequestLatency, ResponseLatency           time.Duration
	ReleaseOnCancel, Coordinated              bool
	ClockOffset                               time.Duration
	RatePpm                                   int64
	Restart                                   string // RestartNever, RestartNew or RestartSame
	RestartAfter, WorkTail, StartJitterMax    time.Duration
	JitterDraws                               []float64
	BinaryVersion, EmulationVersion, Strategy string
	APIServer                                 string
	PingAckDelay                              time.Duration
	JitterFactor, ExpiryFactor                float64
	ReleaseAfterWork, ReleaseChecksHolder     bool
	CallbackDelay, LockDelay                  time.Duration
	Dialect                                   []string
	Lock                                      string
	Process                                   ResolvedProcess
	Client                                    ResolvedClient
	timeoutGiven                              bool          // requestTimeout is written somewhere
	RequestDistribution, ResponseDistribution *Distribution // nil: the latencies
	DeadPeerTime, ReadLag                     time.Duration // 0: never, none
}

// Resolve expects a valid scenario (Decode, Set or Validate said so).
func Resolve(s Scenario) Resolved {
	s = s.Clone()
	r := Resolved{
		Name:      s.Name,
		Seed:      s.Seed,
		Streams:   orDefault(s.Streams, StreamsNamed),
		Duration:  time.Duration(s.Duration),
		Namespace: orDefault(s.Lease.Namespace, DefaultNamespace),
		LeaseName: orDefault(s.Lease.Name, DefaultLeaseName),
		Actions:   s.Actions,
		Expect:    s.Expect,

		APIServers: s.APIServers, NilHolder: orDefault(s.NilHolder, NilHolderCrash),
		PreferredStrategies: s.LeaseCandidateVersion == CandidateV1alpha1,
		Controllers:         orEmpty(s.Controllers),
		Server:              s.Server, Heartbeats: resolveHeartbeats(s),
		Resource: resolveResource(s.Resource), Bounds: s.Bounds,
	}
	for _, c := range s.Candidates {
		r.Candidates = append(r.Candidates, ResolveCandidate(s, c)...)
	}
	for i := range r.APIServers {
		r.APIServers[i].RestartAfter = orDefault(r.APIServers[i].RestartAfter, Duration(DefaultServerRestart))
	}
	sort.SliceStable(r.Actions, func(i, j int) bool { return r.Actions[i].At < r.Actions[j].At })
	for i := range r.Actions {
		r.Actions[i].fillDefaults()
	}
	return r
}

// ResolveAction makes explicit what an action leaves out, for one that arrives while the run goes on.
func ResolveAction(a Action) Action {
	a.fillDefaults()
	return a
}

// ResolveCandidate resolves one entry of the list, or the candidate of an add action, against the scenario's defaults.
// StartAt of an added candidate counts from the instant at which it joins.
func ResolveCandidate(s Scenario, c Candidate) []ResolvedCandidate {
	one := ResolvedCandidate{
		Name:            c.Name,
		LeaseDuration:   DefaultLeaseDuration,
		RenewDeadline:   DefaultRenewDeadline,
		RetryPeriod:     DefaultRetryPeriod,
		RequestTimeout:  DefaultRequestTimeout,
		RequestLatency:  DefaultRequestLatency,
		ResponseLatency: DefaultResponseLatency,
		RatePpm:         DefaultRatePpm,
		Restart:         c.Restart,
		RestartAfter:    time.Duration(c.RestartAfter),
		WorkTail:        time.Duration(c.WorkTail),
		StartJitterMax:  time.Duration(c.StartJitterMax),

		BinaryVersion: c.BinaryVersion, EmulationVersion: c.EmulationVersion, Strategy: c.Strategy,
		APIServer: c.APIServer, PingAckDelay: time.Duration(c.PingAckDelay),

		JitterFactor: elector.JitterFactor, ExpiryFactor: 1, Lock: elector.LockNames[elector.Leases],
		Process: resolveProcess(time.Duration(c.WorkTail), &s.Process, c.Process), Client: resolveClient(&s.Client, c.Client),
	}
	if c.PreferredStrategies != nil {
		one.Strategy = strings.Join(c.PreferredStrategies, ",")
	}
	one = one.With(&s.Elector, &s.Network).With(c.Elector, c.Network)
	if c.Clock != nil {
		one.ClockOffset = time.Duration(c.Clock.Offset)
		one.RatePpm = orDefault(c.Clock.RatePpm, DefaultRatePpm)
	}
	all := make([]ResolvedCandidate, c.count())
	for i := range all {
		all[i] = one
		all[i].Name = c.replicaName(i)
		all[i].Identity = orDefault(c.Identity, all[i].Name)
		all[i].StartAt = time.Duration(c.StartAt) + spread(time.Duration(c.SpreadStart), i, len(all))
		all[i].JitterDraws = slices.Clone(c.JitterDraws)
		all[i].Dialect = slices.Clone(one.Dialect)
	}
	return all
}

// With is the candidate after a set action: what the arguments name is replaced, what they leave nil is kept.
func (r ResolvedCandidate) With(e *Elector, n *Network) ResolvedCandidate {
	if e != nil {
		override(&r.LeaseDuration, e.LeaseDuration)
		override(&r.RenewDeadline, e.RenewDeadline)
		override(&r.RetryPeriod, e.RetryPeriod)
		override(&r.RequestTimeout, e.RequestTimeout)
		if e.ReleaseOnCancel != nil {
			r.ReleaseOnCancel = *e.ReleaseOnCancel
		}
		if e.Coordinated != nil {
			r.Coordinated = *e.Coordinated
		}
		take(&r.JitterFactor, e.JitterFactor)
		take(&r.ExpiryFactor, e.ExpiryFactor)
		take(&r.ReleaseAfterWork, e.ReleaseAfterWork)
		take(&r.ReleaseChecksHolder, e.ReleaseChecksHolder)
		override(&r.CallbackDelay, e.CallbackDelay)
		override(&r.LockDelay, e.LockDelay)
		r.timeoutGiven = r.timeoutGiven || e.RequestTimeout != nil
		if e.Dialect != nil {
			r.Dialect = e.Dialect
		}
		r.Lock = orDefault(e.Lock, r.Lock)
		if slices.Contains(r.Dialect, "noRequestTimeout") && !r.timeoutGiven {
			r.RequestTimeout = 0
		}
	}
	if n != nil {
		override(&r.RequestLatency, n.RequestLatency)
		override(&r.ResponseLatency, n.ResponseLatency)
		override(&r.DeadPeerTime, n.DeadPeerTime)
		override(&r.ReadLag, n.ReadLag)
		overrideDrawn(&r.RequestDistribution, n.RequestDistribution, n.RequestLatency)
		overrideDrawn(&r.ResponseDistribution, n.ResponseDistribution, n.ResponseLatency)
	}
	return r
}

func override(d *time.Duration, by *Duration) {
	if by != nil {
		*d = time.Duration(*by)
	}
}

// overrideDrawn: a distribution that is written last holds, and so does a constant.
func overrideDrawn(d **Distribution, by *Distribution, constant *Duration) {
	if by != nil || constant != nil {
		*d = by
	}
}

func orEmpty(c *Controllers) Controllers {
	if c == nil {
		return Controllers{}
	}
	return *c
}

func orDefault[T comparable](v, byDefault T) T {
	var zero T
	if v == zero {
		return byDefault
	}
	return v
}

// count is the number of processes this entry stands for.
func (c Candidate) count() int {
	return max(c.Replicas, 1)
}

// replicaName is the name of the i-th process. An entry without replicas keeps its name; one with replicas: 1 is name-0.
func (c Candidate) replicaName(i int) string {
	if c.Replicas == 0 {
		return c.Name
	}
	return c.Name + "-" + strconv.Itoa(i)
}

// spread is i·total/n without overflow: 90 days in nanoseconds times 10,000 does not fit into an int64.
func spread(total time.Duration, i, n int) time.Duration {
	whole, rest := total/time.Duration(n), total%time.Duration(n)
	return whole*time.Duration(i) + rest*time.Duration(i)/time.Duration(n)
}

// fillDefaults makes explicit what an action leaves out.
func (a *Action) fillDefaults() {
	switch a.Act {
	case ActCut:
		a.Direction = orDefault(a.Direction, DirectionBoth)
		a.Mode = orDefault(a.Mode, ModeDrop)
	case ActWrite:
		if a.Spec == nil && a.Op == OpPut {
			a.Spec = &LeaseSpec{}
		}
	}
}
