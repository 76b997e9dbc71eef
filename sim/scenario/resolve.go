package scenario

import (
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// The defaults of client-go's users (component-base, controller-runtime), and of the simulated network and Lease. The
// table of fields repeats the defaults of settings; a test compares the two.
const (
	DefaultLeaseDuration  = 15 * time.Second
	DefaultRenewDeadline  = 10 * time.Second
	DefaultRetryPeriod    = 2 * time.Second
	DefaultRequestLatency = 2 * time.Millisecond
	DefaultRatePpm        = 1_000_000
	DefaultNamespace      = "default"
	DefaultLeaseName      = "demo"
	DefaultServerRestart  = 10 * time.Second // a kubelet's first back-off
	DefaultSeed           = 1
)

// Resolved is a scenario ready for the simulator: every replica is a separate candidate, every default has its value,
// and the actions are in the order in which they happen. It shares no memory with its scenario.
type Resolved struct {
	Name       string
	Seed       uint64
	Streams    string // StreamsNamed or StreamsRecorded
	Duration   time.Duration
	Namespace  string
	LeaseName  string
	Candidates []ResolvedCandidate
	// The actions in order of At; actions at the same time keep their order in the list. Each cut has its direction and
	// mode filled in, and each put has a spec.
	Actions    []Action
	Expect     []Expect
	APIServers []APIServer
	NilHolder  string

	Coordination Coordination
	// PreferredStrategies means that candidates have lists of strategies, as in v1alpha1. Then Strategy has the whole
	// list, separated by commas.
	PreferredStrategies bool
	Controllers         Controllers // upstream's values by default
	Server              *Server     // nil if the server answers at once
	Heartbeats          *ResolvedHeartbeats

	Resource Resource // WriteEvery is 0 if the run has none
	Bounds   Bounds
}

// ResolvedCandidate is one process with its node. Every field of its groups has a value, unless a comment says that it
// may be absent. It shares memory with its scenario and with other candidates: never write through its pointers.
type ResolvedCandidate struct {
	Name, Identity string
	StartAt        time.Duration
	Elector        Elector // Dialect may be empty
	// If RequestDistribution or ResponseDistribution is nil, the constant latency applies.
	Network Network
	// A nil RestartAfterCrash means never, and a nil WatchdogTolerance means no watchdog.
	Process                                   Process
	Client                                    Client
	ClockOffset                               time.Duration
	RatePpm                                   int64
	Restart                                   string // RestartNever, RestartNew or RestartSame
	RestartAfter, WorkTail, StartJitterMax    time.Duration
	JitterDraws                               []float64
	BinaryVersion, EmulationVersion, Strategy string
	APIServer                                 string
	PingAckDelay                              time.Duration
	timeoutGiven                              bool   // the scenario or the candidate sets requestTimeout
	releaseGiven                              bool   // the scenario or the candidate sets releaseAfterWork
	Stream                                    string // the name that seeds its draws
}

// Resolve resolves a valid scenario, such as one from Decode or Set. It does not check the scenario: for an invalid
// one, the result makes no sense. It copies the scenario first, so the simulator may keep the result while the page
// edits the original.
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

		APIServers: s.APIServers, NilHolder: orDefault(s.NilHolder, NilHolderCrash), Coordination: s.Coordination,
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

// ResolveAction fills in the defaults of an action that arrives during a run. A click in the page sends such an action
// without any scenario around it.
func ResolveAction(a Action) Action {
	a.fillDefaults()
	return a
}

// ResolveCandidate resolves one entry of the list, or the candidate of an add action, with the scenario's settings. The
// startAt of an added candidate counts from the instant at which it joins.
//
// Settings come in layers. Field by field, each layer overrides the one before:
//
//	defaults ◀ scenario's preset ◀ scenario ◀ candidate's preset ◀ candidate
//
// So a candidate that only sets retryPeriod keeps the scenario's leaseDuration. A candidate's preset overrides what
// the scenario itself sets, because it is an inner layer. For an entry with replicas, there is one result for each
// replica.
func ResolveCandidate(s Scenario, c Candidate) []ResolvedCandidate {
	one := ResolvedCandidate{
		Name:           c.Name,
		Elector:        defaults.Elector,
		Network:        defaults.Network,
		Process:        defaults.Process,
		Client:         defaults.Client,
		RatePpm:        DefaultRatePpm,
		Restart:        c.Restart,
		RestartAfter:   time.Duration(c.RestartAfter),
		WorkTail:       time.Duration(c.WorkTail),
		StartJitterMax: time.Duration(c.StartJitterMax),

		BinaryVersion: c.BinaryVersion, EmulationVersion: c.EmulationVersion, Strategy: c.Strategy,
		APIServer: c.APIServer, PingAckDelay: time.Duration(c.PingAckDelay),
	}
	if c.PreferredStrategies != nil {
		one.Strategy = strings.Join(c.PreferredStrategies, ",")
	}
	one.Process.DrainAfterCancel, one.Process.DrainAfterLoss = new(c.WorkTail), new(c.WorkTail)
	one.lay(layer{s.Preset, &s.Elector, &s.Network, &s.Process, &s.Client})
	one.lay(layer{c.Preset, c.Elector, c.Network, c.Process, c.Client})
	if orDefault(c.Preset, s.Preset) == PresetControllerRuntime && !one.releaseGiven {
		one.Elector.ReleaseAfterWork = one.Elector.ReleaseOnCancel
	}
	if c.Clock != nil {
		one.ClockOffset = time.Duration(c.Clock.Offset)
		one.RatePpm = orDefault(c.Clock.RatePpm, DefaultRatePpm)
	}
	all := make([]ResolvedCandidate, c.count())
	for i := range all {
		all[i] = one
		all[i].Name, all[i].Stream = c.replicaName(i), c.replica(orDefault(c.Stream, c.Name), i)
		all[i].Identity = orDefault(c.Identity, all[i].Name)
		all[i].StartAt = time.Duration(c.StartAt) + spread(time.Duration(c.SpreadStart), i, len(all))
		all[i].JitterDraws = slices.Clone(c.JitterDraws)
	}
	return all
}

// layer is the settings of the scenario or of a candidate: its preset, then its own groups. A nil group changes
// nothing. Order matters within a layer, too: a group overrides the preset of the same level.
type layer struct {
	preset  string
	elector *Elector
	network *Network
	process *Process
	client  *Client
}

// `lay` overrides settings with the settings of a layer. For two settings it is not enough that the inner layer wins.
// The dialect noRequestTimeout means that the client has no timeout, so it clears the default but not a value that a
// user wrote. And a latency may be a constant or a distribution: an inner constant must remove an outer distribution,
// which would otherwise take precedence.
func (r *ResolvedCandidate) lay(by layer) {
	e, n := by.elector, by.network
	if by.preset != "" {
		of := presetNamed(by.preset)
		overlay(&r.Elector, &of.elector)
		overlay(&r.Process, &of.process)
	}
	overlay(&r.Elector, e)
	overlay(&r.Network, n)
	overlay(&r.Process, by.process)
	overlay(&r.Client, by.client)
	if e != nil {
		r.timeoutGiven = r.timeoutGiven || e.RequestTimeout != nil
		r.releaseGiven = r.releaseGiven || e.ReleaseAfterWork != nil
		if slices.Contains(r.Elector.Dialect, "noRequestTimeout") && !r.timeoutGiven {
			r.Elector.RequestTimeout = new(Duration(0))
		}
	}
	if n != nil { // the innermost level decides whether a direction has a constant or a distribution
		if n.RequestLatency != nil && n.RequestDistribution == nil {
			r.Network.RequestDistribution = nil
		}
		if n.ResponseLatency != nil && n.ResponseDistribution == nil {
			r.Network.ResponseDistribution = nil
		}
	}
}

// `overlay` copies the fields that the argument from sets. Afterward both structs share the targets of their pointers.
// A zero field means "not set", so a setting for which zero has a meaning is a pointer.
func overlay[T any](to, from *T) {
	if from == nil {
		return
	}
	all, given := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for i := range given.NumField() {
		if f := given.Field(i); !f.IsZero() {
			all.Field(i).Set(f)
		}
	}
}

// override replaces a value unless the pointer is nil.
func override(d *time.Duration, by *Duration) {
	if by != nil {
		*d = time.Duration(*by)
	}
}

func orEmpty(c *Controllers) Controllers {
	if c == nil {
		return Controllers{}
	}
	return *c
}

// orDefault returns a value, or the default for the zero value.
func orDefault[T comparable](v, byDefault T) T {
	var zero T
	if v == zero {
		return byDefault
	}
	return v
}

// count returns the number of processes of this entry.
func (c Candidate) count() int {
	return max(c.Replicas, 1)
}

// replicaName returns the name of the i-th process. An entry without replicas keeps its name; with replicas: 1 the
// name is name-0.
func (c Candidate) replicaName(i int) string { return c.replica(c.Name, i) }

// replica adds the number of a replica to a name.
func (c Candidate) replica(name string, i int) string {
	if c.Replicas == 0 {
		return name
	}
	return name + "-" + strconv.Itoa(i)
}

// StreamOf returns the name that seeds the draws of an act on a node. For a candidate it is the candidate's stream,
// so that an act on a renamed candidate keeps its draws. For any other node it is the node's name. The loop looks at
// the candidates and then at the candidates of add actions. A name may fit two entries: "web-0" may be a replica of
// web, or a candidate with that name. An exact match wins.
func StreamOf(s *Scenario, node string) string {
	stream := node
	for i := -len(s.Candidates); i < len(s.Actions); i++ {
		var c *Candidate
		if i < 0 {
			c = &s.Candidates[-i-1]
		} else {
			c = s.Actions[i].Candidate
		}
		if c == nil || !strings.HasPrefix(node, c.Name) {
			continue
		}
		switch rest := node[len(c.Name):]; {
		case rest == "":
			return orDefault(c.Stream, node)
		case rest[0] == '-' && c.Stream != "": // a replica, or a pod that replaces it
			stream = c.Stream + rest
		}
	}
	return stream
}

// spread returns i·total/n without overflow: 90 days in nanoseconds times 10,000 does not fit into an int64.
func spread(total time.Duration, i, n int) time.Duration {
	whole, rest := total/time.Duration(n), total%time.Duration(n)
	return whole*time.Duration(i) + rest*time.Duration(i)/time.Duration(n)
}
