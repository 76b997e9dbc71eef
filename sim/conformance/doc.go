// Package conformance compares the engine with the real programs: client-go, controller-runtime, kubectl and lightkube
// against the served API, and the types, the field manager and the patches of k8s.io/api and apimachinery against core.
//
// A simulator is only worth as much as its resemblance to the real thing. Each package here runs real code next to this
// project's and fails if the two differ: served starts the API for clients, clients runs the clients, types tests round
// trips, measured runs whole elections of client-go and compares the distributions with the simulator's, speed compares
// its speed with the real libraries', memory has the Lease that both programs use, and live checks the recordings
// against a real kube-apiserver. The module is separate, so that the engine does not depend on Kubernetes modules.
//
// Guarantee: every comparison draws from fixed seeds, so a difference is reproducible. Non-guarantee: the package uses
// the versions in go.mod, one minor release newer than the recorded kube-apiserver.
package conformance
