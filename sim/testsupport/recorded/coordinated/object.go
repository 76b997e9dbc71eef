package coordinated

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// object is a Lease or a LeaseCandidate whose times count from the start of the timeline.
type object struct {
	Metadata ObjectMeta
	Spec     Spec
}

func relativeTime(t *coordination.MicroTime) *Instant {
	if t == nil {
		return nil
	}
	s := Instant(int64(*t) - recorded.EpochMicros)
	return &s
}

func absoluteTime(s *Instant) *coordination.MicroTime {
	if s == nil {
		return nil
	}
	t := coordination.MicroTime(int64(*s) + recorded.EpochMicros)
	return &t
}

func leaseSpecOf(s *recorded.LeaseSpec) Spec {
	return Spec{
		HolderIdentity: s.HolderIdentity, LeaseDurationSeconds: s.LeaseDurationSeconds,
		AcquireTime: relativeTime(s.AcquireTime),
		RenewTime:   relativeTime(s.RenewTime), LeaseTransitions: s.LeaseTransitions, Strategy: s.Strategy,
		PreferredHolder: s.PreferredHolder,
	}
}

func candidateSpecOf(s *recorded.LeaseCandidateSpec) Spec {
	c := *s
	out := Spec{LeaseName: &c.LeaseName, PingTime: relativeTime(c.PingTime), RenewTime: relativeTime(c.RenewTime),
		BinaryVersion: &c.BinaryVersion}
	if c.EmulationVersion != "" {
		out.EmulationVersion = &c.EmulationVersion
	}
	if c.Strategy != "" {
		out.Strategy = &c.Strategy
	}
	return out
}

// withTimes returns the object as the API accepts it.
func (o *object) withTimes(kind string) []byte {
	s := &o.Spec
	if kind == coordination.KindLease {
		l := Lease{Kind: kind, APIVersion: coordination.APIVersion, Metadata: o.Metadata, Spec: recorded.LeaseSpec{
			HolderIdentity: s.HolderIdentity, LeaseDurationSeconds: s.LeaseDurationSeconds,
			AcquireTime: absoluteTime(s.AcquireTime),
			RenewTime:   absoluteTime(s.RenewTime), LeaseTransitions: s.LeaseTransitions, Strategy: s.Strategy,
			PreferredHolder: s.PreferredHolder,
		}}
		return encode(&l)
	}
	text := func(t *string) string {
		if t == nil {
			return ""
		}
		return *t
	}
	l := Candidate{Kind: kind, APIVersion: coordination.CandidateAPIVersion, Metadata: o.Metadata,
		Spec: recorded.LeaseCandidateSpec{
			LeaseName: text(s.LeaseName), PingTime: absoluteTime(s.PingTime), RenewTime: absoluteTime(s.RenewTime),
			BinaryVersion: text(s.BinaryVersion), EmulationVersion: text(s.EmulationVersion),
			Strategy: text(s.Strategy),
		}}
	return encode(&l)
}

// decode decodes an object that the API sent.
func decode(kind string, body []byte) (object, error) {
	if kind == coordination.KindLease {
		var l Lease
		err := json.Unmarshal(body, &l)
		return object{l.Metadata, leaseSpecOf(&l.Spec)}, err
	}
	var l Candidate
	err := json.Unmarshal(body, &l)
	return object{l.Metadata, candidateSpecOf(&l.Spec)}, err
}

// informerInput returns an object of the API as the informer passes it on.
func (r *run) informerInput(kind string, body []byte, gone bool) coordinator.Input {
	if kind == coordination.KindLease {
		var l Lease
		r.check(json.Unmarshal(body, &l))
		k := coordinator.LeaseSeen
		if gone {
			k = coordinator.LeaseGone
		}
		return coordinator.Input{Kind: k, Lease: coordinator.Lease{
			Key: r.key(&l.Metadata), ResourceVersion: r.version(&l.Metadata),
			UID: uint64(r.symbols.Intern(l.Metadata.UID)), Spec: l.Spec.Record(r.symbols),
		}}
	}
	var l Candidate
	r.check(json.Unmarshal(body, &l))
	k := coordinator.CandidateSeen
	if gone {
		k = coordinator.CandidateGone
	}
	c := coordinator.Candidate{
		Key: r.key(&l.Metadata), ResourceVersion: r.version(&l.Metadata), UID: uint64(r.symbols.Intern(l.Metadata.UID)),
		Spec: l.Spec.Candidate(r.symbols),
	}
	if created := l.Metadata.CreationTimestamp; created != nil {
		c.CreatedSeconds = created.Unix()
	}
	return coordinator.Input{Kind: k, Candidate: c}
}

func (r *run) key(m *ObjectMeta) coordinator.Key {
	return coordinator.Key{Namespace: r.symbols.Intern(m.Namespace), Name: r.symbols.Intern(m.Name)}
}

func (r *run) version(m *ObjectMeta) int64 {
	v, err := strconv.ParseInt(m.ResourceVersion, 10, 64)
	r.check(err)
	return v
}

func (r *run) check(err error) {
	if err != nil {
		r.fail("an object of the API: %w", err)
	}
}

// meta returns the metadata of a write, with the version that the write replaces.
func (r *run) meta(q *coordinator.Request) ObjectMeta {
	return ObjectMeta{
		Name: r.symbols.Text(q.Key.Name), Namespace: namespace, UID: r.symbols.Text(coordination.Symbol(q.UID)),
		ResourceVersion: fmt.Sprint(q.ResourceVersion),
	}
}

func (r *run) leaseSpec(record *coordination.Record) Spec {
	s := recorded.SpecOf(record, r.symbols)
	return leaseSpecOf(&s)
}

func (r *run) candidateSpec(c *coordination.Candidate) Spec {
	s := recorded.CandidateSpecOf(c, false, r.symbols)
	return candidateSpecOf(&s)
}
