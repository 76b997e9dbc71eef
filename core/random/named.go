package random

import "github.com/leaselab/leaselab/core/coordination"

// NamedStream returns the stream of one concern of one node under a seed. Every pair of concern and node has its own
// stream, so adding a fault or a node leaves all other draws unchanged.
func NamedStream(seed uint64, concern, node string) Stream {
	s := New(seed)
	s = New(s.Uint64() ^ coordination.Hash64(concern))
	s = New(s.Uint64() ^ coordination.Hash64(node))
	return New(s.Uint64())
}

// Step is the distance between the seeds of two consecutive numbered streams.
const Step = 0xD1342543DE82EF95

// RecordedStream returns the jitter stream of the candidate with this index, from 0, in the recorded client-go
// traces.
func RecordedStream(seed uint64, index int) Stream { return New(seed + uint64(index+1)*Step) }
