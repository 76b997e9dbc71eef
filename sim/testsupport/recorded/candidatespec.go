package recorded

import (
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
)

// LeaseCandidateSpec is the spec on the wire; nil and "" mean absent. PreferredStrategies replaces Strategy in
// v1alpha1.
type LeaseCandidateSpec struct {
	LeaseName           string                  `json:"leaseName"`
	PingTime            *coordination.MicroTime `json:"pingTime,omitempty"`
	RenewTime           *coordination.MicroTime `json:"renewTime,omitempty"`
	BinaryVersion       string                  `json:"binaryVersion"`
	EmulationVersion    string                  `json:"emulationVersion,omitempty"`
	Strategy            string                  `json:"strategy,omitempty"`
	PreferredStrategies []string                `json:"preferredStrategies,omitempty"`
}

// CandidateSpecOf returns the wire form of a candidate. If lists is true, it writes the strategy as v1alpha1's list.
func CandidateSpecOf(c *coordination.Candidate, lists bool, symbols *coordination.Symbols) LeaseCandidateSpec {
	candidate := *c
	s := LeaseCandidateSpec{
		LeaseName: symbols.Text(c.LeaseName), BinaryVersion: symbols.Text(c.BinaryVersion),
		EmulationVersion: symbols.Text(c.EmulationVersion),
	}
	if candidate.Has(coordination.HasPing) {
		s.PingTime = &candidate.PingTime
	}
	if candidate.Has(coordination.HasRenew) {
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
func (s *LeaseCandidateSpec) Candidate(symbols *coordination.Symbols) coordination.Candidate {
	c := coordination.Candidate{
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
