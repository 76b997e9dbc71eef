package world

import "github.com/leaselab/leaselab/core/random"

// Reseed gives a world another future: every stream of randomness goes on with draws that are a function of the
// scenario's seed and the salt, and so do the streams of whoever joins later. What has been drawn already stays: a wait
// under way, a request on the wire. Draws that the scenario itself lists are no randomness and stay too.
//
// A file that adds a Stream to the world renews it here; TestReseedReachesEveryStream finds one that was forgotten.
func (w *World) Reseed(salt uint64) {
	mixed := random.New(w.setup.Seed ^ 0x7265726f6c6c) // "reroll"
	mixed = random.New(mixed.Uint64() + salt)
	setup := *w.setup
	setup.Seed, setup.Recorded = mixed.Uint64(), false
	w.setup = &setup
	for i := range w.nodes {
		n := &w.nodes[i]
		name := setup.Symbols.Text(n.name)
		n.jitter = NamedStream(setup.Seed, "jitter", name)
		n.way = NamedStream(setup.Seed, "latency", name)
	}
}
