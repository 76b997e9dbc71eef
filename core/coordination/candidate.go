package coordination

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

// CandidateFields is the set of optional times that a LeaseCandidate's spec has.
type CandidateFields uint8

const (
	HasPing CandidateFields = 1 << iota
	HasRenew
)

// Candidate is the spec of a LeaseCandidate as a value. A time that is not in Present is zero.
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
