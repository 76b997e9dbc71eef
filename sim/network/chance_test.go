package network

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// half are the draws of a rule that takes effect on half of the messages.
func half(stream uint64) Draws { return Draws{Chance: ChanceOf(0.5), Stream: stream} }

func TestChanceOf(t *testing.T) {
	for _, p := range []float64{1, 0.5, 0.3, 1e-9, 1e-300, 1 - 1e-16} {
		assert.InEpsilon(t, max(p, 1.0/(1<<63)/2), ChanceOf(p).Probability(), 1e-9, "%g", p)
	}
	assert.Zero(t, ChanceOf(1), "every message")
}

// outcomes are the fates of requests that leave one millisecond apart.
func outcomes(r *Rules, client int32) (fates []FateKind) {
	l := &Link{Client: client, Server: None}
	for now := int64(0); now < 1000*ms; now += ms {
		q := &Request{SentNs: now}
		fates = append(fates, leave(r, now, l, q).Kind)
	}
	return fates
}

func count(fates []FateKind, kind FateKind) (n int) {
	for _, f := range fates {
		if f == kind {
			n++
		}
	}
	return n
}

// A fault with a chance meets about that share of the requests. Count counts the requests that it meets.
func TestAFaultByChance(t *testing.T) {
	fault := Fault{Client: Everybody, Verb: AnyVerb, Kind: RefuseConnection, Draws: half(7)}
	r := New(1, 1, Capacity{}, Scripted{Faults: []Fault{fault}})
	assert.InDelta(t, 500, count(outcomes(&r, 7), Refused), 60)
	fault.Count = 3
	r = New(1, 1, Capacity{}, Scripted{Faults: []Fault{fault}})
	assert.Equal(t, 3, count(outcomes(&r, 7), Refused))
}

// The draws of a rule depend on the seed, the rule and the client, and on nothing else: a rule beside it changes none of them.
func TestDrawsAreTheirOwn(t *testing.T) {
	of := func(seed, stream uint64, client int32, others ...Fault) []FateKind {
		r := New(seed, 1, Capacity{}, Scripted{Faults: append(others, Fault{Client: Everybody, Verb: AnyVerb, Kind: RefuseConnection, Draws: half(stream)})})
		return outcomes(&r, client)
	}
	alone := of(1, 7, 7)
	assert.Equal(t, alone, of(1, 7, 7))
	assert.Equal(t, alone, of(1, 7, 7, Fault{Client: Everybody, Verb: AnyVerb, Kind: Http500, Draws: Draws{Chance: 1, Stream: 8}}))
	assert.NotEqual(t, alone, of(2, 7, 7))
	assert.NotEqual(t, alone, of(1, 8, 7))
	assert.NotEqual(t, alone, of(1, 7, 8))
}

// A message has one draw for each cut: what passes when it leaves also passes when it arrives, and what a cut holds
// stays held. Its answer has another draw.
func TestACutByChance(t *testing.T) {
	cut := Cut{Client: 7, Hold: Hold, Draws: half(3)}
	r, l := New(1, 1, Capacity{}, Scripted{Cuts: []Cut{cut}}), linkTo(None)
	up, down, both := 0, 0, 0
	for now := int64(0); now < 1000*ms; now += ms {
		q := &Request{SentNs: now}
		left, answered := leave(&r, now, l, q).Kind, r.Answer(now+2*ms, l, q).Kind
		assert.Equal(t, left, r.Arrive(now+2*ms, l, q).Kind)
		assert.Equal(t, answered, r.Hear(now+5*ms, now+5*ms, l, q).Kind)
		if left == Held {
			up++
			assert.Equal(t, Held, r.Resume(now+9*ms, l, q, HeldUp).Kind)
		}
		if answered == Held {
			down++
			assert.Equal(t, Held, r.Resume(now+9*ms, l, q, HeldDown).Kind)
		}
		if left == Held && answered == Held {
			both++
		}
	}
	assert.InDelta(t, 500, up, 60)
	assert.InDelta(t, 500, down, 60)
	assert.InDelta(t, 250, both, 60)
}

// A connection that loses some of its messages is not dead.
func TestAConnectionWithLossesIsNotDead(t *testing.T) {
	l := linkTo(None)
	for _, c := range []struct {
		draws Draws
		dead  bool
	}{{Draws{}, true}, {half(1), false}} {
		r := New(1, 1, Capacity{}, Scripted{Cuts: []Cut{{Client: 7, Draws: c.draws}}})
		assert.Equal(t, c.dead, r.FoundDead(60_000*ms, l, 45_000*ms))
	}
}

// Asking how long a request would stay at a server changes nothing there.
func TestStay(t *testing.T) {
	r := New(1, 1, Capacity{ServiceNs: 1000 * ms, Queue: 1}, Scripted{})
	for n, want := range []struct {
		ns   int64
		away bool
	}{{1000 * ms, false}, {2000 * ms, false}, {0, true}} {
		for range 3 {
			ns, away := r.Stay(0, 0)
			assert.Equal(t, want.ns, ns, "%d", n)
			assert.Equal(t, want.away, away, "%d", n)
		}
		r.Arrive(0, linkTo(None), &Request{})
	}
	ns, away := (&Rules{}).Stay(0, 0)
	assert.Zero(t, ns)
	assert.False(t, away)
}

// Two rules that name one stream draw from two: together they stop three quarters of the messages, not the half that one stops. The
// first draws as it does alone.
func TestEqualRulesDrawApart(t *testing.T) {
	of := func(begin func(*Rules), times int) int {
		r := New(1, 1, Capacity{}, Scripted{})
		for range times {
			begin(&r)
		}
		return 1000 - count(outcomes(&r, 7), Delivered)
	}
	for name, begin := range map[string]func(*Rules){
		"cut": func(r *Rules) { r.BeginCut(Cut{Client: Everybody, Draws: half(7)}) },
		"fault": func(r *Rules) {
			r.BeginFault(Fault{Client: Everybody, Verb: AnyVerb, Kind: RefuseConnection, Draws: half(7)})
		},
	} {
		assert.InDelta(t, 500, of(begin, 1), 60, name)
		assert.InDelta(t, 750, of(begin, 2), 60, name)
		assert.InDelta(t, 875, of(begin, 3), 60, name)
	}
	one, two := New(1, 1, Capacity{}, Scripted{}), New(1, 1, Capacity{}, Scripted{})
	one.BeginCut(Cut{Client: Everybody, Draws: half(7)})
	two.BeginCut(Cut{Client: Everybody, Draws: half(7)})
	two.BeginCut(Cut{Client: Everybody, Draws: half(7)})
	alone := outcomes(&one, 7)
	for k, fate := range outcomes(&two, 7) {
		if alone[k] == Lost {
			assert.Equal(t, Lost, fate)
		}
	}
}
