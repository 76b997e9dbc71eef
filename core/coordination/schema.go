package coordination

import (
	_ "embed"

	"github.com/leaselab/leaselab/core/wire"
)

// Group is the API group of Leases and LeaseCandidates.
const Group = "coordination.k8s.io"

//go:embed types.txt
var typesText string

// Types has the types of the group, and the types that other groups share with it.
var Types = wire.ParseTypes(typesText, nil)

// The types of whole objects, and of their metadata.
var (
	ObjectMetaType        = Types["v1.ObjectMeta"]
	LeaseType             = Types["v1.Lease"]
	LeaseV1beta1Type      = Types["v1beta1.Lease"]
	CandidateV1beta1Type  = Types["v1beta1.LeaseCandidate"]
	CandidateV1alpha2Type = Types["v1alpha2.LeaseCandidate"]
	CandidateV1alpha1Type = Types["v1alpha1.LeaseCandidate"]
	NamespaceType         = Types["v1.Namespace"]
)
