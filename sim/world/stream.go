package world

import "github.com/leaselab/leaselab/core/coordination"

// Stream is a splitmix64 generator: one per concern and node, so that a fault or a node more shifts nobody else's draws.
type Stream struct{ state uint64 }

// NamedStream is the stream of one concern of one candidate under a seed.
func NamedStream(seed uint64, concern, candidate string) Stream {
	s := Stream{state: seed}
	s.state = s.Uint64() ^ coordination.Hash64(concern)
	s.state = s.Uint64() ^ coordination.Hash64(candidate)
	s.state = s.Uint64()
	return s
}

// recordedStep is the constant that set the recorded candidates' jitter streams apart.
const recordedStep = 0xD1342543DE82EF95

// RecordedStream is the jitter stream of candidate number index in the recorded client-go traces.
func RecordedStream(seed uint64, index int) Stream {
	return Stream{state: seed + uint64(index+1)*recordedStep}
}

// Uint64 returns the next 64 bits.
func (s *Stream) Uint64() uint64 {
	s.state += 0x9E3779B97F4A7C15
	z := s.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Float64 returns the next number in [0,1), with 53 bits.
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) / (1 << 53) }
