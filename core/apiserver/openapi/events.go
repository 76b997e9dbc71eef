package openapi

// newEvent is the Event of events.k8s.io: the core group's Event with other member names.
var newEvent = kind{version: "v1", name: "Event", plural: "events", of: "events.k8s.io"}

// newEventDocument returns the document of events.k8s.io/v1.
func newEventDocument() []byte {
	return document(newEvent.paths(), append(append(newEvent.newEventSchemas(), eventParts()...), newEvent.common()...))
}

// eventParts returns the parts of an Event that equal the core group's.
func eventParts() (parts []schema) {
	for _, s := range coreParts {
		if s.name == coreV1+"EventSource" || s.name == coreV1+"ObjectReference" {
			parts = append(parts, s)
		}
	}
	return parts
}

// newEventSchemas returns the schemas of the Event, its list and its series.
// Source: k8s.io/api v0.36 events/v1 types.go.
func (k kind) newEventSchemas() []schema {
	const eventsV1 = "io.k8s.api.events.v1."
	return []schema{
		{name: k.schemaName(""), text: coreObjects["Event"].text, kinds: []groupKind{{k.of, "v1", k.name}},
			properties: []property{
				{name: "action", is: "string", text: "What was done, or failed. Required with at most 128 bytes."},
				{name: "apiVersion", is: "string", text: apiVersionText},
				{name: "deprecatedCount", is: "int32", text: "The count of the core group's Event."},
				{name: "deprecatedFirstTimestamp", is: metaV1 + "Time",
					text: "The firstTimestamp of the core group's Event."},
				{name: "deprecatedLastTimestamp", is: metaV1 + "Time",
					text: "The lastTimestamp of the core group's Event."},
				{name: "deprecatedSource", is: coreV1 + "EventSource", zero: true,
					text: "The source of the core group's Event."},
				{name: "eventTime", is: metaV1 + "MicroTime", must: true, text: "When it was first observed."},
				{name: "kind", is: "string", text: kindText},
				{name: "metadata", is: metaV1 + "ObjectMeta", zero: true, text: "Standard object metadata."},
				{name: "note", is: "string", text: "A sentence about it, of at most 1,024 bytes."},
				{name: "reason", is: "string", text: "A one-word reason for programs. Required, at most 128 bytes."},
				{name: "regarding", is: coreV1 + "ObjectReference", zero: true,
					text: "The object to which it happened."},
				{name: "related", is: coreV1 + "ObjectReference", text: "Another object that takes part."},
				{name: "reportingController", is: "string", text: "The controller that reports it. Required."},
				{name: "reportingInstance", is: "string",
					text: "The instance of that controller. Required with at most 128 bytes."},
				{name: "series", is: eventsV1 + "EventSeries", text: "The series that it belongs to."},
				{name: "type", is: "string", text: "Normal or Warning."},
			}},
		k.list(),
		{name: eventsV1 + "EventSeries", text: "A series of events.", properties: []property{
			{name: "count", is: "int32", must: true, zero: true, text: "The number of occurrences: at least two."},
			{name: "lastObservedTime", is: metaV1 + "MicroTime", must: true, text: "When its last event was observed."},
		}},
	}
}
