package coordinator

import (
	"slices"
	"sort"

	"github.com/blang/semver/v4"

	"github.com/leaselab/leaselab/core/coordination"
)

// cache holds the objects that the informers have shown.
type cache struct {
	leases     []Lease     // ordered by when the informer first showed them
	candidates []candidate // ordered by creationTimestamp, then name and namespace
}

// candidate is a cached LeaseCandidate with parsed versions.
type candidate struct {
	Candidate
	emulation, binary versionOf
}

// versionOf holds a parsed version, or 0.0.0 if the text does not parse.
type versionOf struct {
	semver.Version
	bad bool
}

// parseVersion parses a version as leniently as upstream does: "v1.36" is fine.
func parseVersion(text string) versionOf {
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
	return slices.IndexFunc(c.leases, func(l Lease) bool { return l.Key == key })
}

func (c *cache) candidateAt(key Key) int {
	for i := range c.candidates {
		if c.candidates[i].Key == key {
			return i
		}
	}
	return -1
}

// lease returns the cached Lease, or nil.
func (c *cache) lease(key Key) *Lease {
	if at := c.leaseAt(key); at >= 0 {
		return &c.leases[at]
	}
	return nil
}

// seeLease adds or updates a Lease. The Leases stay in the order in which the informer first showed them.
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

// seeCandidate keeps candidates in list order: the oldest first. Deviation: upstream lists in the order of a map. So
// in upstream, chance decides which of two candidates with equal versions and creationTimestamps wins. It also decides
// whose strategy comes first and which candidate gets the first ping. Here creationTimestamp decides, then the name,
// unless Config.Flaps says otherwise. TestTheOrderOfCandidates and TestTiesFlap pin this.
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
	n.emulation = parseVersion(symbols.Text(o.Spec.EmulationVersion))
	n.binary = parseVersion(symbols.Text(o.Spec.BinaryVersion))
	at := sort.Search(len(c.candidates), func(i int) bool { return comesBefore(&n, &c.candidates[i], symbols) })
	c.candidates = slices.Insert(c.candidates, at, n)
}

func (c *cache) dropCandidate(key Key) {
	if at := c.candidateAt(key); at >= 0 {
		c.candidates = append(c.candidates[:at], c.candidates[at+1:]...)
	}
}

// comesBefore orders the candidates of a list.
func comesBefore(a, b *candidate, symbols *coordination.Symbols) bool {
	if a.CreatedSeconds != b.CreatedSeconds {
		return a.CreatedSeconds < b.CreatedSeconds
	}
	if a.Name != b.Name {
		return symbols.Text(a.Name) < symbols.Text(b.Name)
	}
	return symbols.Text(a.Namespace) < symbols.Text(b.Namespace)
}
