package validate

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// NameRule validates a name or, with prefix, a generateName. It returns upstream's sentences, or none for a valid
// name.
type NameRule func(name string, prefix bool) []string

// longestAnnotations is the maximum total length in bytes of all keys and values of annotations.
const longestAnnotations = 256 << 10

// Metadata validates the metadata of a new object.
// Source: apimachinery v0.36 pkg/api/validation objectmeta.go ValidateObjectMetaAccessor.
func Metadata(meta wire.Map, namespaced bool, rule NameRule) []Cause {
	var causes []Cause
	add := func(field, value string, faults []string) {
		causes = append(causes, Faults(field, value, faults)...)
	}
	if prefix := wire.Text(meta, "generateName"); prefix != "" {
		add("metadata.generateName", prefix, rule(prefix, true))
	}
	if name := wire.Text(meta, "name"); name == "" {
		causes = append(causes, Required("metadata.name", "name or generateName is required"))
	} else {
		add("metadata.name", name, rule(name, false))
	}
	namespace := wire.Text(meta, "namespace")
	switch {
	case namespaced && namespace == "":
		causes = append(causes, Required("metadata.namespace", ""))
	case namespaced:
		add("metadata.namespace", namespace, LabelName(namespace, false))
	case namespace != "":
		causes = append(causes, Forbidden("metadata.namespace", "not allowed on this type"))
	}
	if generation, _ := meta["generation"].(int64); generation < 0 {
		causes = append(causes, Invalid("metadata.generation", strconv.FormatInt(generation, 10),
			"must be greater than or equal to 0"))
	}
	causes = append(causes, commonMetadata(meta)...)
	causes = append(causes, finalizerList(wire.List(meta, "finalizers"))...)
	return append(causes, managedFields(wire.List(meta, "managedFields"))...)
}

// MetadataUpdate validates the metadata of an update against the metadata of the live object.
// Source: apimachinery v0.36 pkg/api/validation objectmeta.go ValidateObjectMetaAccessorUpdate.
func MetadataUpdate(meta, old wire.Map) []Cause {
	var causes []Cause
	if old["deletionTimestamp"] != nil {
		causes = append(causes, newFinalizers(wire.List(meta, "finalizers"), wire.List(old, "finalizers"))...)
	}
	for _, field := range []string{"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds"} {
		if !wire.Equal(meta[field], old[field]) {
			causes = append(causes, Invalid("metadata."+field, shownMember(meta, field), "field is immutable"))
		}
	}
	causes = append(causes, commonMetadata(meta)...)
	return append(causes, managedFields(wire.List(meta, "managedFields"))...)
}

// CoreMetadata validates the metadata of a new object of the core group, whose kinds have one more rule.
// Source: kubernetes v1.36 pkg/apis/core/validation validation.go ValidateObjectMeta.
func CoreMetadata(meta wire.Map, namespaced bool, rule NameRule) []Cause {
	return append(Metadata(meta, namespaced, rule), coreFinalizers(meta)...)
}

// CoreMetadataUpdate validates the metadata of an update of such an object.
func CoreMetadataUpdate(meta, old wire.Map) []Cause {
	return append(MetadataUpdate(meta, old), coreFinalizers(meta)...)
}

func coreFinalizers(meta wire.Map) (causes []Cause) {
	for i, f := range wire.List(meta, "finalizers") {
		if enough(causes) {
			return causes
		}
		name, _ := f.(string)
		causes = append(causes, CoreFinalizer(name, "metadata.finalizers["+strconv.Itoa(i)+"]")...)
	}
	return causes
}

// CoreFinalizer validates a finalizer of the core group's kinds: it needs a domain unless it is a standard one.
func CoreFinalizer(name, field string) []Cause {
	switch name {
	case "kubernetes", "orphan", "foregroundDeletion":
		return nil
	}
	if strings.Contains(name, "/") {
		return nil
	}
	return []Cause{Invalid(field, strconv.Quote(name),
		"name is neither a standard finalizer name nor is it fully qualified")}
}

// shownMember returns a member of the metadata as errors show it, or "" if it is absent.
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

// commonMetadata validates what creates and updates have in common: labels, annotations and owner references.
func commonMetadata(meta wire.Map) []Cause {
	var causes []Cause
	labels := wire.Object(meta, "labels")
	for _, key := range wire.Keys(labels) {
		if enough(causes) {
			return causes
		}
		causes = append(causes, Faults("metadata.labels", key, LabelKey(key))...)
		value := wire.Text(labels, key)
		causes = append(causes, Faults("metadata.labels", value, LabelValue(value))...)
	}
	annotations, size := wire.Object(meta, "annotations"), 0
	for _, key := range wire.Keys(annotations) {
		if enough(causes) {
			return causes
		}
		causes = append(causes, Faults("metadata.annotations", key, LabelKey(strings.ToLower(key)))...)
		size += len(key) + len(wire.Text(annotations, key))
	}
	if size > longestAnnotations {
		causes = append(causes, TooLong("metadata.annotations", longestAnnotations))
	}
	return append(causes, owners(wire.List(meta, "ownerReferences"))...)
}

// owners validates owner references.
func owners(refs []any) []Cause {
	const field = "metadata.ownerReferences"
	listType := coordination.ObjectMetaType.Field("ownerReferences").Type
	var causes []Cause
	first := ""
	shown := "" // the whole list; each error about two controllers shows it
	for _, r := range refs {
		if enough(causes) || len(shown)*len(causes) > mostCauseBytes {
			return causes
		}
		ref, _ := r.(wire.Map)
		apiVersion, kind, name := wire.Text(ref, "apiVersion"), wire.Text(ref, "kind"), wire.Text(ref, "name")
		_, version, fine := ParseGroupVersion(apiVersion)
		if !fine || version == "" || apiVersion == "/" {
			causes = append(causes, Invalid(field+".apiVersion", strconv.Quote(apiVersion),
				"version must not be empty"))
		}
		for _, member := range []string{"kind", "name", "uid"} {
			if wire.Text(ref, member) == "" {
				causes = append(causes, Invalid(field+"."+member, `""`, "must not be empty"))
			}
		}
		if (apiVersion == "v1" || apiVersion == "/v1") && kind == "Event" {
			causes = append(causes, Invalid(field, string(wire.Encode(nil, ref, listType.Elem)),
				"/v1, Kind=Event is disallowed from being an owner"))
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
		causes = append(causes, Invalid(field, shown,
			fmt.Sprintf(
				`Only one reference can have Controller set to true. Found "true" in references for %s and %s/%s`,
				first, kind, name)))
	}
	return causes
}

// finalizerList validates the finalizers.
func finalizerList(finalizers []any) []Cause {
	const field = "metadata.finalizers"
	var causes []Cause
	orphan, foreground := false, false
	for _, f := range finalizers {
		if enough(causes) {
			return causes
		}
		name, _ := f.(string)
		causes = append(causes, Faults(field, name, LabelKey(name))...)
		orphan, foreground = orphan || name == "orphan", foreground || name == "foregroundDeletion"
	}
	if orphan && foreground {
		causes = append(causes, Invalid(field, string(wire.Encode(nil, finalizers, nil)),
			"finalizer orphan and foregroundDeletion cannot be both set"))
	}
	return causes
}

// newFinalizers forbids an update that adds finalizers to a terminating object.
func newFinalizers(finalizers, old []any) []Cause {
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
	return []Cause{Forbidden("metadata.finalizers",
		fmt.Sprintf("no new finalizers can be added if the object is being deleted, found new finalizers %#v",
			wire.Keys(extra)))}
}

// managedFields validates the entries of managedFields.
// Source: apimachinery v0.36 pkg/apis/meta/v1/validation validation.go ValidateManagedFields.
func managedFields(entries []any) []Cause {
	const longestSubresource = 256
	var causes []Cause
	for i, e := range entries {
		if enough(causes) {
			return causes
		}
		entry, _ := e.(wire.Map)
		at := func(field string) string { return "metadata.managedFields[" + strconv.Itoa(i) + "]." + field }
		if operation := wire.Text(entry, "operation"); operation != "Apply" && operation != "Update" {
			causes = append(causes, Invalid(at("operation"), string(wire.Quote(nil, operation)),
				"must be `Apply` or `Update`"))
		}
		if kind := wire.Text(entry, "fieldsType"); kind != "" && kind != "FieldsV1" {
			causes = append(causes, Invalid(at("fieldsType"), strconv.Quote(kind), "must be `FieldsV1`"))
		}
		for _, c := range Manager(wire.Text(entry, "manager"), "") { // usually empty
			c.Field = at("manager")
			causes = append(causes, c)
		}
		if len(wire.Text(entry, "subresource")) > longestSubresource {
			causes = append(causes, TooLong(at("subresource"), longestSubresource))
		}
	}
	return causes
}

// LongestManager is the maximum length of a manager's name in bytes.
const LongestManager = 128

// Manager validates the name of a field manager.
func Manager(manager, field string) []Cause {
	var causes []Cause
	if len(manager) > LongestManager {
		causes = append(causes, TooLong(field, LongestManager))
	}
	for i, r := range manager {
		if !unicode.IsPrint(r) {
			causes = append(causes, Invalid(field, strconv.Quote(manager),
				fmt.Sprintf("invalid character %#U (at position %d)", r, i)))
		}
	}
	return causes
}
