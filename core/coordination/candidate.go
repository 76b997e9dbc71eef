package coordination

import "strings"

// CandidateAPIVersion and KindLeaseCandidate name the LeaseCandidate on the wire, in the newest version that is served;
// CandidateV1alpha1APIVersion is the oldest, with lists of strategies.
const (
	CandidateAPIVersion         = "coordination.k8s.io/v1beta1"
	CandidateV1alpha1APIVersion = "coordination.k8s.io/v1alpha1"
	KindLeaseCandidate          = "LeaseCandidate"
)

// OldestEmulationVersion is the one strategy by which Kubernetes itself elects.
// Source: k8s.io/api coordination/v1 types.go.
const OldestEmulationVersion = "OldestEmulationVersion"

// CandidateFields says which optional times of a LeaseCandidateSpec are there.
type CandidateFields uint8

const (
	HasPing CandidateFields = 1 << iota
	HasRenew
)

// Candidate is a LeaseCandidateSpec as a value. A time that is not Present is zero.
type Candidate struct {
	PingTime         MicroTime
	RenewTime        MicroTime
	LeaseName        Symbol
	BinaryVersion    Symbol
	EmulationVersion Symbol
	// Strategy is what the candidate asks for. Of v1alpha1's preferredStrategies it holds the whole list, the names in
	// their order with commas between them: a strategy's name cannot hold one.
	Strategy Symbol
	Present  CandidateFields
}

// Has reports whether all the given times are there.
func (c *Candidate) Has(fields CandidateFields) bool { return c.Present&fields == fields }

// Pinged sets the ping.
func (c *Candidate) Pinged(at MicroTime) { c.PingTime, c.Present = at, c.Present|HasPing }

// Renewed sets the renewal.
func (c *Candidate) Renewed(at MicroTime) { c.RenewTime, c.Present = at, c.Present|HasRenew }

// Unacked reports whether there is a ping and a renewal before it. Without a renewTime it is false, as metav1.MicroTime's
// Before is on nil.
func (c *Candidate) Unacked() bool { return c.Has(HasPing|HasRenew) && c.RenewTime < c.PingTime }

// LeaseCandidateSpec is the spec; nil and "" mean absent. PreferredStrategies is v1alpha1's in place of Strategy.
type LeaseCandidateSpec struct {
	LeaseName           string     `json:"leaseName"`
	PingTime            *MicroTime `json:"pingTime,omitempty"`
	RenewTime           *MicroTime `json:"renewTime,omitempty"`
	BinaryVersion       string     `json:"binaryVersion"`
	EmulationVersion    string     `json:"emulationVersion,omitempty"`
	Strategy            string     `json:"strategy,omitempty"`
	PreferredStrategies []string   `json:"preferredStrategies,omitempty"`
}

// CandidateSpecOf is a candidate as the wire form; lists says that the strategy is v1alpha1's list.
func CandidateSpecOf(c *Candidate, lists bool, symbols *Symbols) LeaseCandidateSpec {
	candidate := *c
	s := LeaseCandidateSpec{
		LeaseName: symbols.Text(c.LeaseName), BinaryVersion: symbols.Text(c.BinaryVersion), EmulationVersion: symbols.Text(c.EmulationVersion),
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

// Candidate is the wire form as a value.
func (s *LeaseCandidateSpec) Candidate(symbols *Symbols) Candidate {
	c := Candidate{
		LeaseName: symbols.Intern(s.LeaseName), BinaryVersion: symbols.Intern(s.BinaryVersion), EmulationVersion: symbols.Intern(s.EmulationVersion),
	}
	if s.PingTime != nil {
		c.Pinged(*s.PingTime)
	}
	if s.RenewTime != nil {
		c.Renewed(*s.RenewTime)
	}
	if s.PreferredStrategies != nil {
		c.Strategy = symbols.Intern(strings.Join(s.PreferredStrategies, ","))
	} else {
		c.Strategy = symbols.Intern(s.Strategy)
	}
	return c
}
