package apiserver

import (
	"strconv"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// gated lists the fields of a Lease that the feature gate turns on.
var gated = []string{"strategy", "preferredHolder"}

// prepareLeaseCreate drops the gated fields if the feature gate is off.
// Source: kubernetes v1.36 pkg/registry/coordination/lease strategy.go.
func prepareLeaseCreate(c *call, o object) {
	if c.config.Coordinated {
		return
	}
	for _, field := range gated {
		wire.Set(o, nil, "spec", field)
	}
}

// If the feature gate is off, prepareLeaseUpdate drops each gated field that the live Lease lacks.
func prepareLeaseUpdate(c *call, o, old object) {
	if c.config.Coordinated {
		return
	}
	for _, field := range gated {
		if wire.Get(old, "spec", field) == nil {
			wire.Set(o, nil, "spec", field)
		}
	}
}

func validateLease(c *call, o object) []validate.Cause {
	return append(validate.Metadata(wire.Object(o, "metadata"), true, validate.SubdomainName),
		validate.LeaseSpec(wire.Object(o, "spec"))...)
}

func validateLeaseUpdate(c *call, o, old object) []validate.Cause {
	return append(c.metadataUpdate(o, old), validate.LeaseSpec(wire.Object(o, "spec"))...)
}

// metadataUpdate validates the metadata of an update, unless an earlier check has already found it valid.
func (c *call) metadataUpdate(o, old object) []validate.Cause {
	if c.sound {
		return nil
	}
	return validate.MetadataUpdate(wire.Object(o, "metadata"), wire.Object(old, "metadata"))
}

func validateCandidate(c *call, o object) []validate.Cause {
	return append(validate.Metadata(wire.Object(o, "metadata"), true, validate.ConfigKeyName),
		candidateSpec(c.version, o)...)
}

// validateCandidateUpdate also forbids changes of leaseName, which is immutable.
func validateCandidateUpdate(c *call, o, old object) []validate.Cause {
	causes := c.metadataUpdate(o, old)
	causes = append(causes, candidateSpec(c.version, o)...)
	if name := wire.Text(o, "spec", "leaseName"); name != wire.Text(old, "spec", "leaseName") {
		causes = append(causes, validate.Invalid("spec.leaseName", strconv.Quote(name), "field is immutable"))
	}
	return causes
}

// candidateSpec validates the spec of a LeaseCandidate in its version.
func candidateSpec(v *version, o object) []validate.Cause {
	spec := wire.Object(o, "spec")
	if v.name == "v1alpha1" {
		return validate.CandidateSpecV1alpha1(spec, strategiesOf(spec))
	}
	return validate.CandidateSpec(spec)
}
