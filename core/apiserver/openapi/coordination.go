package openapi

// schemaName returns the name of the schema of the version's kind, its list or its spec.
func (k kind) schemaName(suffix string) string {
	if k.core() {
		return "io.k8s.api.core.v1." + k.name + suffix
	}
	if k.of != "" {
		return "io.k8s.api.events." + k.version + "." + k.name + suffix
	}
	return "io.k8s.api.coordination." + k.version + "." + k.name + suffix
}

// leaseSpec has the properties of a Lease's spec.
// Source: k8s.io/api v0.36 coordination/v1 types.go.
var leaseSpec = []property{
	{name: "acquireTime", is: metaV1 + "MicroTime", text: "When the current holder acquired the Lease."},
	{name: "holderIdentity", is: "string",
		text: "The identity of the holder; empty without a holder. Under coordinated leader election, the elected " +
			"candidate."},
	{name: "leaseDurationSeconds", is: "int32",
		text: "How many seconds candidates wait after they have observed renewTime change, on their own clocks, " +
			"before they acquire the Lease."},
	{name: "leaseTransitions", is: "int32", text: "How many times the Lease has changed holders."},
	{name: "preferredHolder", is: "string",
		text: "The identity that should hold the Lease next: another holder must release it. Requires a strategy."},
	{name: "renewTime", is: metaV1 + "MicroTime", text: "When the holder last renewed the Lease."},
	{name: "strategy", is: "string",
		text: "How coordinated leader election picks the holder. If absent, the candidates compete for the Lease."},
}

// candidateSpec has the properties of a LeaseCandidate's spec. Upstream gives the strategy no default, although it is
// required. Source: k8s.io/api v0.36 coordination/v1beta1 and v1alpha2, v0.31 coordination/v1alpha1 types.go.
func (k kind) candidateSpec() []property {
	oldest := k.version == "v1alpha1"
	spec := []property{
		{name: "leaseName", is: "string", must: true, zero: true,
			text: "The name of the Lease that this candidate competes for. Immutable."},
		{name: "binaryVersion", is: "string", must: !oldest, zero: !oldest,
			text: "The version of the candidate's binary, as a semantic version without a leading v."},
		{name: "emulationVersion", is: "string",
			text: "The version that the candidate emulates, at most binaryVersion. Required by the strategy " +
				"OldestEmulationVersion."},
		{name: "pingTime", is: metaV1 + "MicroTime",
			text: "When the server last asked whether the candidate is alive. The candidate answers by updating " +
				"renewTime."},
		{name: "renewTime", is: metaV1 + "MicroTime",
			text: "When the candidate last renewed its LeaseCandidate. The server deletes a LeaseCandidate that is " +
				"not renewed."},
	}
	if oldest {
		return append(spec, property{name: "preferredStrategies", is: "string", list: "atomic", must: true,
			text: "The strategies that the candidate supports for picking the leader, best first."})
	}
	return append(spec, property{name: "strategy", is: "string", must: true,
		text: "The strategy that the candidate supports for picking the leader."})
}

const (
	kindText       = "The kind of the object."
	apiVersionText = "The group and version of the object's schema."
)

// schemas returns the schemas of the version's kind, its list and its spec.
func (k kind) schemas() []schema {
	spec, specText, text, must := leaseSpec, "The holder of the Lease and its times.",
		"A Lease is a lock that its holder must renew. The holder leads.", false
	if k.name != "Lease" {
		spec, must = k.candidateSpec(), true
		specText, text = "The Lease that the candidate competes for, and the candidate's versions.",
			"A LeaseCandidate is a process that could hold a Lease. The server picks the holder from among them."
	}
	return []schema{
		{name: k.schemaName(""), text: text, kinds: []groupKind{{group, k.version, k.name}}, properties: []property{
			{name: "apiVersion", is: "string", text: apiVersionText},
			{name: "kind", is: "string", text: kindText},
			{name: "metadata", is: metaV1 + "ObjectMeta", zero: true, text: "Standard object metadata."},
			{name: "spec", is: k.schemaName("Spec"), zero: true, must: must, text: "The specification of the " +
				k.name + "."},
		}},
		k.list(),
		{name: k.schemaName("Spec"), text: specText, properties: spec},
	}
}

// The method list returns the schema of a list of the kind.
func (k kind) list() schema {
	return schema{name: k.schemaName("List"), text: "A list of " + k.name + " objects.",
		kinds: []groupKind{{k.group(), k.version, k.name + "List"}}, properties: []property{
			{name: "apiVersion", is: "string", text: apiVersionText},
			{name: "items", is: k.schemaName(""), list: "plain", must: true, text: "The objects."},
			{name: "kind", is: "string", text: kindText},
			{name: "metadata", is: metaV1 + "ListMeta", zero: true, text: "Standard list metadata."},
		}}
}

// The method common returns the schemas that every version needs.
func (k kind) common() []schema {
	deletion, event := deleteOptions, watchEvent
	deletion.kinds = []groupKind{{"", "v1", "DeleteOptions"}, {k.group(), k.version, "DeleteOptions"}}
	event.kinds = []groupKind{{"", "v1", "WatchEvent"}, {k.group(), k.version, "WatchEvent"}}
	return append([]schema{deletion, event}, machinery...)
}
