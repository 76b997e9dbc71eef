package openapi

// Schemas that are not specific to the group. Required properties are in the order of upstream's types.
// Source: apimachinery v0.36 pkg/apis/meta/v1 types.go.

var apiGroup = schema{
	name: metaV1 + "APIGroup", text: "An API group and the versions that serve it.",
	kinds: []groupKind{{"", "v1", "APIGroup"}},
	properties: []property{
		{name: "apiVersion", is: "string", text: apiVersionText},
		{name: "kind", is: "string", text: kindText},
		{name: "name", is: "string", must: true, zero: true, text: "The name of the group."},
		{name: "preferredVersion", is: metaV1 + "GroupVersionForDiscovery", zero: true,
			text: "The version that clients should use."},
		{name: "serverAddressByClientCIDRs", is: metaV1 + "ServerAddressByClientCIDR", list: "atomic",
			text: "The server's addresses, by the network of the client."},
		{name: "versions", is: metaV1 + "GroupVersionForDiscovery", list: "atomic", must: true,
			text: "The versions, best first."},
	},
}

var groupVersionForDiscovery = schema{
	name: metaV1 + "GroupVersionForDiscovery", text: "An API group and one of its versions.",
	properties: []property{
		{name: "groupVersion", is: "string", must: true, zero: true, text: "Group and version, separated by a slash."},
		{name: "version", is: "string", must: true, zero: true, text: "The version alone."},
	},
}

var serverAddress = schema{
	name: metaV1 + "ServerAddressByClientCIDR", text: "The server's address for clients of one network.",
	properties: []property{
		{name: "clientCIDR", is: "string", must: true, zero: true,
			text: "The network of the clients, in CIDR notation."},
		{name: "serverAddress", is: "string", must: true, zero: true, text: "Host and port of the server."},
	},
}

// deleteOptions is the schema of DeleteOptions. Every group and version has this kind, and the document lists them all.
var deleteOptions = schema{
	name: metaV1 + "DeleteOptions", text: "How to delete an object.",
	properties: []property{
		{name: "apiVersion", is: "string", text: apiVersionText},
		{name: "dryRun", is: "string", list: "atomic",
			text: "With the value All, the server processes the request but stores nothing."},
		{name: "gracePeriodSeconds", is: "int64",
			text: "Seconds before the object is deleted; has no effect on these kinds."},
		{name: "ignoreStoreReadErrorWithClusterBreakingPotential", is: "boolean",
			text: "Delete the object even if it cannot be read; has no effect here."},
		{name: "kind", is: "string", text: kindText},
		{name: "orphanDependents", is: "boolean", text: "Deprecated: use propagationPolicy Orphan."},
		{name: "preconditions", is: metaV1 + "Preconditions",
			text: "Conditions that the object must meet to be deleted."},
		{name: "propagationPolicy", is: "string",
			text: "What happens to the object's dependents: Orphan, Background or Foreground."},
	},
}

// watchEvent is the schema of WatchEvent, which every group and version has too.
var watchEvent = schema{
	name: metaV1 + "WatchEvent", text: "One event of a watch.",
	properties: []property{
		{name: "type", is: "string", must: true, zero: true, text: "ADDED, MODIFIED, DELETED, BOOKMARK or ERROR."},
		{name: "object", is: runtime + "RawExtension", must: true,
			text: "The object after the event, or before its deletion; a Status for ERROR."},
	},
}

// machinery lists the schemas of every version's document.
var machinery = []schema{
	{name: metaV1 + "APIResource", text: "A resource and its verbs.", properties: []property{
		{name: "name", is: "string", must: true, zero: true, text: "The plural name, as in paths."},
		{name: "singularName", is: "string", must: true, zero: true, text: "The singular name."},
		{name: "namespaced", is: "boolean", must: true, zero: true, text: "Whether its objects are in namespaces."},
		{name: "group", is: "string", text: "The group, if it differs from the list's."},
		{name: "version", is: "string", text: "The version, if it differs from the list's."},
		{name: "kind", is: "string", must: true, zero: true, text: "The kind of its objects."},
		{name: "verbs", is: "string", list: "plain", must: true, text: "The verbs that the resource supports."},
		{name: "shortNames", is: "string", list: "atomic", text: "Abbreviations of the name for kubectl."},
		{name: "categories", is: "string", list: "atomic", text: "The categories of the resource, such as all."},
		{name: "storageVersionHash", is: "string",
			text: "A hash of the version in which objects are stored. Only compare it."},
	}},
	{name: metaV1 + "APIResourceList", text: "The resources of a group and version.",
		kinds: []groupKind{{"", "v1", "APIResourceList"}}, properties: []property{
			{name: "apiVersion", is: "string", text: apiVersionText},
			{name: "groupVersion", is: "string", must: true, zero: true,
				text: "Group and version, separated by a slash."},
			{name: "kind", is: "string", text: kindText},
			{name: "resources", is: metaV1 + "APIResource", list: "atomic", must: true, text: "The resources."},
		}},
	{name: metaV1 + "FieldsV1",
		text: "A set of fields: f:NAME for a field, k:KEYS and v:VALUE for an item of a list, and a dot for the " +
			"value itself."},
	{name: metaV1 + "ListMeta", text: "Standard list metadata.", properties: []property{
		{name: "continue", is: "string",
			text: "A token for the next page, empty on the last. It expires after a few minutes."},
		{name: "remainingItemCount", is: "int64", text: "How many objects follow this page; absent with selectors."},
		{name: "resourceVersion", is: "string",
			text: "The version of the storage that the list shows. A watch can start from it."},
		{name: "selfLink", is: "string", text: "Deprecated and empty."},
		{name: "shardInfo", is: metaV1 + "ShardInfo", text: "The selected part of a collection."},
	}},
	{name: metaV1 + "ManagedFieldsEntry", text: "The fields that one manager owns.", properties: []property{
		{name: "apiVersion", is: "string", text: "The API version that names the fields."},
		{name: "fieldsType", is: "string", text: "FieldsV1."},
		{name: "fieldsV1", is: metaV1 + "FieldsV1", text: "The fields."},
		{name: "manager", is: "string", text: "The manager of the fields."},
		{name: "operation", is: "string", text: "The operation that set the fields: Apply or Update."},
		{name: "subresource", is: "string", text: "The subresource through which the manager set the fields, if any."},
		{name: "time", is: metaV1 + "Time", text: "When the entry last changed."},
	}},
	{name: metaV1 + "MicroTime", shape: "string", format: "date-time",
		text: "A time with six digits after the second."},
	{name: metaV1 + "ObjectMeta", text: "Standard object metadata.", properties: objectMeta},
	{name: metaV1 + "OwnerReference", text: "An owner of this object. Deleting the owner deletes this object.",
		whole: true, properties: []property{
			{name: "apiVersion", is: "string", must: true, zero: true, text: "The owner's API group and version."},
			{name: "blockOwnerDeletion", is: "boolean",
				text: "Whether a foreground deletion of the owner waits for this object."},
			{name: "controller", is: "boolean",
				text: "Whether the owner controls this object. At most one owner does."},
			{name: "kind", is: "string", must: true, zero: true, text: "The owner's kind."},
			{name: "name", is: "string", must: true, zero: true, text: "The owner's name."},
			{name: "uid", is: "string", must: true, zero: true, text: "The owner's uid."},
		}},
	{name: metaV1 + "Patch", text: "A patch of one of four types; the Content-Type header selects the type."},
	{name: metaV1 + "Preconditions", text: "Conditions that an object must meet.", properties: []property{
		{name: "resourceVersion", is: "string", text: "The required resourceVersion."},
		{name: "uid", is: "string", text: "The required uid."},
	}},
	{name: metaV1 + "ShardInfo", text: "A part of a collection.", properties: []property{
		{name: "selector", is: "string", must: true, zero: true, text: "The selector that defines the part."},
	}},
	{name: metaV1 + "Status", text: "The result of a request that returns no object: a failure, or a deletion.",
		kinds: []groupKind{{"", "v1", "Status"}}, properties: []property{
			{name: "apiVersion", is: "string", text: apiVersionText},
			{name: "code", is: "int32", text: "The HTTP status code."},
			{name: "details", is: metaV1 + "StatusDetails", text: "More data about the reason, if known."},
			{name: "kind", is: "string", text: kindText},
			{name: "message", is: "string", text: "A human-readable description of the result."},
			{name: "metadata", is: metaV1 + "ListMeta", zero: true, text: "Standard list metadata."},
			{name: "reason", is: "string", text: "A machine-readable reason in one word."},
			{name: "status", is: "string", text: "Success or Failure."},
		}},
	{name: metaV1 + "StatusCause", text: "One cause of a failure.", properties: []property{
		{name: "field", is: "string", text: "The field that caused the failure."},
		{name: "message", is: "string", text: "A human-readable description of the cause."},
		{name: "reason", is: "string", text: "A machine-readable reason in one word."},
	}},
	{name: metaV1 + "StatusDetails", text: "Details of a Status.", properties: []property{
		{name: "causes", is: metaV1 + "StatusCause", list: "atomic", text: "The causes, by field."},
		{name: "group", is: "string", text: "The group of the object."},
		{name: "kind", is: "string", text: "The kind of the object, or its resource."},
		{name: "name", is: "string", text: "The name of the object."},
		{name: "retryAfterSeconds", is: "int32", text: "Seconds to wait before retrying."},
		{name: "uid", is: "string", text: "The uid of the object."},
	}},
	{name: metaV1 + "Time", shape: "string", format: "date-time", text: "A time in whole seconds."},
	{name: runtime + "RawExtension", text: "Any object."},
}

var objectMeta = []property{
	{name: "annotations", is: "map", text: "Notes of any form that tools attach, by key. Selectors cannot use them."},
	{name: "creationTimestamp", is: metaV1 + "Time", text: "When the server created the object."},
	{name: "deletionGracePeriodSeconds", is: "int64",
		text: "Seconds after deletionTimestamp until the object is deleted."},
	{name: "deletionTimestamp", is: metaV1 + "Time",
		text: "When the deletion was requested. The object disappears once its finalizers are removed."},
	{name: "finalizers", is: "string", list: "set", patch: "merge",
		text: "Finalizers that must be removed before the object disappears."},
	{name: "generateName", is: "string", text: "A prefix to which the server appends a suffix if name is empty."},
	{name: "generation", is: "int64", text: "Counts changes to the desired state. A Lease or LeaseCandidate has none."},
	{name: "labels", is: "map", text: "Keys and values that selectors can use."},
	{name: "managedFields", is: metaV1 + "ManagedFieldsEntry", list: "atomic",
		text: "Which manager owns which fields. The server maintains this list."},
	{name: "name", is: "string", text: "The name, unique within the namespace. Immutable."},
	{name: "namespace", is: "string", text: "The namespace. Immutable."},
	{name: "ownerReferences", is: metaV1 + "OwnerReference", list: "map", keys: "uid", patch: "merge",
		text: "The objects that own this one."},
	{name: "resourceVersion", is: "string",
		text: "The version of the object. A write that specifies it fails if the object has changed since."},
	{name: "selfLink", is: "string", text: "Deprecated and empty."},
	{name: "uid", is: "string", text: "Identifies the object among all that have had or will have its name."},
}
