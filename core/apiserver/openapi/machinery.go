package openapi

// The schemas that are not the group's own. Where properties must be there, they stand in the order of upstream's types.
// Source: apimachinery v0.36 pkg/apis/meta/v1 types.go.

var apiGroup = schema{
	name: metaV1 + "APIGroup", text: "A group of resources and the versions it is served in.", kinds: []groupKind{{"", "v1", "APIGroup"}},
	properties: []property{
		{name: "apiVersion", is: "string", text: apiVersionText},
		{name: "kind", is: "string", text: kindText},
		{name: "name", is: "string", must: true, zero: true, text: "The name of the group."},
		{name: "preferredVersion", is: metaV1 + "GroupVersionForDiscovery", zero: true, text: "The version that clients should take."},
		{name: "serverAddressByClientCIDRs", is: metaV1 + "ServerAddressByClientCIDR", list: "atomic", text: "Where clients of which networks find the server."},
		{name: "versions", is: metaV1 + "GroupVersionForDiscovery", list: "atomic", must: true, text: "The versions, best first."},
	},
}

var groupVersionForDiscovery = schema{
	name: metaV1 + "GroupVersionForDiscovery", text: "A group and a version of it.",
	properties: []property{
		{name: "groupVersion", is: "string", must: true, zero: true, text: "Group and version with a slash between them."},
		{name: "version", is: "string", must: true, zero: true, text: "The version alone."},
	},
}

var serverAddress = schema{
	name: metaV1 + "ServerAddressByClientCIDR", text: "Where clients of a network find the server.",
	properties: []property{
		{name: "clientCIDR", is: "string", must: true, zero: true, text: "The network of the clients."},
		{name: "serverAddress", is: "string", must: true, zero: true, text: "Host and port of the server."},
	},
}

// deleteOptions go under every group and version; the document says which.
var deleteOptions = schema{
	name: metaV1 + "DeleteOptions", text: "How to delete an object.",
	properties: []property{
		{name: "apiVersion", is: "string", text: apiVersionText},
		{name: "dryRun", is: "string", list: "atomic", text: "All: do everything but store the outcome."},
		{name: "gracePeriodSeconds", is: "int64", text: "How long the object may go on; nothing here takes any time."},
		{name: "ignoreStoreReadErrorWithClusterBreakingPotential", is: "boolean", text: "Delete the object even if it cannot be read. It changes nothing here."},
		{name: "kind", is: "string", text: kindText},
		{name: "orphanDependents", is: "boolean", text: "The older way to say propagationPolicy Orphan."},
		{name: "preconditions", is: metaV1 + "Preconditions", text: "What the object must be like to be deleted."},
		{name: "propagationPolicy", is: "string", text: "What becomes of the objects that this one owns: Orphan, Background or Foreground."},
	},
}

// watchEvent goes under every group and version too.
var watchEvent = schema{
	name: metaV1 + "WatchEvent", text: "One line of a watch.",
	properties: []property{
		{name: "type", is: "string", must: true, zero: true, text: "ADDED, MODIFIED, DELETED, BOOKMARK or ERROR."},
		{name: "object", is: runtime + "RawExtension", must: true, text: "The object, as it became or as it last was; for ERROR a Status."},
	},
}

// machinery are the schemas of every version's document.
var machinery = []schema{
	{name: metaV1 + "APIResource", text: "A resource and what can be done with it.", properties: []property{
		{name: "name", is: "string", must: true, zero: true, text: "The plural that paths have."},
		{name: "singularName", is: "string", must: true, zero: true, text: "The singular of its name."},
		{name: "namespaced", is: "boolean", must: true, zero: true, text: "Whether its objects are in namespaces."},
		{name: "group", is: "string", text: "The group, if it is not the list's."},
		{name: "version", is: "string", text: "The version, if it is not the list's."},
		{name: "kind", is: "string", must: true, zero: true, text: "The kind of its objects."},
		{name: "verbs", is: "string", list: "plain", must: true, text: "What can be done with it."},
		{name: "shortNames", is: "string", list: "atomic", text: "What its users may type."},
		{name: "categories", is: "string", list: "atomic", text: "The groups of resources it belongs to, such as all."},
		{name: "storageVersionHash", is: "string", text: "Names the version in which its objects are stored; it is only good for comparing."},
	}},
	{name: metaV1 + "APIResourceList", text: "The resources of a group and version.", kinds: []groupKind{{"", "v1", "APIResourceList"}}, properties: []property{
		{name: "apiVersion", is: "string", text: apiVersionText},
		{name: "groupVersion", is: "string", must: true, zero: true, text: "Group and version with a slash between them."},
		{name: "kind", is: "string", text: kindText},
		{name: "resources", is: metaV1 + "APIResource", list: "atomic", must: true, text: "The resources."},
	}},
	{name: metaV1 + "FieldsV1", text: "A set of fields: a member f:NAME for each, k:KEYS and v:VALUE for items of lists, and a dot for the place itself."},
	{name: metaV1 + "ListMeta", text: "What every list has.", properties: []property{
		{name: "continue", is: "string", text: "A token for the next page. It is empty at the end, and good for some minutes."},
		{name: "remainingItemCount", is: "int64", text: "How many objects come after this page; absent with selectors."},
		{name: "resourceVersion", is: "string", text: "The version of the storage that the list shows. A watch goes on from it."},
		{name: "selfLink", is: "string", text: "No longer filled in."},
		{name: "shardInfo", is: metaV1 + "ShardInfo", text: "The part of a collection that the list shows."},
	}},
	{name: metaV1 + "ManagedFieldsEntry", text: "The fields that one manager set.", properties: []property{
		{name: "apiVersion", is: "string", text: "The version of the object that the fields are named in."},
		{name: "fieldsType", is: "string", text: "FieldsV1."},
		{name: "fieldsV1", is: metaV1 + "FieldsV1", text: "The fields."},
		{name: "manager", is: "string", text: "Who set the fields."},
		{name: "operation", is: "string", text: "Apply or Update: how the fields were set."},
		{name: "subresource", is: "string", text: "The subresource by which they were set, if by one."},
		{name: "time", is: metaV1 + "Time", text: "When the entry last changed."},
	}},
	{name: metaV1 + "MicroTime", shape: "string", format: "date-time", text: "An instant with exactly six digits after the second's point."},
	{name: metaV1 + "ObjectMeta", text: "What every object has.", properties: objectMeta},
	{name: metaV1 + "OwnerReference", text: "An object that owns this one. When it is deleted, this one goes too.", whole: true, properties: []property{
		{name: "apiVersion", is: "string", must: true, zero: true, text: "The owner's group and version."},
		{name: "blockOwnerDeletion", is: "boolean", text: "Whether a foreground deletion of the owner waits for this object."},
		{name: "controller", is: "boolean", text: "Whether the owner controls this object. One owner at most does."},
		{name: "kind", is: "string", must: true, zero: true, text: "The owner's kind."},
		{name: "name", is: "string", must: true, zero: true, text: "The owner's name."},
		{name: "uid", is: "string", must: true, zero: true, text: "The owner's uid."},
	}},
	{name: metaV1 + "Patch", text: "A patch of one of four kinds; the Content-Type says which."},
	{name: metaV1 + "Preconditions", text: "What an object must be like.", properties: []property{
		{name: "resourceVersion", is: "string", text: "The version it must have."},
		{name: "uid", is: "string", text: "The uid it must have."},
	}},
	{name: metaV1 + "ShardInfo", text: "A part of a collection.", properties: []property{
		{name: "selector", is: "string", must: true, zero: true, text: "The selector of the part."},
	}},
	{name: metaV1 + "Status", text: "The answer to a request that has no object for an answer: a failure, or a deletion.", kinds: []groupKind{{"", "v1", "Status"}}, properties: []property{
		{name: "apiVersion", is: "string", text: apiVersionText},
		{name: "code", is: "int32", text: "The HTTP status."},
		{name: "details", is: metaV1 + "StatusDetails", text: "More about the reason, as far as it is known."},
		{name: "kind", is: "string", text: kindText},
		{name: "message", is: "string", text: "What happened, for people."},
		{name: "metadata", is: metaV1 + "ListMeta", zero: true, text: "What every list has."},
		{name: "reason", is: "string", text: "What happened, in one word, for programs."},
		{name: "status", is: "string", text: "Success or Failure."},
	}},
	{name: metaV1 + "StatusCause", text: "One of the causes of a failure.", properties: []property{
		{name: "field", is: "string", text: "The field that was at fault."},
		{name: "message", is: "string", text: "What was wrong with it, for people."},
		{name: "reason", is: "string", text: "What was wrong with it, in one word, for programs."},
	}},
	{name: metaV1 + "StatusDetails", text: "More about a Status.", properties: []property{
		{name: "causes", is: metaV1 + "StatusCause", list: "atomic", text: "The causes, field by field."},
		{name: "group", is: "string", text: "The group of the object."},
		{name: "kind", is: "string", text: "The kind of the object, or its resource."},
		{name: "name", is: "string", text: "The name of the object."},
		{name: "retryAfterSeconds", is: "int32", text: "How long to wait before trying again."},
		{name: "uid", is: "string", text: "The uid of the object."},
	}},
	{name: metaV1 + "Time", shape: "string", format: "date-time", text: "An instant in whole seconds."},
	{name: runtime + "RawExtension", text: "Any object."},
}

var objectMeta = []property{
	{name: "annotations", is: "map", text: "Notes of tools, by key. Nothing selects by them."},
	{name: "creationTimestamp", is: metaV1 + "Time", text: "When the server created the object."},
	{name: "deletionGracePeriodSeconds", is: "int64", text: "How long the object may go on after deletionTimestamp."},
	{name: "deletionTimestamp", is: metaV1 + "Time", text: "Since when the object is being deleted. It goes when its finalizers are gone."},
	{name: "finalizers", is: "string", list: "set", patch: "merge", text: "Who must agree before the object goes."},
	{name: "generateName", is: "string", text: "The beginning of a name that the server completes, if there is no name."},
	{name: "generation", is: "int64", text: "Counts the states that were asked for. Leases and candidates have none."},
	{name: "labels", is: "map", text: "Keys and values by which objects are selected."},
	{name: "managedFields", is: metaV1 + "ManagedFieldsEntry", list: "atomic", text: "Who set which fields. The server keeps it."},
	{name: "name", is: "string", text: "The name, unique in the namespace. It cannot be changed."},
	{name: "namespace", is: "string", text: "The namespace. It cannot be changed."},
	{name: "ownerReferences", is: metaV1 + "OwnerReference", list: "map", keys: "uid", patch: "merge", text: "The objects that own this one."},
	{name: "resourceVersion", is: "string", text: "The version of the object. A write that carries it fails if somebody else has written since."},
	{name: "selfLink", is: "string", text: "No longer filled in."},
	{name: "uid", is: "string", text: "What tells the object from all others that had or will have its name."},
}
