package validate

import (
	"strconv"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/leaselab/leaselab/core/wire"
)

// oldestEmulationVersion is the only strategy that Kubernetes defines.
const oldestEmulationVersion = "OldestEmulationVersion"

// LeaseSpec validates the spec of a Lease.
// Source: kubernetes v1.36 pkg/apis/coordination/validation validation.go ValidateLeaseSpec.
func LeaseSpec(spec wire.Map) []Cause {
	var causes []Cause
	if seconds, has := spec["leaseDurationSeconds"].(int64); has && seconds <= 0 {
		causes = append(causes, Invalid("spec.leaseDurationSeconds", strconv.FormatInt(seconds, 10),
			"must be greater than 0"))
	}
	if transitions, has := spec["leaseTransitions"].(int64); has && transitions < 0 {
		causes = append(causes, Invalid("spec.leaseTransitions", strconv.FormatInt(transitions, 10),
			"must be greater than or equal to 0"))
	}
	strategy, has := spec["strategy"].(string)
	if has {
		causes = append(causes, strategyOf("spec.strategy", strategy)...)
	}
	if wire.Text(spec, "preferredHolder") != "" && strategy == "" {
		causes = append(causes, Forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined"))
	}
	return causes
}

// strategyOf validates a strategy. A strategy without a prefix must be one that Kubernetes defines. The path names
// the field twice, as it does upstream. Source: kubernetes v1.36 pkg/apis/coordination/validation validation.go
// ValidateCoordinatedLeaseStrategy.
func strategyOf(field, strategy string) []Cause {
	shown := string(wire.Quote(nil, strategy))
	if !strings.Contains(strategy, "/") {
		if strategy == oldestEmulationVersion {
			return nil
		}
		return []Cause{Unsupported(field+".strategy", shown, oldestEmulationVersion)}
	}
	var causes []Cause
	for _, fault := range LabelKey(strategy) {
		causes = append(causes, Invalid(field+".strategy", shown, fault))
	}
	return causes
}

// CandidateSpec validates the spec of a LeaseCandidate in v1beta1 and v1alpha2.
func CandidateSpec(spec wire.Map) []Cause { return candidateSpec(spec, false, nil) }

// CandidateSpecV1alpha1 validates the spec of a LeaseCandidate in v1alpha1, which has a list of strategies.
func CandidateSpecV1alpha1(spec wire.Map, strategies []any) []Cause {
	return candidateSpec(spec, true, strategies)
}

// Source: kubernetes v1.36 pkg/apis/coordination/validation validation.go ValidateLeaseCandidateSpec.
func candidateSpec(spec wire.Map, oldest bool, strategies []any) []Cause {
	var causes []Cause
	if wire.Text(spec, "leaseName") == "" {
		causes = append(causes, Required("spec.leaseName", ""))
	}
	emulation, faults := parsedVersion(spec, "emulationVersion")
	causes = append(causes, faults...)
	if wire.Text(spec, "binaryVersion") == "" && !oldest {
		causes = append(causes, Required("spec.binaryVersion", ""))
	}
	binary, faults := parsedVersion(spec, "binaryVersion")
	causes = append(causes, faults...)
	if wire.Text(spec, "binaryVersion") != "" && wire.Text(spec, "emulationVersion") != "" && binary.LT(emulation) {
		causes = append(causes, Invalid("spec.binaryVersion", strconv.Quote(wire.Text(spec, "binaryVersion")),
			"must be greater than or equal to `emulationVersion`"))
	}
	const needed = "must be specified when `strategy` is 'OldestEmulationVersion'"
	unset := semver.Version{}
	if oldest {
		return append(causes, preferredStrategies(strategies, binary.EQ(unset), emulation.EQ(unset), needed)...)
	}
	strategy := wire.Text(spec, "strategy")
	if strategy == "" {
		return append(causes, Required("spec.strategy", ""))
	}
	if strategy == oldestEmulationVersion && emulation.EQ(unset) {
		causes = append(causes, Required("spec.emulationVersion", needed))
	}
	return append(causes, strategyOf("spec.strategy", strategy)...)
}

// preferredStrategies validates the list that v1alpha1 has instead of a strategy.
// Source: kubernetes v1.31 pkg/apis/coordination/validation validation.go ValidateLeaseCandidateSpec.
func preferredStrategies(strategies []any, noBinary, noEmulation bool, needed string) []Cause {
	if len(strategies) == 0 {
		return []Cause{Required("spec.preferredStrategies", "must contain at least one strategy")}
	}
	var causes []Cause
	for i, s := range strategies {
		strategy, _ := s.(string)
		if strategy == oldestEmulationVersion && noBinary {
			causes = append(causes, Required("spec.binaryVersion", needed))
		}
		if strategy == oldestEmulationVersion && noEmulation {
			causes = append(causes, Required("spec.emulationVersion", needed))
		}
		causes = append(causes, strategyOf("spec.preferredStrategies["+strconv.Itoa(i)+"]", strategy)...)
	}
	return causes
}

// parsedVersion parses a semantic version. A missing or malformed version becomes 0.0.0.
func parsedVersion(spec wire.Map, field string) (semver.Version, []Cause) {
	text := wire.Text(spec, field)
	if text == "" {
		return semver.Version{}, nil
	}
	v, err := semver.Parse(text)
	if err != nil {
		return semver.Version{}, []Cause{Invalid("spec."+field, strconv.Quote(text),
			"must be a valid semantic version")}
	}
	return v, nil
}
