// Package conformance compares the engine with the real programs: client-go, controller-runtime, kubectl and lightkube
// against the served API, and the types, the field manager and the patches of k8s.io/api and apimachinery against core.
//
// It is a module of its own, which keeps Kubernetes' modules out of the engine's. Its packages: served starts the API
// for clients, clients runs the clients, types tests round trips, measured draws whole elections of client-go and
// compares the distributions with the simulator's, speed prints figures beside those of the real libraries, memory is
// the Lease that both use, and live checks the recordings against a real kube-apiserver.
//
// Guarantee: every comparison draws from fixed seeds, so a difference is reproducible. Non-guarantee: the versions are
// those of go.mod, one minor release newer than the recorded kube-apiserver.
package conformance
