package network

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/core/random"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ms = int64(1e6)

var way = Way{RequestNs: 2 * ms, ResponseNs: 3 * ms}

// leave sends a request of client 7 over its link.
func leave(r *Rules, now int64, l *Link, q *Request) Fate {
	way, draws := way, random.New(1)
	way.Draws = &draws
	return r.Leave(now, l, &way, q)
}

func linkTo(server int32) *Link { return &Link{Client: 7, Server: server} }

// Without a rule a request takes its latencies and passes every gate.
func TestNoRules(t *testing.T) {
	r, l, q := New(1, 1, Capacity{}, Scripted{}), linkTo(None), &Request{}
	assert.Equal(t, Fate{AtNs: 12 * ms}, leave(&r, 10*ms, l, q))
	assert.Equal(t, Fate{AtNs: 12 * ms}, r.Arrive(12*ms, l, q))
	assert.Equal(t, Fate{AtNs: 15 * ms}, r.Answer(12*ms, l, q))
	assert.Equal(t, Fate{AtNs: 15 * ms}, r.Hear(15*ms, 15*ms, l, q))
	assert.Equal(t, Request{RequestNs: 2 * ms, ResponseNs: 3 * ms}, *q)
}

// A cut acts by its direction, its mode, its client, and the age of the connection.
func TestCuts(t *testing.T) {
	const now = 10 * ms
	for name, c := range map[string]struct {
		cut      Cut
		link     Link
		up, down FateKind
		hold     HoldMode
	}{
		"both ways":      {cut: Cut{Client: 7}, up: Lost, down: Lost},
		"requests":       {cut: Cut{Client: 7, Direction: Up}, up: Lost},
		"answers":        {cut: Cut{Client: 7, Direction: Down}, down: Lost},
		"another client": {cut: Cut{Client: 8}},
		"all clients":    {cut: Cut{Client: Everybody}, up: Lost, down: Lost},
		"the server":     {cut: Cut{Client: 3}, link: Link{Server: 3}, up: Lost, down: Lost},
		"another server": {cut: Cut{Client: 4}, link: Link{Server: 3}},
		"refuses":        {cut: Cut{Client: 7, Refuse: true}, up: Refused, down: Lost},
		"holds":          {cut: Cut{Client: 7, Hold: Hold}, up: Held, down: Held, hold: Hold},
		"holds for all":  {cut: Cut{Client: 7, Hold: HoldForAll}, up: Held, down: Held, hold: HoldForAll},
		"begins now":     {cut: Cut{Client: 7, FromNs: now}, up: Lost, down: Lost},
		"has just ended": {cut: Cut{Client: 7, UntilNs: now}},
		"an older connection": {cut: Cut{Client: 7, FromNs: 5, OldOnly: true}, link: Link{OpenedNs: 4}, up: Lost,
			down: Lost},
		"a newer connection":   {cut: Cut{Client: 7, FromNs: 5, OldOnly: true}, link: Link{OpenedNs: 5}},
		"inside one process":   {cut: Cut{Client: 7}, link: Link{Loopback: true}},
		"a silent server":      {cut: Cut{Client: 8}, link: Link{State: Silent}, up: Lost},
		"a server that is off": {cut: Cut{Client: 8}, link: Link{State: Gone}, up: Refused},
	} {
		r := New(1, 1, Capacity{}, Scripted{Cuts: []Cut{c.cut}})
		c.link.Client = 7
		if c.link.Server == 0 {
			c.link.Server = None
		}
		q := &Request{}
		for gate, fate := range map[string]Fate{"leave": leave(&r, now, &c.link, q),
			"arrive": r.Arrive(now, &c.link, q)} {
			assert.Equal(t, c.up, fate.Kind, "%s: %s", name, gate)
			if c.up == Held {
				assert.Equal(t, c.hold, fate.Hold, "%s: %s", name, gate)
			}
		}
		for gate, fate := range map[string]Fate{"answer": r.Answer(now, &c.link, q),
			"hear": r.Hear(now, now, &c.link, q)} {
			assert.Equal(t, c.down, fate.Kind, "%s: %s", name, gate)
		}
	}
}

// A fault concerns requests of its verb and resource, up to its count, and recurs if it says so.
func TestFaultsChoose(t *testing.T) {
	faults := func(f Fault, at int64, requests ...Request) (hit []bool) {
		r := New(1, 1, Capacity{}, Scripted{})
		r.BeginFault(f)
		for _, q := range requests {
			leave(&r, at, linkTo(None), &q)
			hit = append(hit, q.Fault != NoFault)
		}
		return hit
	}
	get, update := Request{Verb: Get, Seq: 1, Resource: 1}, Request{Verb: Update, Seq: 2, Resource: 2}
	for name, c := range map[string]struct {
		fault Fault
		want  []bool
	}{
		"all":            {Fault{Client: 7, Verb: AnyVerb}, []bool{true, true, true, true}},
		"nobody":         {Fault{Client: 6, Verb: AnyVerb}, []bool{false, false, false, false}},
		"reads":          {Fault{Client: 7, Verb: AnyRead}, []bool{true, false, true, false}},
		"writes":         {Fault{Client: 7, Verb: AnyWrite}, []bool{false, true, false, true}},
		"one verb":       {Fault{Client: 7, Verb: Update}, []bool{false, true, false, true}},
		"one resource":   {Fault{Client: 7, Verb: AnyVerb, Resource: 1}, []bool{true, false, true, false}},
		"the first":      {Fault{Client: 7, Verb: AnyVerb, Count: 1}, []bool{true, false, false, false}},
		"the second":     {Fault{Client: 7, Verb: AnyVerb, Nth: 2}, []bool{false, true, false, true}},
		"not now":        {Fault{Client: 7, Verb: AnyVerb, FromNs: 101}, []bool{false, false, false, false}},
		"now and again":  {Fault{Client: 7, Verb: AnyVerb, EveryNs: 30, ForNs: 11}, []bool{true, true, true, true}},
		"between those":  {Fault{Client: 7, Verb: AnyVerb, EveryNs: 30, ForNs: 10}, []bool{false, false, false, false}},
		"delete is none": {Fault{Client: 7, Verb: Delete}, []bool{false, false, false, false}},
	} {
		c.fault.Kind = Http500
		assert.Equal(t, c.want, faults(c.fault, 100, get, update, get, update), name)
	}
}

// Each kind of fault acts at its own gate.
func TestFaultsEnd(t *testing.T) {
	for kind, want := range map[FaultKind][3]FateKind{
		Http500: {}, Http504Applied: {}, HttpConflict: {},
		DropRequest: {Lost}, RefuseConnection: {Refused}, DropResponse: {Delivered, Delivered, Lost},
		Hang: {Delivered, Queued}, Stall: {Delivered, Held},
	} {
		r, l, q := New(1, 1, Capacity{}, Scripted{Faults: []Fault{{Client: 7, Verb: AnyVerb, Kind: kind}}}),
			linkTo(None), &Request{}
		got := [3]FateKind{leave(&r, 0, l, q).Kind}
		if got[0] == Delivered {
			got[1] = r.Arrive(2*ms, l, q).Kind
		}
		if got[1] == Delivered && got[0] == Delivered {
			got[2] = r.Answer(2*ms, l, q).Kind
		}
		assert.Equal(t, want, got, "%d", kind)
	}
}

// The newest latency wins, a way that it leaves open stays unchanged, and a distribution replaces a constant.
func TestLatencies(t *testing.T) {
	r, l := New(1, 1, Capacity{}, Scripted{}), linkTo(None)
	r.BeginLatency(Latency{Client: 7, Verb: AnyVerb, RequestNs: 50 * ms, ResponseNs: 60 * ms, Source: 1})
	r.BeginLatency(Latency{Client: Everybody, Verb: Update, RequestNs: -1, ResponseNs: 70 * ms, Source: 2})
	sent := func(v Verb) [2]int64 {
		q := &Request{Verb: v}
		leave(&r, 0, l, q)
		return [2]int64{q.RequestNs, q.ResponseNs}
	}
	assert.Equal(t, [2]int64{50 * ms, 60 * ms}, sent(Get))
	assert.Equal(t, [2]int64{2 * ms, 70 * ms}, sent(Update))
	assert.Equal(t, Ended{LatencyRule, Everybody}, r.End(2))
	assert.True(t, r.Lasts(0, Ended{LatencyRule, 7}))
	assert.Equal(t, [2]int64{50 * ms, 60 * ms}, sent(Update))
	r.BeginLatency(Latency{Client: 7, Verb: AnyVerb, RequestNs: -1, ResponseNs: -1,
		RequestDraw: Quantiles([]int64{5, 5}, 0)})
	assert.Equal(t, [2]int64{5, 3 * ms}, sent(Get))
}

// Every client has its own draws; in a window all clients have the same.
func TestDraws(t *testing.T) {
	r := New(1, 1, Capacity{}, Scripted{})
	draw := func(now int64, windowNs int64, seed uint64) int64 {
		draws, q := random.New(seed), Request{}
		r.Draw(now, 7, &Way{RequestDraw: Quantiles([]int64{0, 1 << 40}, windowNs), Draws: &draws}, &q)
		return q.RequestNs
	}
	assert.Equal(t, draw(0, 0, 1), draw(9, 0, 1))
	assert.NotEqual(t, draw(0, 0, 1), draw(0, 0, 2))
	assert.Equal(t, draw(0, 10, 1), draw(9, 10, 2))
	assert.NotEqual(t, draw(0, 10, 1), draw(10, 10, 1))
	r.Reseed(2)
	first := draw(0, 10, 1)
	r.Reseed(3)
	assert.NotEqual(t, first, draw(0, 10, 1))
}

// A server serves one request after the other, and refuses those for which it has no room or no time.
func TestQueue(t *testing.T) {
	arrive := func(c Capacity, n int) (fates []Fate, faults []FaultKind) {
		r := New(1, 2, c, Scripted{})
		for range n {
			q := Request{}
			fates, faults = append(fates, r.Arrive(0, linkTo(None), &q)), append(faults, q.Fault)
		}
		other := linkTo(None)
		other.Queue = 1
		assert.Equal(t, fates[0], r.Arrive(0, other, &Request{}), "another server has its own queue")
		return fates, faults
	}
	fates, _ := arrive(Capacity{ServiceNs: 10}, 3)
	assert.Equal(t, []Fate{{AtNs: 10, Kind: Queued}, {AtNs: 20, Kind: Queued}, {AtNs: 30, Kind: Queued}}, fates)
	fates, faults := arrive(Capacity{ServiceNs: 10, Queue: 1}, 3)
	assert.Equal(t, []FateKind{Queued, Queued, Delivered}, []FateKind{fates[0].Kind, fates[1].Kind, fates[2].Kind})
	assert.Equal(t, []FaultKind{NoFault, NoFault, Http429}, faults)
	fates, _ = arrive(Capacity{ServiceNs: 10, Queue: 1, DropWhenFull: true}, 3)
	assert.Equal(t, Lost, fates[2].Kind)
	fates, faults = arrive(Capacity{ServiceNs: 10, QueueTimeoutNs: 15}, 3)
	assert.Equal(t, Fate{AtNs: 15, Kind: Queued}, fates[2])
	assert.Equal(t, Http504, faults[2])
	fates, _ = arrive(Capacity{SlowPerRequestNs: 5}, 3)
	assert.Equal(t, []Fate{{}, {AtNs: 5, Kind: Queued}, {AtNs: 10, Kind: Queued}}, fates)
}

// A new leader slows the servers down for a while.
func TestNewLeader(t *testing.T) {
	r := New(1, 1, Capacity{NewLeaderNs: 5, NewLeaderForNs: 10}, Scripted{})
	stays := func(now int64) int64 { return r.Arrive(now, linkTo(None), &Request{}).AtNs - now }
	assert.Zero(t, stays(0))
	r.LeaderStarted(100)
	assert.EqualValues(t, []int64{5, 5, 0}, []int64{stays(100), stays(109), stays(110)})
}

// A held message travels on once no rule holds it, and gets lost to a rule that drops.
func TestResume(t *testing.T) {
	for _, at := range []HeldAt{HeldUp, HeldDown} {
		r, l, q := New(1, 1, Capacity{}, Scripted{}), linkTo(None), &Request{RequestNs: 2 * ms, ResponseNs: 3 * ms}
		r.BeginCut(Cut{Client: 7, Hold: Hold, Source: 1})
		r.BeginCut(Cut{Client: Everybody, Source: 2})
		assert.Equal(t, Held, r.Resume(0, l, q, at).Kind)
		r.End(1)
		assert.Equal(t, Lost, r.Resume(0, l, q, at).Kind)
		r.EndCuts(0, Everybody)
		took := map[HeldAt]int64{HeldUp: 2 * ms, HeldDown: 3 * ms}[at]
		assert.Equal(t, Fate{AtNs: took}, r.Resume(0, l, q, at))
	}
	r, l, q := New(1, 1, Capacity{}, Scripted{Faults: []Fault{{Client: 7, Verb: AnyVerb, Kind: Stall}}}), linkTo(None),
		&Request{Fault: Stall}
	assert.Equal(t, Held, r.Resume(5, l, q, HeldServer).Kind)
	r.EndFaults(5, 7)
	assert.Equal(t, Fate{AtNs: 5}, r.Resume(5, l, q, HeldServer))
	assert.Equal(t, NoFault, q.Fault, "it is served in the end")
}

// A client finds its connection dead after deadPeerNs without a frame; answers to pings are frames.
func TestDeadPeers(t *testing.T) {
	r, l := New(1, 1, Capacity{}, Scripted{}), linkTo(None)
	l.HeardNs = 100
	assert.False(t, r.FoundDead(1_000, l, 45), "nothing is wrong with it")
	assert.Equal(t, Never, r.GivesUpNs(1_000, l, 45))
	r.BeginCut(Cut{Client: 7, FromNs: 165})
	// Pings at 130 and 160 got answers; the one at 190 did not.
	assert.EqualValues(t, 205, r.GivesUpNs(170, l, 45))
	assert.False(t, r.FoundDead(204, l, 45))
	assert.True(t, r.FoundDead(205, l, 45))
	assert.False(t, r.FoundDead(205, l, 0), "a client without deadPeerTime never looks")
	assert.EqualValues(t, 300, r.GivesUpNs(300, l, 45), "not in the past")
	l.Open(205)
	assert.False(t, r.FoundDead(206, l, 45))
	r = New(1, 1, Capacity{}, Scripted{Cuts: []Cut{{Client: 7, Refuse: true}}})
	assert.False(t, r.FoundDead(1_000, l, 45), "an error is an answer")
	l.State, l.SilentNs = Silent, 205
	assert.True(t, r.FoundDead(1_000, l, 45), "a server that is silent")
}

// A clone is independent.
func TestClone(t *testing.T) {
	r := New(1, 1, Capacity{ServiceNs: 10}, Scripted{})
	c := r.Clone()
	r.BeginCut(Cut{Client: 7})
	r.BeginFault(Fault{Client: 7, Verb: AnyVerb, Kind: Http500})
	r.Arrive(0, linkTo(None), &Request{})
	q := &Request{}
	assert.Equal(t, Delivered, leave(&c, 0, linkTo(None), q).Kind)
	assert.Equal(t, Fate{AtNs: 10, Kind: Queued}, c.Arrive(0, linkTo(None), q))
	assert.Equal(t, NoFault, q.Fault)
}

// The package knows no type of the simulator: others ask the same rules about real requests.
func TestImports(t *testing.T) {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	files := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			if strings.Contains(i.Path.Value, "leaselab") {
				assert.Contains(t, []string{`"github.com/leaselab/leaselab/core/digest"`,
					`"github.com/leaselab/leaselab/core/random"`, `"github.com/leaselab/leaselab/core/wide"`},
					i.Path.Value, name)
			}
		}
	}
	require.GreaterOrEqual(t, files, 5)
}

// A request that finds the queue full gets 429 with Retry-After: 1, as from kube-apiserver's limit of requests in
// flight. The value does not grow while the server sheds.
func TestSheddingSendsRetryAfter(t *testing.T) {
	r := New(1, 1, Capacity{ServiceNs: 1_000_000_000, Queue: 1}, Scripted{})
	var afters []int32
	for range 5 {
		q := Request{Verb: Update}
		f := r.Arrive(0, &Link{}, &q)
		if q.Fault == Http429 {
			afters = append(afters, f.After.Seconds())
		} else {
			assert.Equal(t, int32(-1), f.After.Seconds())
		}
	}
	assert.Equal(t, []int32{1, 1, 1}, afters, "the server works on one, and one waits")
}

// A fault's Retry-After comes with the request's fate when it leaves. A broken connection differs from a refused one.
func TestFatesOfFaults(t *testing.T) {
	for kind, want := range map[FaultKind]Fate{
		Http503: {Kind: Delivered, AtNs: 2, After: After(7)}, ResetConnection: {Kind: Reset, AtNs: 2, After: After(7)},
		CloseConnection: {Kind: Closed, AtNs: 2, After: After(7)}, RefuseConnection: {Kind: Refused, AtNs: 2},
	} {
		r := New(1, 1, Capacity{}, Scripted{Faults: []Fault{{Client: Everybody, Verb: AnyVerb, Kind: kind,
			After: After(7)}}})
		q := Request{Verb: Get}
		assert.Equal(t, want, r.Leave(0, &Link{}, &Way{RequestNs: 2}, &q), "%d", kind)
		assert.Equal(t, kind, q.Fault)
	}
	assert.Equal(t, int32(-1), RetryAfter(0).Seconds())
	assert.Equal(t, int32(0), After(0).Seconds())
	assert.Equal(t, int32(MaxRetryAfterSeconds), After(MaxRetryAfterSeconds).Seconds())
}
