package openapi

// schemaName is the name of the version's kind, of its list or of its spec.
func (k kind) schemaName(suffix string) string {
	return "io.k8s.api.coordination." + k.version + "." + k.name + suffix
}

// leaseSpec is what a Lease says.
// Source: k8s.io/api v0.36 coordination/v1 types.go.
var leaseSpec = []property{
	{name: "acquireTime", is: metaV1 + "MicroTime", text: "When the present holder acquired the lease."},
	{name: "holderIdentity", is: "string", text: "Who holds the lease; nobody, if it is empty. With coordinated leader election, who was picked."},
	{name: "leaseDurationSeconds", is: "int32", text: "How long candidates wait after renewTime, by their own clocks, before they take the lease by force."},
	{name: "leaseTransitions", is: "int32", text: "How often the lease went from one holder to another."},
	{name: "preferredHolder", is: "string", text: "Who should hold the lease next: a holder that is somebody else must let go. Only with a strategy."},
	{name: "renewTime", is: metaV1 + "MicroTime", text: "When the holder last renewed the lease."},
	{name: "strategy", is: "string", text: "How the next holder is picked under coordinated leader election. Absent: the candidates race for the lease."},
}

// candidateSpec is what a LeaseCandidate says. Upstream has no default for the strategy although it must be there.
// Source: k8s.io/api v0.36 coordination/v1beta1 and v1alpha2, v0.31 coordination/v1alpha1 types.go.
func (k kind) candidateSpec() []property {
	oldest := k.version == "v1alpha1"
	spec := []property{
		{name: "leaseName", is: "string", must: true, zero: true, text: "The Lease that the candidate stands for. It cannot be changed."},
		{name: "binaryVersion", is: "string", must: !oldest, zero: !oldest, text: "The version of the candidate's program, as a semantic version without a leading v."},
		{name: "emulationVersion", is: "string", text: "The version that the candidate behaves like, not above binaryVersion. The strategy OldestEmulationVersion needs it."},
		{name: "pingTime", is: metaV1 + "MicroTime", text: "When the server last asked whether the candidate is there. The candidate answers by renewing renewTime."},
		{name: "renewTime", is: metaV1 + "MicroTime", text: "When the candidate last said that it is there. It is dropped some time after it stops saying so."},
	}
	if oldest {
		return append(spec, property{name: "preferredStrategies", is: "string", list: "atomic", must: true, text: "The strategies by which the candidate would have the leader picked, the best first."})
	}
	return append(spec, property{name: "strategy", is: "string", must: true, text: "The strategy by which the candidate would have the leader picked."})
}

const (
	kindText       = "The kind of the object."
	apiVersionText = "The group and version of the object's schema."
)

// schemas are the version's kind, its list and its spec.
func (k kind) schemas() []schema {
	spec, specText, text, must := leaseSpec, "The holder of the lease and its times.", "A Lease is a lock that its holder must renew. The holder leads.", false
	if k.name != "Lease" {
		spec, must = k.candidateSpec(), true
		specText, text = "What the candidate stands for, and its versions.", "A LeaseCandidate is a process that could hold a Lease. The server picks the holder among them."
	}
	return []schema{
		{name: k.schemaName(""), text: text, kinds: []groupKind{{group, k.version, k.name}}, properties: []property{
			{name: "apiVersion", is: "string", text: apiVersionText},
			{name: "kind", is: "string", text: kindText},
			{name: "metadata", is: metaV1 + "ObjectMeta", zero: true, text: "What every object has."},
			{name: "spec", is: k.schemaName("Spec"), zero: true, must: must, text: specText},
		}},
		{name: k.schemaName("List"), text: "A list of " + k.name + " objects.", kinds: []groupKind{{group, k.version, k.name + "List"}}, properties: []property{
			{name: "apiVersion", is: "string", text: apiVersionText},
			{name: "items", is: k.schemaName(""), list: "plain", must: true, text: "The objects."},
			{name: "kind", is: "string", text: kindText},
			{name: "metadata", is: metaV1 + "ListMeta", zero: true, text: "What every list has."},
		}},
		{name: k.schemaName("Spec"), text: specText, properties: spec},
	}
}

// shared are the schemas that every version needs.
func (k kind) shared() []schema {
	deletion, event := deleteOptions, watchEvent
	deletion.kinds = []groupKind{{"", "v1", "DeleteOptions"}, {group, k.version, "DeleteOptions"}}
	event.kinds = []groupKind{{"", "v1", "WatchEvent"}, {group, k.version, "WatchEvent"}}
	return append([]schema{deletion, event}, machinery...)
}
