//go:build !page

package apiserver

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver/selector"
	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// Config.Core adds the core group's ConfigMaps and Events. Electors of older clients lock a ConfigMap, and all
// electors record Events. The page leaves both out.

func init() { resources = append(resources, configMaps, events, newEvents) }

// offers reports whether the server serves a resource.
func (s *Server) offers(r *resource) bool {
	return s.config.Core || (r != configMaps && r != events && r != newEvents)
}

//go:embed core_types.txt
var coreTypesText string

// coreTypes has the types of the core group.
var coreTypes = wire.ParseTypes(coreTypesText, coordination.Types)

var (
	configMapType       = coreTypes["v1.ConfigMap"]
	objectReferenceType = coreTypes["v1.ObjectReference"]
	eventType           = coreTypes["v1.Event"]
)

// configMaps is the resource of ConfigMaps.
// Source: k8s.io/api v0.36 core/v1 types.go ConfigMap; kubernetes v1.36 pkg/registry/core/configmap strategy.go,
// pkg/apis/core/validation validation.go ValidateConfigMap, pkg/printers/internalversion printers.go printConfigMap.
var configMaps = &resource{
	name: "configmaps", singular: "configmap", kind: "ConfigMap", goKind: "core.ConfigMap", namespaced: true,
	short: "cm", storageHash: "qFsyl6wFWjQ=",
	columns: []string{"Name", "Data", "Age"}, versions: []version{{name: "v1", kind: configMapType}},
	unconditional: true, onlyPosted: true,
	validate: validateConfigMap, validateUpdate: validateConfigMapUpdate,
	row: func(o object, now time.Time) []any {
		return []any{wire.Text(o, "metadata", "name"),
			int64(len(wire.Object(o, "data")) + len(wire.Object(o, "binaryData"))),
			age(wire.Text(o, "metadata", "creationTimestamp"), now)}
	},
}

// mostConfigMapBytes limits the total length of a ConfigMap's values.
const mostConfigMapBytes = 1 << 20

func validateConfigMap(_ *call, o object) []validate.Cause {
	causes := validate.CoreMetadata(wire.Object(o, "metadata"), true, validate.SubdomainName)
	total := 0
	for _, part := range []string{"data", "binaryData"} {
		values := wire.Object(o, part)
		for _, key := range wire.Keys(values) {
			causes = append(causes, validate.Faults(part+"["+key+"]", key, validate.ConfigKeyName(key, false))...)
			if _, twice := wire.Object(o, "binaryData")[key]; twice && part == "data" {
				causes = append(causes, validate.Invalid("data["+key+"]", strconv.Quote(key),
					"duplicate of key present in binaryData"))
			}
			text, _ := values[key].(string)
			if part == "binaryData" { // base64 text
				total += len(text) / 4 * 3
				continue
			}
			total += len(text)
		}
	}
	if total > mostConfigMapBytes {
		causes = append(causes, validate.Cause{Reason: "FieldValueTooLong",
			Message: fmt.Sprintf("Too long: may not be more than %d bytes", mostConfigMapBytes), Field: ""})
	}
	return causes
}

func validateConfigMapUpdate(c *call, o, old object) []validate.Cause {
	causes := validate.CoreMetadataUpdate(wire.Object(o, "metadata"), wire.Object(old, "metadata"))
	if wire.Get(old, "immutable") == true {
		if wire.Get(o, "immutable") != true {
			causes = append(causes, validate.Forbidden("immutable", "field is immutable when `immutable` is set"))
		}
		for _, part := range []string{"data", "binaryData"} {
			if !wire.Equal(o[part], old[part]) {
				causes = append(causes, validate.Forbidden(part, "field is immutable when `immutable` is set"))
			}
		}
	}
	return append(causes, validateConfigMap(c, o)...)
}

// events is the resource of Events.
//
// Deviation: it omits a zero time, which upstream writes as null. TestEvents pins this.
// Source: kubernetes v1.36 pkg/registry/core/event strategy.go, pkg/apis/core/validation events.go
// ValidateEventCreate, pkg/printers/internalversion printers.go printEvent.
var events = &resource{
	name: "events", singular: "event", kind: "Event", goKind: "core.Event", namespaced: true, short: "ev",
	storageHash: "r2yiGXH7wu8=",
	columns:     []string{"Last Seen", "Type", "Reason", "Object", "Message"},
	versions:    []version{{name: "v1", kind: eventType}}, unconditional: true,
	validate:       func(_ *call, o object) []validate.Cause { return validateEvent(o, "reportingComponent") },
	validateUpdate: func(_ *call, o, _ object) []validate.Cause { return validateEvent(o, "reportingComponent") },
	row:            eventRow, selects: selectsEvent,
}

// The limits of an Event with an eventTime, in bytes.
const (
	mostEventWord    = 128
	mostEventMessage = 1024
)

// validateEvent follows upstream's rules for v1: an Event with an eventTime must also meet the requirements of the
// newer API. reporterField is this version's name for reportingComponent. Source: kubernetes v1.36
// pkg/apis/core/validation events.go:130 legacyValidateEvent.
func validateEvent(o object, reporterField string) (causes []validate.Cause) {
	namespace, about := wire.Text(o, "metadata", "namespace"), wire.Text(o, "involvedObject", "namespace")
	mismatch := validate.Invalid("involvedObject.namespace", strconv.Quote(about), "does not match event.namespace")
	if wire.Text(o, "eventTime") == "" {
		if about != namespace && (about != "" || namespace != "default") {
			causes = append(causes, mismatch)
		}
		return causes
	}
	if about == "" && namespace != "default" && namespace != "kube-system" {
		causes = append(causes, mismatch)
	}
	reporter := wire.Text(o, "reportingComponent")
	if reporter == "" {
		causes = append(causes, validate.Required(reporterField, ""))
	}
	causes = append(causes, validate.Faults(reporterField, reporter, validate.LabelKey(reporter))...)
	for _, word := range []string{"reportingInstance", "action", "reason"} {
		text := wire.Text(o, word)
		if text == "" {
			causes = append(causes, validate.Required(word, ""))
		}
		causes = append(causes, eventTextFaults(word, text, mostEventWord)...)
	}
	return append(causes, eventTextFaults("message", wire.Text(o, "message"), mostEventMessage)...)
}

func eventTextFaults(field, text string, most int) []validate.Cause {
	if len(text) <= most {
		return nil
	}
	return []validate.Cause{validate.Invalid(field, `""`, fmt.Sprintf("can have at most %d characters", most))}
}

// eventRow returns the cells of an Event.
func eventRow(o object, now time.Time) []any {
	last := wire.Text(o, "series", "lastObservedTime")
	for _, at := range []string{wire.Text(o, "lastTimestamp"), wire.Text(o, "firstTimestamp"),
		wire.Text(o, "eventTime")} {
		if last == "" {
			last = at
		}
	}
	about := strings.ToLower(wire.Text(o, "involvedObject", "kind"))
	if name := wire.Text(o, "involvedObject", "name"); name != "" {
		about += "/" + name
	}
	return []any{age(last, now), wire.Text(o, "type"), wire.Text(o, "reason"), about,
		strings.TrimSpace(wire.Text(o, "message"))}
}

// selectsEvent reports whether a field selector may name a field of Events. It replaces the field "source" with the
// field that it stands for. Source: kubernetes v1.36 pkg/apis/core/v1 conversion.go AddFieldLabelConversionsForEvent.
func selectsEvent(t *selector.Term) bool {
	about, is := strings.CutPrefix(t.Field, "involvedObject.")
	switch {
	case is:
		return objectReferenceType.Field(about) != nil
	case t.Field == "source":
		t.Field = "source.component"
		return true
	}
	return t.Field == "reason" || t.Field == "type" || t.Field == "reportingComponent"
}

// coreDocuments returns the paths of the OpenAPI documents of the core group and of events.k8s.io.
func (s *Server) coreDocuments() []string {
	if s.config.Core {
		return []string{"api", "api/v1", "apis/" + newEvents.group, "apis/" + newEvents.group + "/v1"}
	}
	return nil
}

// openAPIv2Media is the media type of the OpenAPI v2 document as protobuf.
const openAPIv2Media = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"

// offersV2 reports whether the server answers /openapi/v2. It answers only clients that accept protobuf.
//
// Deviation: upstream also sends JSON. TestOpenAPIv2 pins this.
func (c *call) offersV2() bool {
	return c.config.Core && c.config.OpenAPI != nil &&
		strings.Contains(c.r.Header["accept"], "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")
}

func (c *call) openAPIv2() Response {
	data := c.config.OpenAPI("v2")
	return Response{Status: 200, Header: []Param{{"content-type", openAPIv2Media}, {"vary", "Accept"},
		{"etag", `"` + contentHash(data) + `"`}}, Body: data}
}
