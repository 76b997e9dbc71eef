package trace

import "github.com/leaselab/leaselab/core/coordination"

// Hash is the running hash of a trace: 64 bits over the records in execution order. It covers every field except
// Control. For a text it covers the contents, never the symbol number. For a draw it covers the bits. It leaves out
// Control: when the user saves a live run as a scenario, an act gets a different number, but the run stays the same.
type Hash uint64

// EmptyHash is the hash of a trace without records.
const EmptyHash Hash = 0x6c656173656c6162

// These are four odd numbers, one for each word that mix takes.
const (
	factor0 = 0x9E3779B97F4A7C15
	factor1 = 0xBF58476D1CE4E5B9
	factor2 = 0x94D049BB133111EB
	factor3 = 0xD6E8FEB86659FD93
)

// `with` returns the hash with another word mixed in. The methods below pass the hash by value. With a pointer, the
// compiler would load and store the hash again for each word, which took 6 % of a run.
func (h Hash) with(w uint64) Hash {
	x := fold(uint64(h)^w) * factor0
	return Hash(x ^ x>>29)
}

// mix returns the hash with four more words mixed in. The processor multiplies them at the same time, so four cost
// little more than one.
func (h Hash) mix(w0, w1, w2, w3 uint64) Hash {
	x := fold(uint64(h)^w0)*factor0 + fold(w1)*factor1 + fold(w2)*factor2 + fold(w3)*factor3
	return Hash(x ^ x>>29)
}

// `fold` copies the high bits of a word down. Otherwise the high bits would affect only the high bits of a product.
func fold(w uint64) uint64 { return w ^ w>>32 }

// Add adds the next record.
func (h *Hash) Add(r *Record, symbols *coordination.Symbols) { *h = h.add(r, symbols) }

// add returns the hash with a record mixed in. No two fields share bits of a word. Most records have no name.
func (h Hash) add(r *Record, symbols *coordination.Symbols) Hash {
	small := uint64(r.Kind) | uint64(r.Verb)<<8 | uint64(r.Result)<<16 | uint64(r.Outcome)<<24 |
		uint64(r.Fault)<<32 | uint64(r.Object)<<40 | uint64(uint16(r.Run))<<48
	h = h.mix(uint64(r.At), small, pair(r.Candidate, r.Seq), uint64(uint32(r.c)))
	h = h.mix(uint64(r.a), uint64(r.b), uint64(r.ResourceVersion), uint64(r.Spec.Present))
	if r.Name != 0 {
		h = h.with(symbols.Hash(r.Name))
	}
	if r.Spec.Present != 0 {
		h = h.spec(&r.Spec, symbols)
	}
	return h
}

// spec mixes in the fields of a Lease, if the record has any.
func (h Hash) spec(s *coordination.Record, symbols *coordination.Symbols) Hash {
	numbers := pair(s.LeaseDurationSeconds, s.LeaseTransitions)
	h = h.mix(uint64(s.AcquireTime), uint64(s.RenewTime), numbers, symbols.Hash(s.HolderIdentity))
	if s.Present&(coordination.HasStrategy|coordination.HasPreferredHolder) != 0 {
		h = h.with(symbols.Hash(s.Strategy)).with(symbols.Hash(s.PreferredHolder))
	}
	return h
}

// pair packs two numbers into one word.
func pair(low, high int32) uint64 { return uint64(uint32(low)) | uint64(uint32(high))<<32 }

const hexDigits = "0123456789abcdef"

// String returns 16 hex digits.
func (h Hash) String() string {
	var b [16]byte
	for i := range b {
		b[i] = hexDigits[uint64(h)>>(60-4*i)&15]
	}
	return string(b[:])
}
