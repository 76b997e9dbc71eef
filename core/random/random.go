// Package random draws numbers and UUIDs from a seed. A Stream is one sequence; NamedStream gives each concern of
// each node its own.
//
// Guarantee: a stream is a value, and the same state gives the same numbers on every platform. Non-guarantee: the
// numbers are not secret, and the package reads no entropy: the caller chooses the seed.
package random

import "fmt"

// Stream is a splitmix64 generator.
// Source: https://prng.di.unimi.it/splitmix64.c.
type Stream struct{ state uint64 }

// New returns the stream that starts at a state.
func New(state uint64) Stream { return Stream{state} }

// Uint64 draws the next 64 bits.
func (s *Stream) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Float64 draws a number in [0,1) with 53 random bits.
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) / (1 << 53) }

// UUID draws a version 4 UUID (RFC 9562) from two numbers of the stream.
func (s *Stream) UUID() string {
	high, low := s.Uint64(), s.Uint64()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&(1<<48-1))
}
