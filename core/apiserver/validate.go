package apiserver

import (
	"strconv"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/leaselab/leaselab/core/wire"
)

// oldestEmulationVersion is the one strategy that Kubernetes defines.
const oldestEmulationVersion = "OldestEmulationVersion"

// gated are a Lease's fields that need the feature gate.
var gated = []string{"strategy", "preferredHolder"}

// prepareLeaseCreate drops what the feature gate has switched off.
// Source: kubernetes v1.36 pkg/registry/coordination/lease strategy.go.
func prepareLeaseCreate(c *call, o object) {
	if c.config.Coordinated {
		return
	}
	for _, field := range gated {
		wire.Set(o, nil, "spec", field)
	}
}

// prepareLeaseUpdate lets a Lease that had the fields keep and change them, without the feature gate too.
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

func validateLease(c *call, o object) []cause {
	return append(metaFaults(wire.Object(o, "metadata"), true, subdomainName), leaseFaults(wire.Object(o, "spec"))...)
}

func validateLeaseUpdate(c *call, o, old object) []cause {
	return append(metaUpdateFaults(wire.Object(o, "metadata"), wire.Object(old, "metadata")), leaseFaults(wire.Object(o, "spec"))...)
}

// leaseFaults says what is wrong with a Lease's spec.
// Source: kubernetes v1.36 pkg/apis/coordination/validation validation.go ValidateLeaseSpec.
func leaseFaults(spec wire.Map) []cause {
	var causes []cause
	if seconds, has := spec["leaseDurationSeconds"].(int64); has && seconds <= 0 {
		causes = append(causes, invalidValue("spec.leaseDurationSeconds", strconv.FormatInt(seconds, 10), "must be greater than 0"))
	}
	if transitions, has := spec["leaseTransitions"].(int64); has && transitions < 0 {
		causes = append(causes, invalidValue("spec.leaseTransitions", strconv.FormatInt(transitions, 10), "must be greater than or equal to 0"))
	}
	strategy, has := spec["strategy"].(string)
	if has {
		causes = append(causes, strategyFaults("spec.strategy", strategy)...)
	}
	if wire.Text(spec, "preferredHolder") != "" && strategy == "" {
		causes = append(causes, forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined"))
	}
	return causes
}

// strategyFaults says what is wrong with a strategy: without a prefix it must be one of Kubernetes' own. The field is
// named twice in the path; that is how it is upstream.
// Source: kubernetes v1.36 pkg/apis/coordination/validation validation.go ValidateCoordinatedLeaseStrategy.
func strategyFaults(field, strategy string) []cause {
	shown := string(wire.Quote(nil, strategy))
	if !strings.Contains(strategy, "/") {
		if strategy == oldestEmulationVersion {
			return nil
		}
		return []cause{unsupported(field+".strategy", shown, oldestEmulationVersion)}
	}
	var causes []cause
	for _, fault := range labelKeyFaults(strategy) {
		causes = append(causes, invalidValue(field+".strategy", shown, fault))
	}
	return causes
}

func validateCandidate(c *call, o object) []cause {
	return append(metaFaults(wire.Object(o, "metadata"), true, configKeyName), candidateFaults(c.version, o)...)
}

// validateCandidateUpdate refuses another leaseName too: a candidate stands for one Lease.
func validateCandidateUpdate(c *call, o, old object) []cause {
	causes := metaUpdateFaults(wire.Object(o, "metadata"), wire.Object(old, "metadata"))
	causes = append(causes, candidateFaults(c.version, o)...)
	if name := wire.Text(o, "spec", "leaseName"); name != wire.Text(old, "spec", "leaseName") {
		causes = append(causes, invalidValue("spec.leaseName", strconv.Quote(name), "field is immutable"))
	}
	return causes
}

// candidateFaults says what is wrong with a LeaseCandidate's spec.
// Source: kubernetes v1.36 pkg/apis/coordination/validation validation.go ValidateLeaseCandidateSpec.
func candidateFaults(v *version, o object) []cause {
	spec := wire.Object(o, "spec")
	var causes []cause
	if wire.Text(spec, "leaseName") == "" {
		causes = append(causes, required("spec.leaseName", ""))
	}
	emulation, faults := parsedVersion(spec, "emulationVersion")
	causes = append(causes, faults...)
	lists := v.name == "v1alpha1"
	if wire.Text(spec, "binaryVersion") == "" && !lists {
		causes = append(causes, required("spec.binaryVersion", ""))
	}
	binary, faults := parsedVersion(spec, "binaryVersion")
	causes = append(causes, faults...)
	if wire.Text(spec, "binaryVersion") != "" && wire.Text(spec, "emulationVersion") != "" && binary.LT(emulation) {
		causes = append(causes, invalidValue("spec.binaryVersion", strconv.Quote(wire.Text(spec, "binaryVersion")), "must be greater than or equal to `emulationVersion`"))
	}
	const needed = "must be specified when `strategy` is 'OldestEmulationVersion'"
	unset := semver.Version{}
	if lists {
		return append(causes, preferredFaults(o, binary.EQ(unset), emulation.EQ(unset), needed)...)
	}
	strategy := wire.Text(spec, "strategy")
	if strategy == "" {
		return append(causes, required("spec.strategy", ""))
	}
	if strategy == oldestEmulationVersion && emulation.EQ(unset) {
		causes = append(causes, required("spec.emulationVersion", needed))
	}
	return append(causes, strategyFaults("spec.strategy", strategy)...)
}

// preferredFaults says what is wrong with the list of strategies that the oldest version has.
// Source: kubernetes v1.31 pkg/apis/coordination/validation validation.go ValidateLeaseCandidateSpec.
func preferredFaults(o object, noBinary, noEmulation bool, needed string) []cause {
	strategies := preferred(wire.Object(o, "spec"))
	if len(strategies) == 0 {
		return []cause{required("spec.preferredStrategies", "must contain at least one strategy")}
	}
	var causes []cause
	for i, s := range strategies {
		strategy, _ := s.(string)
		if strategy == oldestEmulationVersion && noBinary {
			causes = append(causes, required("spec.binaryVersion", needed))
		}
		if strategy == oldestEmulationVersion && noEmulation {
			causes = append(causes, required("spec.emulationVersion", needed))
		}
		causes = append(causes, strategyFaults("spec.preferredStrategies["+strconv.Itoa(i)+"]", strategy)...)
	}
	return causes
}

// parsedVersion reads a semantic version; one that is absent or malformed is 0.0.0.
func parsedVersion(spec wire.Map, field string) (semver.Version, []cause) {
	text := wire.Text(spec, field)
	if text == "" {
		return semver.Version{}, nil
	}
	v, err := semver.Parse(text)
	if err != nil {
		return semver.Version{}, []cause{invalidValue("spec."+field, strconv.Quote(text), "must be a valid semantic version")}
	}
	return v, nil
}
