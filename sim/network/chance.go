package network

import "github.com/leaselab/leaselab/core/random"

// Chance is the share of messages, in 2^-64, that a rule takes effect on; 0: all of them.
type Chance uint64

// ChanceOf is the chance of a probability above 0 and up to 1.
func ChanceOf(probability float64) Chance {
	if probability >= 1 {
		return 0
	}
	return max(1, Chance(probability*(1<<64)))
}

// Probability is the chance as a number above 0 and up to 1.
func (c Chance) Probability() float64 {
	if c == 0 {
		return 1
	}
	return float64(c) / (1 << 64)
}

// Draws says on which messages a rule takes effect. A message has one draw from the stream of the rule, by the client,
// the instant at which it was sent, its verb, its resource and its leg. So each gate that asks about a message gets the
// same answer, and other rules and messages change no draw.
type Draws struct {
	Chance Chance
	Stream uint64 // the number of the rule's stream
}

// ownStream gives a new rule a stream that no earlier rule draws from. Two acts that say the same name the same stream:
// if both drew from it, the second would take effect on the messages that the first has taken already, and on no other.
func (d *Draws) ownStream(earlier int, draws func(int) *Draws) {
	for i := 0; i < earlier && d.Chance != 0; i++ {
		if other := draws(i); other.Chance != 0 && other.Stream == d.Stream {
			next := random.New(d.Stream)
			d.Stream, i = next.Uint64(), -1 // and from the first rule again
		}
	}
}

// leg is what a draw is about.
type leg uint8

const (
	legUp    leg = iota // a cut of a request
	legDown             // a cut of an answer, or of an event of a watch
	legFault            // a fault of a request
)

var legOf = [...]leg{Up: legUp, Down: legDown}

// hit reports whether the rule takes effect on a message of a client.
func (d *Draws) hit(seed uint64, client int32, q *Request, of leg) bool {
	if d.Chance == 0 {
		return true
	}
	stream := random.New(seed ^ d.Stream)
	stream = random.New(stream.Uint64() ^ uint64(q.SentNs))
	stream = random.New(
		stream.Uint64() ^ (uint64(uint32(client))<<32 | uint64(q.Verb)<<16 | uint64(q.Resource)<<8 | uint64(of)))
	return stream.Uint64() < uint64(d.Chance)
}
