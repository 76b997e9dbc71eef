package protocol

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Knobs lists the settings that have a control in the page.
var Knobs = knobs()

func knobs() []Knob {
	var all []Knob
	for _, k := range scenario.Knobs() {
		takes := "restart"
		if k.Effect == scenario.AtOnce {
			takes = "now"
		}
		all = append(all, Knob{Path: k.Path, Label: k.Label, Name: scenario.PlainName(k.Key), Kind: k.Kind,
			Takes: takes, Default: k.Default, Help: k.Help})
	}
	return all
}

// KnobLabel returns the label of the knob for a path, or the path if it has no knob.
func KnobLabel(path string) string {
	for _, k := range Knobs {
		if k.Path == path {
			return k.Label
		}
	}
	return path
}

// Acts lists the acts that have a button on each node, with their keys.
var Acts = actInfos()

func actInfos() []ActInfo {
	var all []ActInfo
	for _, a := range scenario.Acts() {
		if a.Label != "" {
			all = append(all, ActInfo{
				Act: a.Word, Label: a.Label, Key: a.Key, Help: a.Help,
				Told: a.Told, Promise: a.Promise,
			})
		}
	}
	return all
}

// Fields explains each field of Leases and LeaseCandidates in up to two lines.
var Fields = []FieldHelp{
	{Kind: coordination.KindLease, Field: "apiVersion",
		Help: "The object's API group and version. Leases have been coordination.k8s.io/v1 since Kubernetes 1.14."},
	{Kind: coordination.KindLease, Field: "kind", Help: "The kind of the object."},
	{Kind: coordination.KindLease, Field: "metadata", Help: "Metadata that every API object has."},
	{Kind: coordination.KindLease, Field: "metadata.name",
		Help: "The name of the Lease that all candidates compete for. Two programs that use the same name by " +
			"accident exclude each other."},
	{Kind: coordination.KindLease, Field: "metadata.namespace",
		Help: "The namespace of the Lease. Copies of a program in two namespaces have two Leases, and two leaders."},
	{Kind: coordination.KindLease, Field: "metadata.uid",
		Help: "Set at creation and immutable. An update specifies it and fails if the Lease was deleted and created " +
			"again."},
	{Kind: coordination.KindLease, Field: "metadata.resourceVersion",
		Help: "Changes with every write. An update must specify the version it read. If that version is old, the " +
			"answer is 409 and the server stores nothing."},
	{Kind: coordination.KindLease, Field: "metadata.creationTimestamp",
		Help: "The creation time of the Lease, by the server's clock. No elector uses it."},
	{Kind: coordination.KindLease, Field: "metadata.annotations",
		Help: "Notes on the object. After a change, the leader's next update gets a conflict. Followers do not count " +
			"the change as a renewal."},
	{Kind: coordination.KindLease, Field: "metadata.managedFields",
		Help: "Which manager owns which fields. The API server maintains this list. Only the JSON view and copies " +
			"show all of it."},
	{Kind: coordination.KindLease, Field: "spec",
		Help: "The state of the election: five fields, all written by the holder."},
	{Kind: coordination.KindLease, Field: "spec.holderIdentity",
		Help: "The identity of the holder; empty means that any candidate may acquire the Lease at once. It is a " +
			"name, not a process: two processes with the same name both lead."},
	{Kind: coordination.KindLease, Field: "spec.leaseDurationSeconds",
		Help: "How many seconds followers wait after they last observed a change. They use the value in the Lease, " +
			"not their own setting."},
	{Kind: coordination.KindLease, Field: "spec.acquireTime",
		Help: "When the holder's term began, by the holder's clock. No elector reads it. If the holder lost the " +
			"Lease and got it back, the time may be from the earlier term."},
	{Kind: coordination.KindLease, Field: "spec.renewTime",
		Help: "When the holder last renewed, by the holder's clock: the time when it began the request. Electors do " +
			"not compare this time with their own clocks. Only the controller of coordinated election does."},
	{Kind: coordination.KindLease, Field: "spec.leaseTransitions",
		Help: "How many times the Lease has changed holders. The number is not exact: a deletion resets it, and it " +
			"may grow without a change."},
	{Kind: coordination.KindLease, Field: "spec.strategy",
		Help: "How a coordinated election picks the leader. The next write by a plain elector clears the field."},
	{Kind: coordination.KindLease, Field: "spec.preferredHolder",
		Help: "The candidate that should lead next in a coordinated election; the present holder must then stop " +
			"renewing."},
	{Kind: coordination.KindLeaseCandidate, Field: "apiVersion",
		Help: "The API group and version of the object. v1beta1 and v1alpha2 have the same fields; v1alpha1 of " +
			"Kubernetes 1.31 had a list of strategies."},
	{Kind: coordination.KindLeaseCandidate, Field: "kind", Help: "The kind of the object: a program that could lead."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata", Help: "Metadata that every API object has."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.name",
		Help: "The candidate's name. If the candidate wins, its name becomes the Lease's holderIdentity, so it must " +
			"equal the elector's identity."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.namespace",
		Help: "The namespace of the candidate's Lease; candidates in other namespaces do not count."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.uid",
		Help: "Set at creation and immutable. The client's update specifies it: after a deletion the update fails, " +
			"and the client creates a new object at its next check."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.resourceVersion",
		Help: "Changes with every write. If a ping and a renewal collide, one of them gets a conflict."},
	{Kind: coordination.KindLeaseCandidate, Field: "metadata.creationTimestamp",
		Help: "The creation time, by the server's clock, in whole seconds. If versions are equal, the oldest " +
			"candidate wins."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec",
		Help: "The candidate's versions and strategy, and the times of the last ping and the last renewal."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.leaseName",
		Help: "The Lease that the candidate competes for. Immutable."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.pingTime",
		Help: "When the controller last pinged the candidate, by the API server's clock. If it is later than " +
			"renewTime, the candidate has not answered yet."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.renewTime",
		Help: "When the candidate last renewed, by its own clock: every 5 min, and after each ping. The controller " +
			"compares it with pingTime: a candidate whose clock is 5 s off never counts."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.binaryVersion",
		Help: "The version of the candidate's binary. The strategy of the newest candidate decides how the leader is " +
			"picked."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.emulationVersion",
		Help: "The version that the candidate emulates. With OldestEmulationVersion the lowest one leads, so that no " +
			"leader is newer than the oldest API server."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.strategy",
		Help: "The strategy that the candidate asks for. OldestEmulationVersion is Kubernetes' own; with any other " +
			"strategy, Kubernetes' controller leaves the election to another program."},
	{Kind: coordination.KindLeaseCandidate, Field: "spec.preferredStrategies",
		Help: "In v1alpha1: the strategies that the candidate accepts, best first. Each supersedes the ones after " +
			"it. If the lists form a cycle, no candidate wins."},
}

// NewHello returns the engine's version and formats, with the scenarios of the menu.
func NewHello(menu []ScenarioInfo) Hello {
	return Hello{Engine: world.Engine, Protocol: Version, Scenarios: append([]ScenarioInfo{}, menu...), Knobs: Knobs,
		Acts: Acts, FieldHelp: Fields}
}
