// Package conformance holds the real thing beside ours: client-go, controller-runtime, kubectl and lightkube against the
// served API, and the types, the field manager and the patches of k8s.io/api and apimachinery against core.
//
// It is a module of its own, so that Kubernetes' modules stay out of the engine's. The rooms: served starts the API for
// clients, clients are the clients, bench prints figures beside those of the real libraries, and types, one more module, are
// the round trips.
//
// Guarantee: what is compared is drawn from fixed seeds, so a difference can be seen again. Non-guarantee: there are two
// releases. Clients are the newest; types are of the recorded kube-apiserver's release, v0.36, because
// structured-merge-diff v6.4, which v0.37 needs, leaves null where v6.3 left an empty container, and managedFields show it.
package conformance
