package trace

import "github.com/leaselab/leaselab/core/coordination"

// Hash is the running hash of a trace: 64 bits over fixed-width integers in execution order. It takes texts by their
// contents, never by their symbol number, and draws by their bits.
type Hash uint64

// EmptyHash is the hash of a trace without records.
const EmptyHash Hash = 0x6c656173656c6162

const hashMultiplier = 0x9E3779B97F4A7C15

// with returns the hash with another word. The methods below pass the hash by value: one that lived behind a pointer
// would be stored and loaded again for each word, which took 6 % of a run.
func (h Hash) with(w uint64) Hash {
	x := (uint64(h) ^ w) * hashMultiplier
	return Hash(x ^ x>>29)
}

// Add adds the next record.
func (h *Hash) Add(r *Record, symbols *coordination.Symbols) { *h = h.add(r, symbols) }

// add returns the hash with a record. The kind decides which words of the payload count, and in which order.
func (h Hash) add(r *Record, symbols *coordination.Symbols) Hash {
	h = h.with(uint64(r.At))
	h = h.with(
		uint64(r.Kind) | uint64(r.Verb)<<8 | uint64(r.Result)<<16 | uint64(r.Outcome)<<24 | uint64(
			r.Fault)<<32 | uint64(r.Object)<<40 | uint64(uint16(r.Run))<<48)
	h = h.with(uint64(uint32(r.Candidate)) | uint64(uint32(r.Seq|r.c))<<32)
	switch r.Kind {
	case CandidateStored, CandidatePinged, RolledBack:
		h = h.with(uint64(r.ResourceVersion))
		fallthrough
	case Decided, CapacityChanged, Reconnected, NodeReady, NodeNotReady, ClockChanged, Throttled, RequestRetries,
		CandidateRetries, Burst, ResourceAccepted, ResourceRefused, ResourceLost, Intercepted, Delivered:
		h = h.with(uint64(r.a)).with(uint64(r.b))
	case RequestSent, RequestServed, RequestEnded, Written, Asked, Coordinated:
		h = h.with(uint64(r.ResourceVersion))
		if r.Spec.Present != 0 {
			h = h.spec(&r.Spec, symbols)
		}
		if r.c == int32(Requested) && r.Candidate == NoCandidate {
			// also true of a controller's write by node 4, where a is 0
			h = h.with(uint64(r.a))
		}
	case JitterDrawn:
		h = h.with(uint64(r.b)).with(uint64(r.a))
	case NewLeader, Probed:
		h = h.with(symbols.Hash(r.Name)).with(uint64(r.a)<<1 | uint64(r.b))
	}
	return h
}

func (h Hash) spec(s *coordination.Record, symbols *coordination.Symbols) Hash {
	h = h.with(uint64(s.AcquireTime)).with(uint64(s.RenewTime))
	h = h.with(uint64(uint32(s.LeaseDurationSeconds)) | uint64(uint32(s.LeaseTransitions))<<32)
	h = h.with(symbols.Hash(s.HolderIdentity) ^ uint64(s.Present)<<56)
	if s.Strategy != 0 || s.PreferredHolder != 0 {
		h = h.with(symbols.Hash(s.Strategy)).with(symbols.Hash(s.PreferredHolder))
	}
	return h
}

const hexDigits = "0123456789abcdef"

// String is 16 hex digits.
func (h Hash) String() string {
	var b [16]byte
	for i := range b {
		b[i] = hexDigits[uint64(h)>>(60-4*i)&15]
	}
	return string(b[:])
}
