package protocol

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Knobs are the settings with a control in the page.
var Knobs = knobs()

func knobs() []Knob {
	var all []Knob
	for _, k := range scenario.Knobs() {
		takes := "restart"
		if k.Effect == scenario.AtOnce {
			takes = "now"
		}
		all = append(all, Knob{Path: k.Path, Label: k.Label, Kind: k.Kind, Takes: takes, Help: k.Help})
	}
	return all
}

func KnobLabel(path string) string {
	for _, k := range Knobs {
		if k.Path == path {
			return k.Label
		}
	}
	return path
}

// Acts are what can be done to a node with one button, with their keys.
var Acts = actInfos()

func actInfos() []ActInfo {
	var all []ActInfo
	for _, a := range scenario.Acts() {
		if a.Label != "" {
			all = append(all, ActInfo{
				Act: a.Word, Label: a.Label, Key: a.Key, Help: a.Help, Section: a.Section, Inverse: a.Inverse, Told: a.Told, Promise: a.Promise,
			})
		}
	}
	return all
}

// Help explains each field of the Lease and of LeaseCandidates in two lines.
var Fields = []FieldHelp{
	{Kind: coordination.KindLease, Field: "apiVersion", Help: "The API group and version of the object. Leases are coordination.k8s.io/v1 since Kubernetes 1.14."},
	{Kind: coordination.KindLease, Field: "kind", Help: "The type of the object."},
	{Kind: coordination.KindLease, Field: "metadata", Help: "What every object of the API carries, whatever it is for."},
	{Kind: coordination.KindLease, Field: "metadata.name", Help: "The Lease everybody competes for. Two programs that use the same name by accident exclude each other."},
	{Kind: coordination.KindLease, Field: "metadata.namespace", Help: "Where the Lease lives. Copies of a program in two namespaces have two Leases, and two leaders."},
	{Kind: coordination.KindLease, Field: "metadata.uid", Help: "Given at creation, never again. An update names it, so that it cannot hit a Lease that was deleted and made anew."},
	{Kind: coordination.KindLease, Field: "metadata.resourceVersion", Help: "Grows with every write. An update must name the one it read: if it has changed, the answer is 409 and nothing is stored."},
	{Kind: coordination.KindLease, Field: "metadata.creationTimestamp", Help: "When the Lease was created, by the server's clock. Nobody compares it."},
	{Kind: coordination.KindLease, Field: "metadata.annotations", Help: "Notes on the object. Changing one makes the leader's next update a conflict, but followers do not take it for a renewal."},
	{Kind: coordination.KindLease, Field: "metadata.managedFields", Help: "Who set which field, kept by the API server. Folded here; JSON and copy show it."},
	{Kind: coordination.KindLease, Field: "spec", Help: "The election itself: five fields, all written by the holder."},
	{Kind: coordination.KindLease, Field: "spec.holderIdentity", Help: "Who holds the Lease; empty means anyone may take it at once. It is a name, not a process: two processes with one name both lead."},
	{Kind: coordination.KindLease, Field: "spec.leaseDurationSeconds", Help: "How long followers wait after they last saw a change, in whole seconds. Everybody goes by what is written here, not by their own settings."},
	{Kind: coordination.KindLease, Field: "spec.acquireTime", Help: "When the holder's term began, by its clock. Nobody compares it; after an interrupted term it may be older than the term."},
	{Kind: coordination.KindLease, Field: "spec.renewTime", Help: "When the holder last renewed, by its clock: the instant it began to ask. Nobody else compares it with their own clock, except the coordinated-election controller."},
	{Kind: coordination.KindLease, Field: "spec.leaseTransitions", Help: "How often the Lease changed hands. Not exact: a deletion resets it, and it may grow without a change."},
	{Kind: coordination.KindLease, Field: "spec.strategy", Help: "How a coordinated election picks a leader. A plain elector erases it with its next write."},
	{Kind: coordination.KindLease, Field: "spec.preferredHolder", Help: "Whom the coordinated election wants to lead next; the holder must then stop renewing."},
	{Kind: coordination.KindLeaseCandidate, Field: "apiVersion", Help: "The API group and version of the object. v1beta1 and v1alpha2 say the same; v1alpha1 of Kubernetes 1.31 had lists of strategies."},
	{Kind: coordination.KindLeaseCandidate, Field: "kind", Help: "The type of the object: one program that would lead."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata", Help: "What every object of the API carries, whatever it is for."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.name", Help: "The candidate's name. If it is elected this stands in the Lease as holderIdentity, so it must be the elector's identity."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.namespace", Help: "Where the Lease lives that it wants; candidates of other namespaces do not count."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.uid", Help: "Given at creation, never again. The client's update names it: after a deletion it fails, and the client creates anew when it looks again."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.resourceVersion", Help: "Grows with every write. A ping and a renewal that meet make one of the two a conflict."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.creationTimestamp", Help: "When it was created, by the server's clock, to the second. Between equal versions the oldest candidate wins."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec", Help: "What the candidate says of itself, and when it was last asked and last answered."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.leaseName", Help: "The Lease it wants to hold. It cannot be changed."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.pingTime", Help: "When the controller last asked whether it is there, by the API server's clock. Later than renewTime: it has not answered."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.renewTime", Help: "When it last said that it is there, by its own clock: every 5 min, and after each ping. Two clocks are compared here; 5 s between them and it never counts."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.binaryVersion", Help: "The version of its program. The newest one's strategy decides how the leader is picked."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.emulationVersion", Help: "The version it behaves as. By OldestEmulationVersion the lowest one leads, so that no leader is newer than the oldest API server."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.strategy", Help: "How it would have the leader picked. OldestEmulationVersion is Kubernetes' own; with any other name Kubernetes' controller leaves the election to another program."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.preferredStrategies", Help: "Of v1alpha1: the strategies it would accept, the best first. A name before another supersedes it; if that leads in a circle nobody is elected."},
}

// NewHello is what the engine says of itself, with the scenarios of the menu.
func NewHello(menu []ScenarioInfo) Hello {
	return Hello{Engine: world.Engine, Protocol: Version, Scenarios: append([]ScenarioInfo{}, menu...), Knobs: Knobs, Acts: Acts, FieldHelp: Fields}
}
