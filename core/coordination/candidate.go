package coordination

import "strings"

// CandidateAPIVersion and KindLeaseCandidate name the LeaseCandidate on the wire, in the newest served version.
// CandidateV1alpha1APIVersion is the oldest version; it has a list of strategies.
const (
	CandidateAPIVersion         = "coordination.k8s.io/v1beta1"
	CandidateV1alpha1APIVersion = "coordination.k8s.io/v1alpha1"
	KindLeaseCandidate          = "LeaseCandidate"
)

// OldestEmulationVersion is the only strategy by which Kubernetes itself elects. Source: k8s.io/api
// coordination/v1 types.go.
const OldestEmulationVersion = "OldestEmulationVersion"

// CandidateFields is the set of optional times that a LeaseCandidateSpec has.
type CandidateFields uint8

const (
	HasPing CandidateFields = 1 << iota
	HasRenew
)

// Candidate is a LeaseCandidateSpec as a value. A time that is not in Present is zero.
type Candidate struct {
	PingTime         MicroTime
	RenewTime        MicroTime
	LeaseName        Symbol
	BinaryVersion    Symbol
	EmulationVersion Symbol
	// Strategy is the strategy that the candidate asks for. For v1alpha1 it holds the whole preferredStrategies list
	// in order, joined by commas, because a strategy's name cannot contain one.
	Strategy Symbol
	Present  CandidateFields
}

// Has reports whether the candidate has all the given times.
func (c *Candidate) Has(fields CandidateFields) bool { return c.Present&fields == fields }

// SetPing sets pingTime.
func (c *Candidate) SetPing(at MicroTime) { c.PingTime, c.Present = at, c.Present|HasPing }

// SetRenew sets renewTime.
func (c *Candidate) SetRenew(at MicroTime) { c.RenewTime, c.Present = at, c.Present|HasRenew }

// Unacked reports whether the candidate has a pingTime after its renewTime. Without a renewTime it returns false, as
// Before of a nil metav1.MicroTime does.
func (c *Candidate) Unacked() bool { return c.Has(HasPing|HasRenew) && c.RenewTime < c.PingTime }

// LeaseCandidateSpec is the spec on the wire; nil and "" mean absent. PreferredStrategies replaces Strategy in
// v1alpha1.
type LeaseCandidateSpec struct {
	LeaseName           string     `json:"leaseName"`
	PingTime            *MicroTime `json:"pingTime,omitempty"`
	RenewTime           *MicroTime `json:"renewTime,omitempty"`
	BinaryVersion       string     `json:"binaryVersion"`
	EmulationVersion    string     `json:"emulationVersion,omitempty"`
	Strategy            string     `json:"strategy,omitempty"`
	PreferredStrategies []string   `json:"preferredStrategies,omitempty"`
}

// CandidateSpecOf returns the wire form of a candidate. If lists is true, it writes the strategy as v1alpha1's list.
func CandidateSpecOf(c *Candidate, lists bool, symbols *Symbols) LeaseCandidateSpec {
	candidate := *c
	s := LeaseCandidateSpec{
		LeaseName: symbols.Text(c.LeaseName), BinaryVersion: symbols.Text(c.BinaryVersion),
		EmulationVersion: symbols.Text(c.EmulationVersion),
	}
	if candidate.Has(HasPing) {
		s.PingTime = &candidate.PingTime
	}
	if candidate.Has(HasRenew) {
		s.RenewTime = &candidate.RenewTime
	}
	switch strategy := symbols.Text(c.Strategy); {
	case !lists:
		s.Strategy = strategy
	case strategy != "":
		s.PreferredStrategies = strings.Split(strategy, ",")
	}
	return s
}

// Candidate returns the wire form as a value.
func (s *LeaseCandidateSpec) Candidate(symbols *Symbols) Candidate {
	c := Candidate{
		LeaseName: symbols.Intern(s.LeaseName), BinaryVersion: symbols.Intern(s.BinaryVersion),
		EmulationVersion: symbols.Intern(s.EmulationVersion),
	}
	if s.PingTime != nil {
		c.SetPing(*s.PingTime)
	}
	if s.RenewTime != nil {
		c.SetRenew(*s.RenewTime)
	}
	if s.PreferredStrategies != nil {
		c.Strategy = symbols.Intern(strings.Join(s.PreferredStrategies, ","))
	} else {
		c.Strategy = symbols.Intern(s.Strategy)
	}
	return c
}
