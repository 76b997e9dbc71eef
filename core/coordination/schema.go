package coordination

import "github.com/leaselab/leaselab/core/wire"

// Group is the API group of Leases and LeaseCandidates.
const Group = "coordination.k8s.io"

var ownerReferenceType = &wire.Type{
	Shape: wire.AStruct, GoName: "OwnerReference", GoType: "v1.OwnerReference", Whole: true,
	Fields: []wire.Field{
		{Name: "apiVersion", Type: wire.StringType, Keep: true},
		{Name: "kind", Type: wire.StringType, Keep: true},
		{Name: "name", Type: wire.StringType, Keep: true},
		{Name: "uid", Type: &wire.Type{Shape: wire.AString, GoType: "types.UID"}, Keep: true},
		{Name: "controller", Type: wire.BoolType, Pointer: true},
		{Name: "blockOwnerDeletion", Type: wire.BoolType, Pointer: true},
	},
}

var managedFieldsEntryType = &wire.Type{
	Shape: wire.AStruct, GoName: "ManagedFieldsEntry", GoType: "v1.ManagedFieldsEntry",
	Fields: []wire.Field{
		{Name: "manager", Type: wire.StringType},
		{Name: "operation", Type: &wire.Type{Shape: wire.AString, GoType: "v1.ManagedFieldsOperationType"}},
		{Name: "apiVersion", Type: wire.StringType},
		{Name: "time", Type: wire.TimeType, Pointer: true},
		{Name: "fieldsType", Type: wire.StringType},
		{Name: "fieldsV1", Type: wire.RawType, Pointer: true},
		{Name: "subresource", Type: wire.StringType},
	},
}

// ObjectMetaType is metav1.ObjectMeta.
// Source: apimachinery v0.36 pkg/apis/meta/v1 types.go.
var ObjectMetaType = &wire.Type{
	Shape: wire.AStruct, GoName: "ObjectMeta", GoType: "v1.ObjectMeta",
	Fields: []wire.Field{
		{Name: "name", Type: wire.StringType},
		{Name: "generateName", Type: wire.StringType},
		{Name: "namespace", Type: wire.StringType},
		{Name: "selfLink", Type: wire.StringType},
		{Name: "uid", Type: &wire.Type{Shape: wire.AString, GoType: "types.UID"}},
		{Name: "resourceVersion", Type: wire.StringType},
		{Name: "generation", Type: wire.Int64Type},
		{Name: "creationTimestamp", Type: wire.TimeType},
		{Name: "deletionTimestamp", Type: wire.TimeType, Pointer: true},
		{Name: "deletionGracePeriodSeconds", Type: wire.Int64Type, Pointer: true},
		{Name: "labels", Type: wire.StringMapType},
		{Name: "annotations", Type: wire.StringMapType},
		{Name: "ownerReferences", Type: &wire.Type{
			Shape: wire.AList, GoType: "[]v1.OwnerReference", Elem: ownerReferenceType,
			Merge: wire.ByKey, Keys: []string{"uid"}, PatchMerge: wire.ByKey, PatchKeys: []string{"uid"},
		}},
		{Name: "finalizers", Type: &wire.Type{
			Shape: wire.AList, GoType: "[]string", Elem: wire.StringType, Merge: wire.AsSet, PatchMerge: wire.AsSet,
		}},
		// An empty list differs from no list: it removes the existing entries.
		{Name: "managedFields", Type: &wire.Type{Shape: wire.AList, GoType: "[]v1.ManagedFieldsEntry",
			Elem: managedFieldsEntryType}, Pointer: true},
	},
}

// objectType returns the type of a kind that has a spec.
func objectType(kind string, spec *wire.Type, more ...wire.Field) *wire.Type {
	return &wire.Type{
		Shape: wire.AStruct, GoName: kind, GoType: "v1." + kind,
		Fields: append([]wire.Field{
			{Name: "kind", Type: wire.StringType},
			{Name: "apiVersion", Type: wire.StringType},
			{Name: "metadata", Type: ObjectMetaType, Keep: true},
			{Name: "spec", Type: spec, Keep: true},
		}, more...),
	}
}

// LeaseType is coordination.k8s.io/v1 Lease.
// Source: k8s.io/api v0.36 coordination/v1 types.go.
var LeaseType = leaseType("v1")

// LeaseV1beta1Type is v1beta1's Lease. Upstream does not serve it, but reads bodies of it.
var LeaseV1beta1Type = leaseType("v1beta1")

func leaseType(version string) *wire.Type {
	t := objectType("Lease", &wire.Type{
		Shape: wire.AStruct, GoName: "LeaseSpec", GoType: version + ".LeaseSpec",
		Fields: []wire.Field{
			{Name: "holderIdentity", Type: wire.StringType, Pointer: true},
			{Name: "leaseDurationSeconds", Type: wire.Int32Type, Pointer: true},
			{Name: "acquireTime", Type: wire.MicroTimeType, Pointer: true},
			{Name: "renewTime", Type: wire.MicroTimeType, Pointer: true},
			{Name: "leaseTransitions", Type: wire.Int32Type, Pointer: true},
			{Name: "strategy", Type: strategyType("v1"), Pointer: true},
			{Name: "preferredHolder", Type: wire.StringType, Pointer: true},
		},
	})
	t.GoType = version + ".Lease"
	return t
}

func candidateType(version string, last wire.Field) *wire.Type {
	t := objectType("LeaseCandidate", &wire.Type{
		Shape: wire.AStruct, GoName: "LeaseCandidateSpec", GoType: version + ".LeaseCandidateSpec",
		Fields: []wire.Field{
			{Name: "leaseName", Type: wire.StringType, Keep: true},
			{Name: "pingTime", Type: wire.MicroTimeType, Pointer: true},
			{Name: "renewTime", Type: wire.MicroTimeType, Pointer: true},
			{Name: "binaryVersion", Type: wire.StringType, Keep: version != "v1alpha1"},
			{Name: "emulationVersion", Type: wire.StringType},
			last,
		},
	})
	t.GoType = version + ".LeaseCandidate"
	return t
}

func strategyType(version string) *wire.Type {
	return &wire.Type{Shape: wire.AString, GoType: version + ".CoordinatedLeaseStrategy"}
}

// The LeaseCandidate of each version: the newer two have one strategy, the oldest has a list.
// Source: k8s.io/api v0.36 coordination/v1beta1 and v1alpha2, v0.31 coordination/v1alpha1 types.go.
var (
	CandidateV1beta1Type = candidateType("v1beta1",
		wire.Field{Name: "strategy", Type: strategyType("v1")})
	CandidateV1alpha2Type = candidateType("v1alpha2",
		wire.Field{Name: "strategy", Type: strategyType("v1")})
	CandidateV1alpha1Type = candidateType("v1alpha1", wire.Field{Name: "preferredStrategies", Type: &wire.Type{
		Shape: wire.AList, GoType: "[]v1.CoordinatedLeaseStrategy", Elem: strategyType("v1"),
	}})
)

// NamespaceType is the core group's Namespace. Source: k8s.io/api v0.36 core/v1 types.go.
var NamespaceType = objectType("Namespace", &wire.Type{
	Shape: wire.AStruct, GoName: "NamespaceSpec", GoType: "v1.NamespaceSpec",
	Fields: []wire.Field{
		{Name: "finalizers", Type: &wire.Type{Shape: wire.AList, GoType: "[]v1.FinalizerName", Elem: wire.StringType}},
	},
}, wire.Field{Name: "status", Keep: true, Type: &wire.Type{
	Shape: wire.AStruct, GoName: "NamespaceStatus", GoType: "v1.NamespaceStatus",
	Fields: []wire.Field{
		{Name: "phase", Type: &wire.Type{Shape: wire.AString, GoType: "v1.NamespacePhase"}},
		{Name: "conditions", Type: &wire.Type{
			Shape: wire.AList, GoType: "[]v1.NamespaceCondition", Elem: namespaceConditionType,
			Merge: wire.ByKey, Keys: []string{"type"}, PatchMerge: wire.ByKey, PatchKeys: []string{"type"},
		}},
	},
}})

var namespaceConditionType = &wire.Type{
	Shape: wire.AStruct, GoName: "NamespaceCondition", GoType: "v1.NamespaceCondition",
	Fields: []wire.Field{
		{Name: "type", Type: &wire.Type{Shape: wire.AString, GoType: "v1.NamespaceConditionType"}, Keep: true},
		{Name: "status", Type: &wire.Type{Shape: wire.AString, GoType: "v1.ConditionStatus"}, Keep: true},
		{Name: "lastTransitionTime", Type: wire.TimeType},
		{Name: "reason", Type: wire.StringType},
		{Name: "message", Type: wire.StringType},
	},
}
