package apiserver

import "strings"

// schemeKinds lists the kinds of the stable APIs in upstream's scheme, by apiVersion; a "+" marks kinds with a list
// type. The error for a body of such a kind differs from the error for an unknown kind.
//
// Deviation: the alpha and beta kinds of groups other than coordination.k8s.io are missing. Pinned by
// TestKindsOfBodies.
var schemeKinds = map[string]string{
	"v1": "APIGroup APIGroupList APIResourceList APIVersions Binding ComponentStatus+ ConfigMap+ Endpoints+ Event+ " +
		"LimitRange+ Namespace+ Node+ " +
		"NodeProxyOptions PersistentVolume+ PersistentVolumeClaim+ Pod+ PodAttachOptions PodExecOptions " +
		"PodLogOptions PodPortForwardOptions " +
		"PodProxyOptions PodStatusResult PodTemplate+ RangeAllocation ReplicationController+ ResourceQuota+ Secret+ " +
		"SerializedReference Service+ " +
		"ServiceAccount+ ServiceProxyOptions Status",
	"admissionregistration.k8s.io/v1": "MutatingWebhookConfiguration+ ValidatingAdmissionPolicy+ " +
		"ValidatingAdmissionPolicyBinding+ ValidatingWebhookConfiguration+",
	"apps/v1":                  "ControllerRevision+ DaemonSet+ Deployment+ ReplicaSet+ StatefulSet+",
	"authentication.k8s.io/v1": "SelfSubjectReview TokenRequest TokenReview",
	"authorization.k8s.io/v1": "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview " +
		"SubjectAccessReview",
	"autoscaling/v1":                  "HorizontalPodAutoscaler+ Scale",
	"autoscaling/v2":                  "HorizontalPodAutoscaler+",
	"batch/v1":                        "CronJob+ Job+",
	"certificates.k8s.io/v1":          "CertificateSigningRequest+",
	"coordination.k8s.io/v1":          "Lease+",
	"coordination.k8s.io/v1alpha2":    "LeaseCandidate+",
	"coordination.k8s.io/v1beta1":     "Lease+ LeaseCandidate+",
	"discovery.k8s.io/v1":             "EndpointSlice+",
	"events.k8s.io/v1":                "Event+",
	"flowcontrol.apiserver.k8s.io/v1": "FlowSchema+ PriorityLevelConfiguration+",
	"networking.k8s.io/v1":            "IPAddress+ Ingress+ IngressClass+ NetworkPolicy+ ServiceCIDR+",
	"node.k8s.io/v1":                  "RuntimeClass+",
	"policy/v1":                       "Eviction PodDisruptionBudget+",
	"rbac.authorization.k8s.io/v1":    "ClusterRole+ ClusterRoleBinding+ Role+ RoleBinding+",
	"resource.k8s.io/v1":              "DeviceClass+ ResourceClaim+ ResourceClaimTemplate+ ResourceSlice+",
	"scheduling.k8s.io/v1":            "PriorityClass+",
	"storage.k8s.io/v1": "CSIDriver+ CSINode+ CSIStorageCapacity+ StorageClass+ VolumeAttachment+ " +
		"VolumeAttributesClass+",
}

// The constant everywhere lists the kinds that belong to every group and version.
const everywhere = "CreateOptions DeleteOptions GetOptions ListOptions PatchOptions UpdateOptions WatchEvent"

// isRegistered reports whether upstream's scheme knows a kind.
func isRegistered(g *groupKind) bool {
	kinds, known := schemeKinds[g.apiVersion()]
	return known && (isListed(kinds, g.kind) || isListed(everywhere, g.kind))
}

func isListed(kinds, kind string) bool {
	for _, k := range strings.Fields(kinds) {
		one, many := strings.CutSuffix(k, "+")
		if kind == one || (many && kind == one+"List") {
			return true
		}
	}
	return false
}

// goType returns the Go type of a registered kind, as errors print it.
func (g *groupKind) goType() string {
	if isListed(everywhere, g.kind) {
		return "v1." + g.kind
	}
	return g.version + "." + g.kind
}
