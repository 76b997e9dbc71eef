package world

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/random"
)

// Stream is a stream of random numbers that a candidate keeps.
type Stream = random.Stream

// NamedStream returns the random stream of one concern of one candidate. Each concern of each candidate has its own, so
// that one fault or candidate more does not shift the draws of the others.
func NamedStream(seed uint64, concern, candidate string) random.Stream {
	s := random.New(seed)
	s = random.New(s.Uint64() ^ coordination.Hash64(concern))
	s = random.New(s.Uint64() ^ coordination.Hash64(candidate))
	return random.New(s.Uint64())
}

// recordedStep is the distance between the seeds of the recorded candidates' jitter streams.
const recordedStep = 0xD1342543DE82EF95

// RecordedStream returns the jitter stream of candidate number index in the recorded client-go traces.
func RecordedStream(seed uint64, index int) random.Stream {
	return random.New(seed + uint64(index+1)*recordedStep)
}
