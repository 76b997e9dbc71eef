//go:build !page

package apiserver

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/selector"
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// newEvents shows the Events of the core group the way events.k8s.io does: the same stored objects with other member
// names.
//
// Deviation: it omits a zero time, which upstream writes as null. TestEventsOfBothGroups pins this.
// Source: kubernetes v1.36 pkg/apis/events/v1 conversion.go; k8s.io/api v0.36 events/v1 types.go Event.
var newEvents = &resource{
	group: "events.k8s.io", name: events.name, singular: events.singular, kind: events.kind, goKind: events.goKind,
	namespaced: true,
	short:      events.short, storageHash: events.storageHash, columns: events.columns, unconditional: true,
	storage:  &events.versions[0],
	versions: []version{{name: "v1", kind: newEventType, renamed: newEventNames}},
	validate: validateNewEvent, validateUpdate: validateNewEventUpdate,
	row: eventRow, selects: selectsNewEvent,
}

// newEventNames pairs the core group's name of a member with its name in events.k8s.io.
var newEventNames = [][2]string{
	{"involvedObject", "regarding"}, {"message", "note"}, {"reportingComponent", "reportingController"},
	{"source", "deprecatedSource"},
	{"firstTimestamp", "deprecatedFirstTimestamp"}, {"lastTimestamp", "deprecatedLastTimestamp"},
	{"count", "deprecatedCount"},
}

var newEventType = func() *wire.Type {
	t := &wire.Type{Shape: wire.AStruct, GoName: "Event", GoType: "v1.Event"}
	for _, field := range eventType.Fields {
		for _, pair := range newEventNames {
			if field.Name == pair[0] {
				field.Name = pair[1]
			}
		}
		field.Keep = field.Keep && !strings.HasPrefix(field.Name, "reporting")
		t.Fields = append(t.Fields, field)
	}
	return t
}()

// rename converts an object between versions whose members have different names.
func rename(o object, from, to *version) object {
	if from == to {
		return o
	}
	as := map[string]string{}
	for _, pair := range from.renamed {
		as[pair[1]] = pair[0]
	}
	for _, pair := range to.renamed {
		as[pair[0]] = pair[1]
	}
	renamed := make(object, len(o))
	for name, value := range o {
		if other, has := as[name]; has {
			name = other
		}
		renamed[name] = value
	}
	return renamed
}

// validateNewEvent follows the strict rules for events.k8s.io/v1. Its causes use the core group's names, as upstream
// does. Source: kubernetes v1.36 pkg/apis/core/validation events.go:40 ValidateEventCreate.
func validateNewEvent(_ *call, o object) []validate.Cause {
	causes := append(validateEvent(o, "reportingController"),
		validate.Metadata(wire.Object(o, "metadata"), true, validate.SubdomainName)...)
	causes = append(causes, eventSeriesFaults(o)...)
	if wire.Text(o, "eventTime") == "" {
		causes = append(causes, validate.Required("eventTime", ""))
	}
	if kind := wire.Text(o, "type"); kind != "Normal" && kind != "Warning" {
		causes = append(causes, validate.Invalid("type", `""`, "has invalid value: "+kind))
	}
	for _, field := range []string{"firstTimestamp", "lastTimestamp", "count", "source"} {
		value, has := o[field]
		if nested, is := value.(wire.Map); has && (!is || len(nested) > 0) && value != nil && value != int64(0) {
			causes = append(causes, validate.Invalid(field, `""`, "needs to be unset"))
		}
	}
	return causes
}

// eventSeriesFaults returns what is wrong with the series of an Event.
// Source: kubernetes v1.36 pkg/apis/core/validation events.go:124 validateV1EventSeries.
func eventSeriesFaults(o object) (causes []validate.Cause) {
	series := wire.Object(o, "series")
	if series == nil {
		return nil
	}
	if count, _ := series["count"].(int64); count < 2 {
		causes = append(causes, validate.Invalid("series.count", `""`, "should be at least 2"))
	}
	if wire.Text(series, "lastObservedTime") == "" {
		causes = append(causes, validate.Required("series.lastObservedTime", ""))
	}
	return causes
}

// validateNewEventUpdate allows an update to change only the series of an Event.
//
// Deviation: a cause prints a value as JSON; upstream prints some in Go's syntax. Pinned by TestEventsOfBothGroups.
// Source: kubernetes v1.36 pkg/apis/core/validation events.go:77 ValidateEventUpdate.
func validateNewEventUpdate(_ *call, o, old object) []validate.Cause {
	causes := append(validateEvent(o, "reportingController"),
		validate.MetadataUpdate(wire.Object(o, "metadata"), wire.Object(old, "metadata"))...)
	if !wire.Equal(o["series"], old["series"]) {
		causes = append(causes, eventSeriesFaults(o)...)
	}
	for _, field := range []string{
		"involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count", "type",
		"eventTime", "action", "related", "reportingComponent", "reportingInstance",
	} {
		if wire.Equal(o[field], old[field]) {
			continue
		}
		value := "null"
		if text, is := o[field].(string); is {
			value = strconv.Quote(text)
		} else if of := eventType.Field(field); o[field] != nil && of != nil {
			value = string(wire.Encode(nil, o[field], of.Type))
		}
		if field == "reportingComponent" {
			field = "reportingController"
		}
		causes = append(causes, validate.Invalid(field, value, "field is immutable"))
	}
	return causes
}

// selectsNewEvent reports whether a field selector may name a field, and rewrites the field to its name in the stored
// object. Source: kubernetes v1.36 pkg/apis/events/v1 conversion.go AddFieldLabelConversionsForEvent.
func selectsNewEvent(t *selector.Term) bool {
	if about, is := strings.CutPrefix(t.Field, "regarding."); is && objectReferenceType.Field(about) != nil {
		t.Field = fmt.Sprintf("involvedObject.%s", about)
		return true
	}
	if t.Field == "reportingController" {
		t.Field = "reportingComponent"
		return true
	}
	return t.Field == "reason" || t.Field == "type"
}
