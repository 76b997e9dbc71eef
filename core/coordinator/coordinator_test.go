package coordinator

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/step"
)

const (
	micro  = int64(1000)
	milli  = 1_000_000
	minute = 60 * second
	origin = 1_700_000_000 * second // the wall clock's reading at 0
)

// bench drives one API server's controllers by hand: time stops unless a test moves it.
type bench struct {
	t       *testing.T
	symbols *coordination.Symbols
	m       Machine
	now     int64
	out     []Output
}

func newBench(t *testing.T, change ...func(*Config)) *bench {
	b := &bench{t: t, symbols: coordination.NewSymbols()}
	config := Config{Symbols: b.symbols}
	for _, f := range change {
		f(&config)
	}
	b.m = New(config)
	return b
}

func older(c *Config)       { c.Body = Older }
func lists(c *Config)       { c.Lists = true }
func setIntended(c *Config) { c.NilHolder = Intended }

func (b *bench) key(name string) Key {
	return Key{b.symbols.Intern("ns"), b.symbols.Intern(name)}
}

// micros is an instant relative to now as objects hold it.
func (b *bench) micros(agoNs int64) coordination.MicroTime {
	return coordination.MicroTimeOf(origin + b.now - agoNs)
}

func (b *bench) step(in Input) []Output {
	b.out = b.m.Step(step.Reading{Now: b.now, Mono: b.now, Wall: origin + b.now}, in, nil)
	return b.out
}

// wake moves on to the next instant the machine asks for.
func (b *bench) wake() []Output {
	b.now = b.m.NextWakeNs()
	return b.step(Input{Kind: Wake})
}

const never = int64(-1 << 62) // in place of a time ago: absent

// candidate is one of Lease l, renewed and pinged so long ago.
func (b *bench) candidate(name, emulation, binary, strategy string, renewedAgo, pingedAgo int64) Candidate {
	c := Candidate{Key: b.key(name), ResourceVersion: 7, UID: 1, CreatedSeconds: 100, Spec: coordination.Candidate{
		LeaseName: b.symbols.Intern("l"), BinaryVersion: b.symbols.Intern(binary), EmulationVersion: b.symbols.Intern(emulation), Strategy: b.symbols.Intern(strategy),
	}}
	if renewedAgo != never {
		c.Spec.SetRenew(b.micros(renewedAgo))
	}
	if pingedAgo != never {
		c.Spec.SetPing(b.micros(pingedAgo))
	}
	return c
}

const oev = coordination.OldestEmulationVersion

func (b *bench) plain(name string, renewedAgo, pingedAgo int64) Candidate {
	return b.candidate(name, "1.36.0", "1.36.0", oev, renewedAgo, pingedAgo)
}

func (b *bench) see(list ...Candidate) {
	for _, c := range list {
		b.step(Input{Kind: CandidateSeen, Candidate: c})
	}
}

// lease is Lease l: "-" as holder is absent.
func (b *bench) lease(holder string, duration int32, renewedAgo int64) Lease {
	l := Lease{Key: b.key("l"), ResourceVersion: 3, UID: 9}
	if holder != "-" {
		l.Spec.HolderIdentity, l.Spec.Present = b.symbols.Intern(holder), l.Spec.Present|coordination.HasHolderIdentity
	}
	if duration != 0 {
		l.Spec.LeaseDurationSeconds, l.Spec.Present = duration, l.Spec.Present|coordination.HasLeaseDurationSeconds
	}
	if renewedAgo != never {
		l.Spec.RenewTime, l.Spec.Present = b.micros(renewedAgo), l.Spec.Present|coordination.HasRenewTime
	}
	return l
}

// sentRequests are the requests among the last outputs, as "verb name".
func (b *bench) sentRequests() []string {
	var said []string
	for _, o := range b.out {
		if o.Kind == Send {
			said = append(said, o.Request.Verb.String()+" "+b.symbols.Text(o.Request.Key.Name))
		}
	}
	return said
}

func (b *bench) request() Request {
	b.t.Helper()
	for _, o := range b.out {
		if o.Kind == Send {
			return o.Request
		}
	}
	require.Fail(b.t, "no request", "%v", b.out)
	return Request{}
}

func (b *bench) answer(serial int32, result step.Result) []Output {
	return b.step(Input{Kind: Answer, Serial: serial, Result: result})
}

// lastReconcile is the reconcile that the last outputs say is over.
func (b *bench) lastReconcile() Output {
	b.t.Helper()
	for _, o := range b.out {
		if o.Kind == Reconciled {
			return o
		}
	}
	require.Fail(b.t, "no reconcile is over", "%v", b.out)
	return Output{}
}

func (b *bench) expectEnd(o Outcome, requeueNs int64) {
	b.t.Helper()
	e := b.lastReconcile()
	assert.Equal(b.t, o.String(), e.Outcome.String())
	assert.Equal(b.t, time.Duration(requeueNs), time.Duration(e.RequeueNs))
}

// Every Lease event enqueues its key. So does every candidate event, except for a candidate with an unanswered ping:
// that event is the controller's own write.
func TestEnqueue(t *testing.T) {
	for _, c := range []struct {
		says             string
		renewed, pinged  int64
		bringsItsLeaseIn bool
	}{
		{"no ping", 10 * second, never, true},
		{"pinged and not answered", 10 * second, 0, false},
		{"answered", 0, second, true},
		{"answered at the instant of the ping", second, second, true},
		{"pinged, never renewed", never, second, true},
		{"neither", never, never, true},
	} {
		for _, kind := range []InputKind{CandidateSeen, CandidateGone} {
			b := newBench(t)
			b.step(Input{Kind: Lead})
			b.step(Input{Kind: kind, Candidate: b.plain("a", c.renewed, c.pinged)})
			assert.Equal(t, c.bringsItsLeaseIn, len(b.out) > 0, c.says)
		}
	}
	b := newBench(t)
	b.step(Input{Kind: Lead})
	for _, kind := range []InputKind{LeaseSeen, LeaseSeen, LeaseGone} {
		b.step(Input{Kind: kind, Lease: b.lease("x", 15, 0)})
		b.expectEnd(NobodyToElect, 0)
	}
}

// A controller that does not lead only watches. One that starts leading reconciles everything; one that loses drops what waits and what is under
// way, and begins afresh the next time.
func TestLeadingBeginsWithEverything(t *testing.T) {
	b := newBench(t)
	b.see(b.plain("b", second, never))
	plain := b.lease("x", 15, 0)
	plain.Key = b.key("ordinary")
	b.step(Input{Kind: LeaseSeen, Lease: plain})
	b.see(b.plain("pending", second, 0))
	assert.Empty(t, b.out)
	assert.Equal(t, step.Never, b.m.NextWakeNs())

	b.step(Input{Kind: Lead})
	assert.Equal(t, b.key("ordinary"), b.lastReconcile().Key, "Leases come first")
	_, working := b.m.Working()
	assert.False(t, working, "the answer of pending is waited for")
	assert.Equal(t, requeueNs, b.m.NextWakeNs())
	b.step(Input{Kind: Lead})
	assert.Empty(t, b.out, "it leads already")

	b.step(Input{Kind: Lose})
	assert.Equal(t, step.Never, b.m.NextWakeNs(), "the delay is gone with the queue")
	b.step(Input{Kind: CandidateGone, Candidate: b.plain("pending", second, 0)})
	b.step(Input{Kind: Lead})
	create := b.request()
	assert.Equal(t, []string{"create lease l"}, b.sentRequests())
	b.step(Input{Kind: Lose})
	require.Len(t, b.out, 1)
	assert.Equal(t, Abort, b.out[0].Kind)
	assert.Equal(t, create.Serial, b.out[0].Request.Serial)
	b.answer(create.Serial, step.Success)
	assert.Empty(t, b.out, "the answer comes too late")
	b.step(Input{Kind: Lead})
	assert.Equal(t, []string{"create lease l"}, b.sentRequests())
	assert.NotEqual(t, create.Serial, b.request().Serial)
}

// During a reconcile of a key its events wait, once. What else is due waits behind it.
func TestOneWorker(t *testing.T) {
	b := newBench(t)
	b.step(Input{Kind: Lead})
	b.see(b.plain("a", 0, never))
	create := b.request()
	other := b.plain("z", 0, never)
	other.Spec.LeaseName = b.symbols.Intern("m")
	b.see(other, b.plain("a", 0, never), b.plain("a", 0, never))
	assert.Empty(t, b.out)
	b.answer(create.Serial, step.Success)
	assert.Equal(t, []string{"create lease m"}, b.sentRequests(), "first come, first served")
	b.answer(b.request().Serial, step.Success)
	assert.Equal(t, []string{"create lease l"}, b.sentRequests(), "and once")
}

// How a candidate stands, on both sides of every boundary.
func TestStanding(t *testing.T) {
	for _, c := range []struct {
		renewed, pinged int64
		newer, older    Standing
	}{
		{never, never, NeverRenewed, NeverRenewed},
		{never, second, NeverRenewed, NeverRenewed},
		{30*minute + micro, never, Expired, Expired},
		{30 * minute, never, Stale, Stale},
		{0, never, Fresh, Fresh},
		{5*second - micro, never, Fresh, Fresh},
		{5 * second, never, Stale, Stale},
		{10 * second, 5*second - micro, AwaitingAck, AwaitingAck},
		{10 * second, 5 * second, Unanswered, Unanswered},
		{10 * second, 6 * second, Unanswered, Unanswered},
		{5*second - micro, 5*second - 2*micro, AwaitingAck, AwaitingAck},
		{second, second, Fresh, Fresh},
		{second, 2 * second, Fresh, Fresh},
		{6 * second, 7 * second, Stale, Stale},
		{7 * second, 7 * second, Stale, Unanswered}, // an ack at the instant of the ping
		{5 * second, 5 * second, Unanswered, Unanswered},
		{-second, never, Fresh, Fresh},                  // a clock ahead
		{6 * second, -second, AwaitingAck, AwaitingAck}, // a ping from the future
	} {
		b := newBench(t)
		spec := b.plain("a", c.renewed, c.pinged).Spec
		assert.Equal(t, c.newer.String(), (&Config{}).standing(&spec, origin).String(), "%+v", c)
		assert.Equal(t, c.older.String(), (&Config{Body: Older}).standing(&spec, origin).String(), "%+v", c)
	}
}

// Why an election is necessary or not, in this order of reasons.
func TestNeed(t *testing.T) {
	for _, c := range []struct {
		says  string
		lease func(b *bench) Lease
		list  func(b *bench) []Candidate
		want  Need
	}{
		{"live, the holder is best", func(b *bench) Lease { return b.lease("a", 15, 15*second) }, nil, HolderIsBest},
		{"expired by a microsecond", func(b *bench) Lease { return b.lease("a", 15, 15*second+micro) }, nil, LeaseExpired},
		{"never renewed", func(b *bench) Lease { return b.lease("a", 15, never) }, nil, LeaseExpired},
		{"no duration", func(b *bench) Lease { return b.lease("a", 0, 0) }, nil, LeaseExpired},
		{"no holder", func(b *bench) Lease { return b.lease("-", 15, 0) }, nil, NoHolder},
		{"an empty holder", func(b *bench) Lease { return b.lease("", 15, 0) }, nil, NoHolder},
		{"another candidate holds", func(b *bench) Lease { return b.lease("b", 15, 0) }, nil, BetterCandidate},
		{"a silent one", nil, func(b *bench) []Candidate { return []Candidate{b.plain("a", 15*minute+micro, never)} }, SilentCandidate},
		{"almost silent", nil, func(b *bench) []Candidate { return []Candidate{b.plain("a", 15*minute, never)} }, HolderIsBest},
		{"a third party's strategy", nil, func(b *bench) []Candidate {
			return []Candidate{b.candidate("a", "1.36.0", "1.36.0", "x/y", 0, never)}
		}, ThirdParty},
		{"two strategies", nil, func(b *bench) []Candidate {
			return []Candidate{b.plain("a", 0, never), b.candidate("b", "1.36.0", "1.36.0", "x/y", 0, never)}
		}, StrategyConflict},
		{"versions that cannot be read", nil, func(b *bench) []Candidate {
			return []Candidate{b.candidate("a", "one", "1.36.0", oev, 0, never)}
		}, NoVersions},
		{"no Lease", func(*bench) Lease { return Lease{} }, nil, NoLease},
	} {
		b := newBench(t)
		b.m.Look(true)
		l := b.lease("a", 15, 0)
		if c.lease != nil {
			l = c.lease(b)
		}
		if l.Key.Name != 0 {
			b.step(Input{Kind: LeaseSeen, Lease: l})
		}
		list := []Candidate{b.plain("a", 6*second, never)}
		if c.list != nil {
			list = c.list(b)
		}
		b.see(list...)
		b.step(Input{Kind: Lead})
		if !c.want.Needed() {
			b.expectEnd(NotNeeded, requeueNs)
			assert.Equal(t, c.want, b.lastReconcile().Decision.Need, c.says)
			continue
		}
		assert.Equal(t, c.want, b.m.job.decision.Need, c.says)
	}
}

// The strategy is that of the highest binaryVersion; two strategies at the binaryVersion that leads so far are an error,
// even if a higher one stands further down the list.
func TestStrategy(t *testing.T) {
	type asks struct{ name, binary, strategy string }
	for _, c := range []struct {
		says string
		list []asks
		want string
	}{
		{"one", []asks{{"a", "1.36.0", oev}}, oev},
		{"the higher binary", []asks{{"a", "1.36.0", oev}, {"b", "1.37.0", "x/y"}}, "x/y"},
		{"the higher binary first", []asks{{"a", "1.37.0", oev}, {"b", "1.36.0", "x/y"}}, oev},
		{"a difference", []asks{{"a", "1.36.0", oev}, {"b", "1.36.0", "x/y"}}, "conflict a b"},
		{"a difference before the highest", []asks{{"a", "1.36.0", oev}, {"b", "1.36.0", "x/y"}, {"c", "1.37.0", oev}}, "conflict a b"},
		{"a difference after the highest", []asks{{"a", "1.37.0", oev}, {"b", "1.36.0", "x/y"}, {"c", "1.36.0", oev}}, oev},
		{"what does not parse is 0.0.0", []asks{{"a", "bad", "x/y"}, {"b", "0.0.1", oev}}, oev},
	} {
		b := newBench(t)
		var list []int32
		for i, a := range c.list {
			b.see(b.candidate(a.name, "1.0.0", a.binary, a.strategy, 0, never))
			list = append(list, int32(i))
		}
		strategy, _, differ, ok := b.m.strategyOf(list)
		got := b.symbols.Text(strategy)
		if !ok {
			got = "conflict " + b.symbols.Text(b.m.cache.candidates[differ.a].Name) + " " + b.symbols.Text(b.m.cache.candidates[differ.b].Name)
		}
		assert.Equal(t, c.want, got, c.says)
	}
}

// The older rule over lists.
func TestStrategyLists(t *testing.T) {
	for _, c := range []struct{ lists, want string }{
		{"X", "X"},
		{"X Y,X", "Y"},
		{"Y,X X", "Y"},
		{"X,Y Y,X", ""},
		{"X Y", ""},
		{"X,Y,Z Y,Z X,Y", "X"},
		{"X,Y X,Z", "X"},
		{"X,Z Y,Z", ""},
		{"A,B B,C C,B", ""},
		{"X,X", ""},
		{"X X X", "X"},
	} {
		b := newBench(t, lists)
		var list []int32
		for i, strategies := range strings.Fields(c.lists) {
			b.see(b.candidate(string(rune('a'+i)), "1.0.0", "1.0.0", strategies, 0, never))
			list = append(list, int32(i))
		}
		strategy, _, _, ok := b.m.strategyOf(list)
		assert.Equal(t, c.want != "", ok, c.lists)
		assert.Equal(t, c.want, b.symbols.Text(strategy), c.lists)
	}
	// Lists that contradict each other are a user error: the controller leaves the Lease alone.
	b := newBench(t, lists, older)
	b.see(b.candidate("a", "1.0.0", "1.0.0", oev+",x/y", 0, never), b.candidate("b", "1.0.0", "1.0.0", "x/y,"+oev, 0, never))
	b.step(Input{Kind: Lead})
	b.expectEnd(StrategiesDiffer, 0)
}

// Who wins: the oldest emulation, the oldest binary, the first created, the first by name. The controller reads
// versions generously; a candidate without readable ones cannot win.
func TestTheOrderOfCandidates(t *testing.T) {
	type one struct {
		name, emulation, binary string
		created                 int64
	}
	for _, c := range []struct {
		says string
		list []one
		want string
		by   Advantage
	}{
		{"emulation", []one{{"a", "1.36.0", "1.36.0", 1}, {"b", "1.35.0", "1.37.0", 2}}, "b", OlderEmulation},
		{"binary", []one{{"a", "1.36.0", "1.37.0", 1}, {"b", "1.36.0", "1.36.1", 2}}, "b", OlderBinary},
		{"a pre-release is older", []one{{"a", "1.36.0", "1.37.0", 1}, {"b", "1.36.0-alpha.1", "1.37.0", 2}}, "b", OlderEmulation},
		{"created", []one{{"a", "1.36.0", "1.36.0", 2}, {"b", "1.36.0", "1.36.0", 1}}, "b", CreatedEarlier},
		{"name", []one{{"b", "1.36.0", "1.36.0", 1}, {"a", "1.36.0", "1.36.0", 1}}, "a", NameBefore},
		{"tolerant", []one{{"a", "1.36.0", "1.36.0", 1}, {"b", "v1.35", "1.36", 2}}, "b", OlderEmulation},
		{"unreadable emulation", []one{{"a", "old", "1.36.0", 1}, {"b", "1.37.0", "1.37.0", 2}}, "b", VersionsRead},
		{"unreadable binary", []one{{"a", "1.36.0", "", 1}, {"b", "1.37.0", "1.37.0", 2}}, "b", VersionsRead},
	} {
		for _, backwards := range []bool{false, true} {
			b := newBench(t)
			b.m.Look(true)
			for i := range c.list {
				o := c.list[i]
				if backwards {
					o = c.list[len(c.list)-1-i]
				}
				n := b.candidate(o.name, o.emulation, o.binary, oev, 0, never)
				n.CreatedSeconds = o.created
				b.see(n)
			}
			b.step(Input{Kind: Lead})
			create := b.request()
			assert.Equal(t, c.want, b.symbols.Text(create.Lease.HolderIdentity), c.says)
			b.answer(create.Serial, step.Success)
			ranking := b.lastReconcile().Decision.Ranking
			require.Len(t, ranking, 2, c.says)
			assert.Equal(t, c.want, b.symbols.Text(ranking[0].Name), c.says)
			assert.Equal(t, c.by, ranking[1].Behind, c.says)
		}
	}
	// The controller reads a candidate again when its versions change, and keeps its place.
	b := newBench(t)
	b.see(b.plain("a", 0, never), b.plain("b", 0, never), b.candidate("b", "1.35.0", "1.36.0", oev, 0, never))
	b.step(Input{Kind: Lead})
	assert.Equal(t, "b", b.symbols.Text(b.request().Lease.HolderIdentity))
}

// The controller pings all stale candidates at once, oldest first, from its cache. The round ends with the last
// answer.
func TestPings(t *testing.T) {
	b := newBench(t)
	b.now = 77 * milli
	b.see(b.plain("b", 6*second, never), b.plain("a", 7*second, 8*second), b.plain("c", second, never))
	b.step(Input{Kind: Lead})
	assert.Equal(t, []string{"ping a", "ping b"}, b.sentRequests())
	first, second := b.out[0].Request, b.out[1].Request
	assert.Equal(t, b.micros(0), first.Candidate.PingTime)
	assert.Equal(t, b.micros(7*1_000_000_000), first.Candidate.RenewTime, "nothing else changes")
	assert.Equal(t, int64(7), first.ResourceVersion)
	b.answer(second.Serial, step.Success)
	assert.Empty(t, b.out)
	b.answer(second.Serial, step.Success)
	assert.Empty(t, b.out, "an answer counts once")
	b.answer(first.Serial, step.Success)
	b.expectEnd(AsksForAcks, requeueNs)

	// A failure ends the round and gives up the rest. Nobody wins in between.
	b = newBench(t)
	b.see(b.plain("a", 6*1_000_000_000, never), b.plain("b", 6*1_000_000_000, never), b.plain("c", 6*1_000_000_000, never))
	b.step(Input{Kind: Lead})
	third := b.out[2].Request
	b.answer(third.Serial-1, step.Conflict)
	assert.Equal(t, []OutputKind{Abort, Abort, Reconciled}, []OutputKind{b.out[0].Kind, b.out[1].Kind, b.out[2].Kind})
	assert.Equal(t, []int32{third.Serial - 2, third.Serial}, []int32{b.out[0].Request.Serial, b.out[1].Request.Serial})
	b.expectEnd(RequestFailed, requeueNs)
	b.answer(third.Serial, step.Success)
	assert.Empty(t, b.out)
}

// The older body pings one after the other and stops at the first failure.
func TestPingsOneByOne(t *testing.T) {
	b := newBench(t, older)
	b.see(b.plain("a", 6*second, never), b.plain("b", 6*second, never), b.plain("c", 6*second, never))
	b.step(Input{Kind: Lead})
	assert.Equal(t, []string{"ping a"}, b.sentRequests())
	b.answer(b.request().Serial, step.Success)
	assert.Equal(t, []string{"ping b"}, b.sentRequests())
	b.answer(b.request().Serial, step.NotFound)
	b.expectEnd(RequestFailed, requeueNs)
	assert.Empty(t, b.sentRequests())

	// An ack at the instant of the ping does not count there: the controller waits for a later one, without looking
	// again.
	b = newBench(t, older)
	b.see(b.plain("a", second, second))
	b.step(Input{Kind: Lead})
	b.expectEnd(AwaitsAcksOnly, 0)
	b = newBench(t)
	b.see(b.plain("a", second, second))
	b.step(Input{Kind: Lead})
	assert.Equal(t, []string{"create lease l"}, b.sentRequests())
}

// Which candidates the controller waits for, which ones it leaves out, and when none remains.
func TestAcks(t *testing.T) {
	b := newBench(t)
	b.see(b.plain("a", second, never), b.plain("b", 10*second, second))
	b.step(Input{Kind: Lead})
	b.expectEnd(AwaitsAcks, requeueNs)

	b = newBench(t) // five seconds after its ping, b no longer counts
	b.see(b.plain("a", second, never), b.candidate("b", "1.30.0", "1.30.0", oev, 10*second, 5*second))
	b.step(Input{Kind: Lead})
	assert.Equal(t, "a", b.symbols.Text(b.request().Lease.HolderIdentity))

	b = newBench(t)
	b.see(b.plain("a", 10*second, 6*second))
	b.step(Input{Kind: LeaseGone, Lease: b.lease("a", 5, 0)})
	b.step(Input{Kind: Lead})
	assert.Empty(t, b.out, "a candidate that owes an answer does not bring its Lease in")
	b.step(Input{Kind: LeaseGone, Lease: b.lease("a", 5, 0)})
	b.expectEnd(NobodyAcked, 0)
}

// A missing Lease gets created; the requeue comes five seconds after the answer.
func TestCreate(t *testing.T) {
	b := newBench(t)
	b.see(b.plain("a", 0, never))
	b.step(Input{Kind: Lead})
	spec := b.request().Lease
	assert.Equal(t, coordination.Record{
		HolderIdentity: b.symbols.Intern("a"), Strategy: b.symbols.Intern(oev), LeaseDurationSeconds: 5, RenewTime: b.micros(0),
		Present: coordination.HasHolderIdentity | coordination.HasStrategy | coordination.HasLeaseDurationSeconds | coordination.HasRenewTime,
	}, spec, "neither acquireTime nor leaseTransitions")
	b.now = 3 * milli
	b.answer(b.request().Serial, step.Success)
	b.expectEnd(LeaseCreated, requeueNs)
	assert.Equal(t, 3*milli+5*second, b.m.RequeueDueNs(b.key("l")))

	b = newBench(t) // a third party's strategy: a Lease without holder
	b.see(b.candidate("a", "1.36.0", "1.36.0", "x/y", 0, never))
	b.step(Input{Kind: Lead})
	spec = b.request().Lease
	assert.False(t, spec.Has(coordination.HasHolderIdentity))
	assert.Equal(t, "x/y", b.symbols.Text(spec.Strategy))

	for _, result := range []step.Result{step.Invalid, step.InternalError, step.Conflict} {
		b = newBench(t)
		b.see(b.plain("a", 0, never))
		b.step(Input{Kind: Lead})
		b.answer(b.request().Serial, result)
		b.expectEnd(RequestFailed, 0)
	}
}

// What the controller does to an existing Lease. It removes preferredHolder only when another candidate gets the
// Lease.
func TestAmend(t *testing.T) {
	type want struct {
		change    Change
		holder    string // "-" is absent
		preferred string
		fresh     bool // renewTime is now, duration 5, no acquireTime
	}
	for _, c := range []struct {
		says    string
		holder  string
		expired bool
		electee string // "" is a third party
		newer   want
		older   want
	}{
		{"the electee holds it", "a", false, "a", want{HolderStays, "a", "p", false}, want{HolderStays, "a", "p", false}},
		{"the electee's is expired: left as it is", "a", true, "a", want{HolderStays, "a", "p", false}, want{HolderStays, "a", "p", false}},
		{"a live holder is asked", "b", false, "a", want{AsksHolder, "b", "a", false}, want{AsksHolder, "b", "a", false}},
		{"an expired one is replaced", "b", true, "a", want{TakesOver, "a", "", true}, want{TakesOver, "a", "", true}},
		{"an empty holder", "", false, "a", want{FillsIn, "a", "", true}, want{FillsIn, "a", "", true}},
		{"an empty holder, expired", "", true, "a", want{FillsIn, "a", "", true}, want{FillsIn, "a", "", true}},
		{"no holder", "-", false, "a", want{change: Crashes}, want{change: Crashes}},
		{"no holder, expired", "-", true, "a", want{change: Crashes}, want{change: Crashes}},
		{"a third party", "b", true, "", want{NotOurs, "b", "p", false}, want{NotOurs, "b", "p", false}},
		{"a third party, empty holder", "", true, "", want{NotOurs, "", "p", false}, want{change: Crashes}},
		{"a third party, no holder", "-", true, "", want{NotOurs, "-", "p", false}, want{change: Crashes}},
	} {
		for _, body := range []Body{Newer, Older} {
			b := newBench(t)
			ago := int64(0)
			if c.expired {
				ago = 20 * second
			}
			l := b.lease(c.holder, 15, ago)
			l.Spec.AcquireTime, l.Spec.LeaseTransitions = b.micros(minute), 4
			l.Spec.Strategy, l.Spec.PreferredHolder = b.symbols.Intern("old"), b.symbols.Intern("p")
			l.Spec.Present |= coordination.HasAcquireTime | coordination.HasLeaseTransitions | coordination.HasStrategy | coordination.HasPreferredHolder
			w := c.newer
			if body == Older {
				w = c.older
			}
			config := Config{Body: body}
			electee, strategy := b.symbols.Intern(c.electee), b.symbols.Intern("s/t")
			spec, change := config.amend(&l.Spec, electee, strategy, origin)
			require.Equal(t, w.change.String(), change.String(), "%s, body %d", c.says, body)
			if change == Crashes {
				config.NilHolder = Intended
				spec, change = config.amend(&l.Spec, electee, strategy, origin)
				if c.electee != "" {
					require.Equal(t, FillsIn, change, c.says)
					w = want{holder: "a", fresh: true}
				} else {
					require.Equal(t, NotOurs, change, c.says)
					w = want{holder: c.holder, preferred: "p"}
				}
			}
			assert.Equal(t, strategy, spec.Strategy, c.says)
			assert.Equal(t, int32(4), spec.LeaseTransitions, "%s: the controller does not count", c.says)
			assert.Equal(t, w.holder != "-", spec.Has(coordination.HasHolderIdentity), c.says)
			assert.Equal(t, strings.Trim(w.holder, "-"), b.symbols.Text(spec.HolderIdentity), c.says)
			assert.Equal(t, w.preferred, b.symbols.Text(spec.PreferredHolder), c.says)
			assert.Equal(t, w.preferred != "", spec.Has(coordination.HasPreferredHolder), c.says)
			assert.Equal(t, w.fresh, spec.RenewTime == b.micros(0) && spec.LeaseDurationSeconds == 5 && !spec.Has(coordination.HasAcquireTime), c.says)
		}
	}
}

// existing lets the controller find a Lease that its cache does not show.
func (b *bench) existing(l Lease) []Output {
	b.t.Helper()
	b.answer(b.request().Serial, step.AlreadyExists)
	require.Equal(b.t, []string{"get lease l"}, b.sentRequests())
	return b.step(Input{Kind: Answer, Serial: b.request().Serial, Lease: l})
}

// An update carries the version that was just read; whatever error it meets, only an event brings the key back.
func TestUpdate(t *testing.T) {
	for result, want := range map[step.Result]Outcome{step.Success: LeaseUpdated, step.Conflict: RequestFailed, step.NotFound: RequestFailed} {
		b := newBench(t)
		b.see(b.plain("a", 0, never))
		b.step(Input{Kind: Lead})
		b.existing(b.lease("b", 15, 0))
		r := b.request()
		assert.Equal(t, []string{"update lease l"}, b.sentRequests())
		assert.Equal(t, []int64{3, 9}, []int64{r.ResourceVersion, int64(r.UID)})
		b.answer(r.Serial, result)
		requeue := int64(0)
		if want == LeaseUpdated {
			requeue = requeueNs
		}
		b.expectEnd(want, requeue)
	}
	b := newBench(t)
	b.see(b.plain("a", 0, never))
	b.step(Input{Kind: Lead})
	b.answer(b.request().Serial, step.AlreadyExists)
	b.answer(b.request().Serial, step.NotFound)
	b.expectEnd(RequestFailed, 0)

	b = newBench(t) // nothing to change, though the Lease has expired
	b.see(b.plain("a", 0, never))
	b.step(Input{Kind: Lead})
	l := b.lease("a", 5, 20*second)
	l.Spec.Strategy, l.Spec.Present = b.symbols.Intern(oev), l.Spec.Present|coordination.HasStrategy
	b.existing(l)
	assert.Empty(t, b.sentRequests())
	b.expectEnd(Unchanged, requeueNs)
}

// One Lease without holderIdentity ends the process, or gets its holder: as the world chooses.
func TestNilHolder(t *testing.T) {
	b := newBench(t)
	b.see(b.plain("a", 0, never))
	b.step(Input{Kind: Boot})
	b.step(Input{Kind: Lead})
	b.existing(b.lease("-", 0, never))
	b.expectEnd(ServerCrashed, 0)
	assert.Equal(t, Crashed, b.out[len(b.out)-1].Kind)
	b.see(b.plain("b", 0, never))
	assert.Empty(t, b.out, "nothing runs any more")

	b = newBench(t, setIntended)
	b.see(b.plain("a", 0, never))
	b.step(Input{Kind: Lead})
	b.existing(b.lease("-", 0, never))
	assert.Equal(t, "a", b.symbols.Text(b.request().Lease.HolderIdentity))
}

// A requeue reconciles again five seconds after the end of the work, or at the earliest pending delay.
func TestRequeue(t *testing.T) {
	b := newBench(t)
	b.step(Input{Kind: Lead})
	b.see(b.plain("a", 0, never))
	b.answer(b.request().Serial, step.Success) // 0: created, again at 5 s
	b.now = 2 * second
	b.step(Input{Kind: LeaseSeen, Lease: b.lease("a", 5, 2*second)}) // the delay of 7 s is the later one
	b.expectEnd(NotNeeded, requeueNs)
	assert.Equal(t, 5*second, b.m.NextWakeNs())
	b.wake()
	b.expectEnd(NotNeeded, requeueNs) // 5 s after renewTime a Lease of 5 s has not expired yet
	b.wake()
	assert.Equal(t, 10*second, b.now)
	assert.Equal(t, []string{"ping a"}, b.sentRequests())
}

// The collector works at the start and half an hour after each end of its work. It deletes only candidates that have
// also expired in the API, and continues after errors.
func TestCollector(t *testing.T) {
	b := newBench(t)
	b.see(b.plain("dead", 31*minute, never), b.plain("fresh", 0, never), b.plain("never", never, never), b.plain("back", 31*minute, never), b.plain("gone", 31*minute, never))
	b.step(Input{Kind: Boot})
	assert.Equal(t, []string{"get candidate back"}, b.sentRequests())
	b.step(Input{Kind: Answer, Serial: b.request().Serial, Candidate: b.plain("back", 0, never)})
	assert.Equal(t, []string{"get candidate dead"}, b.sentRequests(), "back has renewed since")
	b.step(Input{Kind: Answer, Serial: b.request().Serial, Candidate: b.plain("dead", 31*minute, never)})
	assert.Equal(t, []string{"delete candidate dead"}, b.sentRequests())
	b.answer(b.request().Serial, step.InternalError)
	assert.Equal(t, []string{"get candidate gone"}, b.sentRequests())
	b.answer(b.request().Serial, step.NotFound)
	assert.Equal(t, []string{"get candidate never"}, b.sentRequests())
	assert.Equal(t, step.Never, b.m.NextWakeNs(), "no round begins during a round")
	b.now = 2 * second
	b.step(Input{Kind: Answer, Serial: b.request().Serial, Candidate: b.plain("never", never, never)})
	b.answer(b.request().Serial, step.Success)
	assert.Equal(t, 2*second+30*minute, b.m.NextWakeNs())
	b.wake()
	assert.Equal(t, []string{"get candidate back"}, b.sentRequests())
	b.step(Input{Kind: Lose})
	assert.Empty(t, b.out, "the collector works without leading, too")
}

// Half an hour is not over at half an hour.
func TestCollectorBoundary(t *testing.T) {
	b := newBench(t)
	b.see(b.plain("a", 30*minute, never))
	b.step(Input{Kind: Boot})
	assert.Empty(t, b.out)
	b = newBench(t)
	b.see(b.plain("a", 30*minute+micro, never))
	b.step(Input{Kind: Boot})
	assert.Equal(t, []string{"get candidate a"}, b.sentRequests())
}

// A clone in the middle of a round goes its own way.
func TestClone(t *testing.T) {
	b := newBench(t)
	b.m.Look(true)
	b.see(b.plain("a", 6*second, never), b.plain("b", 6*second, never))
	b.step(Input{Kind: Lead})
	requests := []int32{b.out[0].Request.Serial, b.out[1].Request.Serial}
	other := *b
	other.m = b.m.Clone()
	b.answer(requests[0], step.Conflict)
	b.expectEnd(RequestFailed, requeueNs)
	b.see(b.plain("c", 0, never))
	other.answer(requests[0], step.Success)
	other.answer(requests[1], step.Success)
	other.expectEnd(AsksForAcks, requeueNs)
	assert.Len(t, other.lastReconcile().Decision.Writes, 2)
	assert.Len(t, other.m.cache.candidates, 2)
}

// A reconcile that changes nothing costs no memory.
func TestDecisionsCostNothingUnasked(t *testing.T) {
	b := newBench(t)
	b.see(b.plain("a", 6*second, never), b.plain("b", 6*second, never))
	b.step(Input{Kind: Lead})
	b.answer(b.out[0].Request.Serial, step.Conflict)
	in := Input{Kind: LeaseSeen, Lease: b.lease("a", 15, 0)}
	at := step.Reading{Wall: origin}
	out := make([]Output, 0, 8)
	out = b.m.Step(at, in, out[:0])
	require.Nil(t, out[0].Decision)
	assert.Zero(t, testing.AllocsPerRun(100, func() { out = b.m.Step(at, in, out[:0]) }))
	b.m.Look(true)
	out = b.m.Step(at, in, out[:0])
	require.NotNil(t, out[0].Decision)
}

// Chance prefers the oldest of few candidates: testdata/ties.txt has the choices of a real kube-apiserver, whose Lease
// was deleted again and again. Each line has the number of candidates and then the choices. In a map of more than eight
// candidates, each one has a place that the process draws, so only a smaller map tells something.
func TestTiesFlapAsOften(t *testing.T) {
	text, err := os.ReadFile("testdata/ties.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		number, choices, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		real := make([]int, n)
		for _, c := range choices {
			real[c-'a']++
		}
		const draws = 10_000
		drawn := make([]int, n)
		m := &Machine{config: Config{Flaps: true, Chance: random.New(1)}}
		m.cache.candidates = make([]candidate, n)
		for range draws {
			m.job.list = m.job.list[:0]
			for i := range n {
				m.job.list = append(m.job.list, int32(i))
			}
			m.orderByChance(0)
			drawn[m.job.list[0]]++
		}
		// The letters of a real run say who was created first only by how often they were chosen.
		slices.Sort(real)
		slices.Sort(drawn)
		for i := range n {
			assert.InDelta(t, float64(real[i])/float64(len(choices)), float64(drawn[i])/draws, 0.05, "%d candidates", n)
		}
	}
}

// With Flaps, chance decides among equal candidates at each reconcile, and only among them: the order of the list does
// not change who is older. The seed determines the sequence, and a clone continues it.
func TestTiesFlap(t *testing.T) {
	flap := func(seed uint64) func(*Config) {
		return func(c *Config) { c.Flaps, c.Chance = true, random.New(seed) }
	}
	elections := func(created int64, change ...func(*Config)) (winners string, by Advantage) {
		b := newBench(t, change...)
		b.m.Look(true)
		for i, name := range []string{"a", "b"} {
			n := b.candidate(name, "1.36.0", "1.36.0", oev, 0, never)
			n.CreatedSeconds = 5 + created*int64(i)
			b.see(n)
		}
		b.step(Input{Kind: Lead})
		for range 16 {
			create := b.request()
			winners += b.symbols.Text(create.Lease.HolderIdentity)
			copied := b.m.Clone()
			b.answer(create.Serial, step.InternalError)
			by = b.lastReconcile().Decision.Ranking[1].Behind
			b.m = copied
			b.answer(create.Serial, step.InternalError)
			b.step(Input{Kind: LeaseGone, Lease: Lease{Key: create.Key}})
		}
		return winners, by
	}
	first, by := elections(0, flap(1))
	assert.Equal(t, ByChance, by)
	assert.Contains(t, first, "a")
	assert.Contains(t, first, "b")
	again, _ := elections(0, flap(1))
	assert.Equal(t, first, again, "one seed, one sequence")
	other, _ := elections(0, flap(2))
	assert.NotEqual(t, first, other, "another seed")
	ordered, by := elections(0)
	assert.Equal(t, strings.Repeat("a", 16), ordered, "the default is a total order")
	assert.Equal(t, NameBefore, by)
	older, by := elections(-1, flap(1))
	assert.Equal(t, strings.Repeat("b", 16), older, "b is older, whatever the order")
	assert.Equal(t, CreatedEarlier, by)
}
