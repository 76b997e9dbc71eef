package apiserver

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// nameRule says what is wrong with a name, or with what generated names begin with.
type nameRule func(name string, prefix bool) []string

// longestAnnotations is how many bytes all keys and values of annotations may have together.
const longestAnnotations = 256 << 10

// metaFaults says what is wrong with an object's metadata.
// Source: apimachinery v0.36 pkg/api/validation objectmeta.go ValidateObjectMetaAccessor.
func metaFaults(meta wire.Map, namespaced bool, rule nameRule) []cause {
	var causes []cause
	add := func(field, value string, faults []string) {
		for _, fault := range faults {
			causes = append(causes, invalidValue(field, strconv.Quote(value), fault))
		}
	}
	if prefix := wire.Text(meta, "generateName"); prefix != "" {
		add("metadata.generateName", prefix, rule(prefix, true))
	}
	if name := wire.Text(meta, "name"); name == "" {
		causes = append(causes, required("metadata.name", "name or generateName is required"))
	} else {
		add("metadata.name", name, rule(name, false))
	}
	namespace := wire.Text(meta, "namespace")
	switch {
	case namespaced && namespace == "":
		causes = append(causes, required("metadata.namespace", ""))
	case namespaced:
		add("metadata.namespace", namespace, labelName(namespace, false))
	case namespace != "":
		causes = append(causes, forbidden("metadata.namespace", "not allowed on this type"))
	}
	if generation, _ := meta["generation"].(int64); generation < 0 {
		causes = append(causes, invalidValue("metadata.generation", strconv.FormatInt(generation, 10), "must be greater than or equal to 0"))
	}
	causes = append(causes, sharedFaults(meta)...)
	causes = append(causes, finalizerFaults(wire.List(meta, "finalizers"))...)
	return append(causes, managedFaults(wire.List(meta, "managedFields"))...)
}

// metaUpdateFaults says what an update must not do to an object's metadata.
// Source: apimachinery v0.36 pkg/api/validation objectmeta.go ValidateObjectMetaAccessorUpdate.
func metaUpdateFaults(meta, old wire.Map) []cause {
	var causes []cause
	if old["deletionTimestamp"] != nil {
		causes = append(causes, newFinalizers(wire.List(meta, "finalizers"), wire.List(old, "finalizers"))...)
	}
	for _, field := range []string{"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"} {
		if !wire.Equal(meta[field], old[field]) {
			causes = append(causes, invalidValue("metadata."+field, shownMember(meta, field), "field is immutable"))
		}
	}
	causes = append(causes, sharedFaults(meta)...)
	return append(causes, managedFaults(wire.List(meta, "managedFields"))...)
}

// shownMember is a member of the metadata as errors show it: what is absent is empty.
func shownMember(meta wire.Map, field string) string {
	value, has := meta[field]
	text, is := value.(string)
	switch {
	case (field == "name" || field == "namespace") && (is || !has):
		return strconv.Quote(text)
	case !has && field == "uid":
		return `""`
	}
	return string(wire.Encode(nil, value, nil))
}

// sharedFaults are what creates and updates look at alike.
func sharedFaults(meta wire.Map) []cause {
	var causes []cause
	labels := wire.Object(meta, "labels")
	for _, key := range wire.Keys(labels) {
		if enough(causes) {
			return causes
		}
		for _, fault := range labelKeyFaults(key) {
			causes = append(causes, invalidValue("metadata.labels", strconv.Quote(key), fault))
		}
		value := wire.Text(labels, key)
		for _, fault := range labelValueFaults(value) {
			causes = append(causes, invalidValue("metadata.labels", strconv.Quote(value), fault))
		}
	}
	annotations, size := wire.Object(meta, "annotations"), 0
	for _, key := range wire.Keys(annotations) {
		if enough(causes) {
			return causes
		}
		for _, fault := range labelKeyFaults(strings.ToLower(key)) {
			causes = append(causes, invalidValue("metadata.annotations", strconv.Quote(key), fault))
		}
		size += len(key) + len(wire.Text(annotations, key))
	}
	if size > longestAnnotations {
		causes = append(causes, tooLong("metadata.annotations", longestAnnotations))
	}
	return append(causes, ownerFaults(wire.List(meta, "ownerReferences"))...)
}

// ownerFaults says what is wrong with owner references.
func ownerFaults(refs []any) []cause {
	const field = "metadata.ownerReferences"
	listType := coordination.ObjectMetaType.Field("ownerReferences").Type
	var causes []cause
	first := ""
	shown := "" // all of them, as each error about two controllers shows them
	for _, r := range refs {
		if enough(causes) || len(shown)*len(causes) > mostCauseBytes {
			return causes
		}
		ref, _ := r.(wire.Map)
		apiVersion, kind, name := wire.Text(ref, "apiVersion"), wire.Text(ref, "kind"), wire.Text(ref, "name")
		_, version, fine := splitGroupVersion(apiVersion)
		if !fine || version == "" || apiVersion == "/" {
			causes = append(causes, invalidValue(field+".apiVersion", strconv.Quote(apiVersion), "version must not be empty"))
		}
		for _, member := range []string{"kind", "name", "uid"} {
			if wire.Text(ref, member) == "" {
				causes = append(causes, invalidValue(field+"."+member, `""`, "must not be empty"))
			}
		}
		if (apiVersion == "v1" || apiVersion == "/v1") && kind == "Event" {
			causes = append(causes, invalidValue(field, string(wire.Encode(nil, ref, listType.Elem)), "/v1, Kind=Event is disallowed from being an owner"))
		}
		if controls, _ := ref["controller"].(bool); !controls {
			continue
		}
		if first == "" {
			first = kind + "/" + name
			continue
		}
		if shown == "" {
			shown = string(wire.Encode(nil, refs, listType))
		}
		causes = append(causes, invalidValue(field, shown,
			fmt.Sprintf(`Only one reference can have Controller set to true. Found "true" in references for %s and %s/%s`, first, kind, name)))
	}
	return causes
}

// finalizerFaults says what is wrong with finalizers.
func finalizerFaults(finalizers []any) []cause {
	const field = "metadata.finalizers"
	var causes []cause
	orphan, foreground := false, false
	for _, f := range finalizers {
		if enough(causes) {
			return causes
		}
		name, _ := f.(string)
		for _, fault := range labelKeyFaults(name) {
			causes = append(causes, invalidValue(field, strconv.Quote(name), fault))
		}
		orphan, foreground = orphan || name == "orphan", foreground || name == "foregroundDeletion"
	}
	if orphan && foreground {
		causes = append(causes, invalidValue(field, string(wire.Encode(nil, finalizers, nil)), "finalizer orphan and foregroundDeletion cannot be both set"))
	}
	return causes
}

// newFinalizers refuses finalizers that a terminating object did not have.
func newFinalizers(finalizers, old []any) []cause {
	had, extra := map[string]bool{}, wire.Map{}
	for _, f := range old {
		name, _ := f.(string)
		had[name] = true
	}
	for _, f := range finalizers {
		if name, _ := f.(string); !had[name] {
			extra[name] = true
		}
	}
	if len(extra) == 0 {
		return nil
	}
	return []cause{forbidden("metadata.finalizers", fmt.Sprintf("no new finalizers can be added if the object is being deleted, found new finalizers %#v", wire.Keys(extra)))}
}

// managedFaults says what is wrong with managedFields.
// Source: apimachinery v0.36 pkg/apis/meta/v1/validation validation.go ValidateManagedFields.
func managedFaults(entries []any) []cause {
	const longestSubresource = 256
	var causes []cause
	for i, e := range entries {
		if enough(causes) {
			return causes
		}
		entry, _ := e.(wire.Map)
		at := fmt.Sprintf("metadata.managedFields[%d].", i)
		if operation := wire.Text(entry, "operation"); operation != "Apply" && operation != "Update" {
			causes = append(causes, invalidValue(at+"operation", string(wire.Quote(nil, operation)), "must be `Apply` or `Update`"))
		}
		if kind := wire.Text(entry, "fieldsType"); kind != "" && kind != "FieldsV1" {
			causes = append(causes, invalidValue(at+"fieldsType", strconv.Quote(kind), "must be `FieldsV1`"))
		}
		causes = append(causes, managerFaults(wire.Text(entry, "manager"), at+"manager")...)
		if len(wire.Text(entry, "subresource")) > longestSubresource {
			causes = append(causes, tooLong(at+"subresource", longestSubresource))
		}
	}
	return causes
}
