package evidence

import (
	"cmp"
	"slices"
	"strings"
)

// Sighted is what the files show of one Lease: its last state, and the way to it. Package checkup reads it.
type Sighted struct {
	Name, Holder string
	Line         string  // file:line of the last state
	AtNs         int64   // when the last state was seen: by the clock of its file, or else its renewTime
	RenewNs      int64   // 0 if nobody has renewed the Lease
	LeaseNs      int64   // 0 if the Lease has no leaseDurationSeconds
	Transitions  int64   // leaseTransitions
	Risen        int64   // how far leaseTransitions rose between the first and the last state
	RisenNs      int64   // the time that this took
	Spaced       []int64 // the times between renewals of one holder, shortest first
	RetryNs      int64   // what these times say of retryPeriod; 0 if there are none
	LeastNs      int64   // the shortest time in which two lists show a renewal; 0 if no lists do
}

// Sighted returns the Leases that the files show, by name. Each line of a watch is a renewal. Between two lists,
// the holder may have renewed many times.
func (r *Reader) Sighted() (all []Sighted) {
	for name, m := range r.found {
		writes := slices.Clone(m.writes.all())
		slices.SortStableFunc(writes, func(a, b write) int {
			if a.resourceVersion > 0 && b.resourceVersion > 0 {
				return cmp.Compare(a.resourceVersion, b.resourceVersion)
			}
			return cmp.Compare(a.atNs, b.atNs)
		})
		if n := len(writes); n > 0 && !writes[n-1].deleted {
			all = append(all, r.sighted(name, writes))
		}
	}
	slices.SortFunc(all, func(a, b Sighted) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func (r *Reader) sighted(name string, writes []write) Sighted {
	first, last := &writes[0], &writes[len(writes)-1]
	s := Sighted{Name: name, Holder: last.holder, Line: r.lines(last.places...)[0], AtNs: last.atNs,
		RenewNs: last.renewNs, LeaseNs: last.duration * 1e9, Transitions: last.transitions,
		Risen: last.transitions - first.transitions, RisenNs: last.atNs - first.atNs}
	for i := 1; i < len(writes); i++ {
		a, b := &writes[i-1], &writes[i]
		apart := b.renewNs - a.renewNs
		switch {
		case a.deleted || a.renewNs == 0 || apart <= 0 || a.holder != b.holder || a.duration != b.duration,
			a.renewNs == a.acquireNs: // an elector renews at once after acquiring
		case !b.listed:
			s.Spaced = append(s.Spaced, apart)
		case s.LeastNs == 0 || apart < s.LeastNs:
			s.LeastNs = apart
		}
	}
	if slices.Sort(s.Spaced); len(s.Spaced) > 0 {
		s.RetryNs = roundRetry(s.Spaced)
	}
	return s
}

// Problems returns the unreadable lines so far.
func (r *Reader) Problems() []Problem { return slices.Clone(r.problems) }
