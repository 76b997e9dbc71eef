package world

import "github.com/leaselab/leaselab/core/random"

// Reseed gives a world another future. From now on the scenario's seed and the salt determine every random stream,
// including the streams of candidates that join later. Past draws stay, such as the draw of a wait under way or of a
// request on the wire. The draws in the scenario's lists stay, too.
//
// Reseed renews every stream of the world; TestReseedReachesEveryStream fails if Reseed leaves one out.
func (w *World) Reseed(salt uint64) {
	mixed := random.New(w.setup.Seed ^ 0x7265726f6c6c) // "reroll"
	mixed = random.New(mixed.Uint64() + salt)
	setup := *w.setup
	setup.Seed, setup.Recorded = mixed.Uint64(), false
	w.setup = &setup
	for i := range w.nodes {
		n := &w.nodes[i]
		c := &w.settings[n.settings]
		n.jitter, n.latencies = c.stream(&setup, "jitter"), c.stream(&setup, "latency")
	}
	w.net.rules.Reseed(setup.Seed)
	w.clients.reseed(w)
	w.servers.reseed(w)
}
