package coordinator

import (
	"sort"

	"github.com/blang/semver/v4"

	"github.com/leaselab/leaselab/core/coordination"
)

// cache holds the objects that the informers show.
type cache struct {
	leases     []Lease     // in the order in which they were first seen
	candidates []candidate // by creationTimestamp, then name and namespace
}

// candidate is a cached LeaseCandidate with its versions read.
type candidate struct {
	Candidate
	emulation, binary versionOf
}

// versionOf is a parsed version; one that does not parse is 0.0.0.
type versionOf struct {
	semver.Version
	bad bool
}

// parsed reads a version as generously as upstream does: "v1.36" is fine.
func parsed(text string) versionOf {
	v, err := semver.ParseTolerant(text)
	if err != nil {
		return versionOf{bad: true}
	}
	return versionOf{Version: v}
}

func (c *cache) clone() cache {
	return cache{leases: append([]Lease(nil), c.leases...), candidates: append([]candidate(nil), c.candidates...)}
}

func (c *cache) leaseAt(key Key) int {
	for i := range c.leases {
		if c.leases[i].Key == key {
			return i
		}
	}
	return -1
}

func (c *cache) candidateAt(key Key) int {
	for i := range c.candidates {
		if c.candidates[i].Key == key {
			return i
		}
	}
	return -1
}

// lease is the cached Lease, nil if there is none.
func (c *cache) lease(key Key) *Lease {
	if at := c.leaseAt(key); at >= 0 {
		return &c.leases[at]
	}
	return nil
}

// seeLease keeps a Lease in the order in which Leases were first seen.
func (c *cache) seeLease(l *Lease) {
	if at := c.leaseAt(l.Key); at >= 0 {
		c.leases[at] = *l
		return
	}
	c.leases = append(c.leases, *l)
}

func (c *cache) dropLease(key Key) {
	if at := c.leaseAt(key); at >= 0 {
		c.leases = append(c.leases[:at], c.leases[at+1:]...)
	}
}

// seeCandidate keeps candidates in the order in which they are listed: the oldest first.
// Deviation: upstream lists in the order of a map, so chance decides between candidates with equal versions and
// creationTimestamp, whose strategy comes first, and who is pinged first. Here creationTimestamp decides, then the
// name. Pinned by TestTheOrderOfCandidates.
func (c *cache) seeCandidate(o *Candidate, symbols *coordination.Symbols) {
	n := candidate{Candidate: *o}
	if at := c.candidateAt(o.Key); at >= 0 {
		old := &c.candidates[at]
		if old.CreatedSeconds == o.CreatedSeconds && old.Spec.BinaryVersion == o.Spec.BinaryVersion &&
			old.Spec.EmulationVersion == o.Spec.EmulationVersion {
			old.Candidate = *o
			return
		}
		c.candidates = append(c.candidates[:at], c.candidates[at+1:]...)
	}
	n.emulation = parsed(symbols.Text(o.Spec.EmulationVersion))
	n.binary = parsed(symbols.Text(o.Spec.BinaryVersion))
	at := sort.Search(len(c.candidates), func(i int) bool { return before(&n, &c.candidates[i], symbols) })
	c.candidates = append(c.candidates, candidate{})
	copy(c.candidates[at+1:], c.candidates[at:])
	c.candidates[at] = n
}

func (c *cache) dropCandidate(key Key) {
	if at := c.candidateAt(key); at >= 0 {
		c.candidates = append(c.candidates[:at], c.candidates[at+1:]...)
	}
}

// before orders the candidates of a list.
func before(a, b *candidate, symbols *coordination.Symbols) bool {
	if a.CreatedSeconds != b.CreatedSeconds {
		return a.CreatedSeconds < b.CreatedSeconds
	}
	if a.Name != b.Name {
		return symbols.Text(a.Name) < symbols.Text(b.Name)
	}
	return symbols.Text(a.Namespace) < symbols.Text(b.Namespace)
}
