package network

import "github.com/leaselab/leaselab/core/random"

// Chance is the share of messages that a rule affects, in units of 2^-64; 0 means all messages.
type Chance uint64

// ChanceOf converts a probability above 0 and up to 1.
func ChanceOf(probability float64) Chance {
	if probability >= 1 {
		return 0
	}
	return max(1, Chance(probability*(1<<64)))
}

// Probability returns the chance as a number above 0 and not above 1.
func (c Chance) Probability() float64 {
	if c == 0 {
		return 1
	}
	return float64(c) / (1 << 64)
}

// Draws determines which messages a rule affects. Each message has one draw from the stream of the rule. The draw
// depends only on the client, the instant of sending, the verb, the resource and the leg. So every gate that asks about
// a message gets the same answer, and other rules and messages do not affect the draw.
type Draws struct {
	Chance Chance
	Stream uint64 // number of the rule's stream
}

// ownStream gives a new rule a stream that no earlier rule draws from. Two acts with the same settings name the same
// stream. If both drew from that stream, the second would only hit messages that the first has already hit.
func (d *Draws) ownStream(earlier int, draws func(int) *Draws) {
	for i := 0; i < earlier && d.Chance != 0; i++ {
		if other := draws(i); other.Chance != 0 && other.Stream == d.Stream {
			next := random.New(d.Stream)
			d.Stream, i = next.Uint64(), -1 // start over with the first rule
		}
	}
}

// leg is the part of an exchange that a draw is about.
type leg uint8

const (
	legUp    leg = iota // a cut that stops a request
	legDown             // a cut that stops an answer or a watch event
	legFault            // a fault that changes a request
)

var legOf = [...]leg{Up: legUp, Down: legDown}

// `hits` reports whether the rule affects a message of a client.
func (d *Draws) hits(seed uint64, client int32, q *Request, of leg) bool {
	if d.Chance == 0 {
		return true
	}
	stream := random.New(seed ^ d.Stream)
	stream = random.New(stream.Uint64() ^ uint64(q.SentNs))
	stream = random.New(
		stream.Uint64() ^ (uint64(uint32(client))<<32 | uint64(q.Verb)<<16 | uint64(q.Resource)<<8 | uint64(of)))
	return stream.Uint64() < uint64(d.Chance)
}
