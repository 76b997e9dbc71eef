package coordinated

import (
	"encoding/json"
	"time"

	"github.com/leaselab/leaselab/sim/testsupport/recorded"
)

// Lease and Candidate are the objects as the API sends and accepts them. Fields have the order of the wire; nil means
// absent.
type (
	Lease struct {
		Kind       string             `json:"kind,omitempty"`
		APIVersion string             `json:"apiVersion,omitempty"`
		Metadata   ObjectMeta         `json:"metadata"`
		Spec       recorded.LeaseSpec `json:"spec"`
	}
	Candidate struct {
		Kind       string                      `json:"kind,omitempty"`
		APIVersion string                      `json:"apiVersion,omitempty"`
		Metadata   ObjectMeta                  `json:"metadata"`
		Spec       recorded.LeaseCandidateSpec `json:"spec"`
	}
)

// ObjectMeta is the metadata that a replay needs.
type ObjectMeta struct {
	Name              string     `json:"name,omitempty"`
	Namespace         string     `json:"namespace,omitempty"`
	UID               string     `json:"uid,omitempty"`
	ResourceVersion   string     `json:"resourceVersion,omitempty"`
	CreationTimestamp *time.Time `json:"creationTimestamp,omitempty"`
}

// encode returns the JSON of a Lease or a Candidate.
func encode(object any) []byte {
	out, err := json.Marshal(object)
	if err != nil {
		panic(err) // every field is of a type that always encodes
	}
	return out
}
