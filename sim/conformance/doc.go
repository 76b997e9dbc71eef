// Package conformance holds the real thing beside ours: client-go, controller-runtime, kubectl and lightkube against the
// served API, and the types, the field manager and the patches of k8s.io/api and apimachinery against core.
//
// It is a module of its own, so that Kubernetes' modules stay out of the engine's. The rooms: served starts the API for
// clients, clients are the clients, types are the round trips, measured draws whole elections of client-go's and compares the
// distributions with the simulator's, bench prints figures beside those of the real libraries, memory is the Lease both use,
// and live asks a real kube-apiserver what the recordings say.
//
// Guarantee: everything that is compared is drawn from fixed seeds, so a difference can be seen again. Non-guarantee: the
// versions are those of go.mod, one minor release newer than the recorded kube-apiserver.
package conformance
