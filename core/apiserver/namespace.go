package apiserver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// admitCreate admits a create if its namespace exists and is not terminating.
// Source: apiserver v0.36 pkg/admission/plugin/namespace/lifecycle admission.go.
func (c *call) admitCreate(name string) *failure {
	if f := c.admitUpdate(); f != nil || !c.res.namespaced {
		return f
	}
	entry, _ := c.store.Get(namespaces.key("", c.namespace))
	if wire.Text(entry.Value.read(), "status", "phase") != terminating {
		return nil
	}
	details := detailsOf(name, c.res.group, c.res.name)
	details["causes"] = []any{wire.Map{"reason": "NamespaceTerminating", "message": "namespace " + c.namespace +
		" is being terminated", "field": "metadata.namespace"}}
	return fail(403, "Forbidden", "%s %q is forbidden: unable to create new content in namespace %s because it is "+
		"being terminated", c.res.fullName(), name, c.namespace).with(details)
}

// admitUpdate refuses updates of objects whose namespace does not exist any more.
func (c *call) admitUpdate() *failure {
	if !c.res.namespaced || c.namespace == "" {
		return nil
	}
	if faults := validate.PathSegmentName(c.namespace, false); len(faults) > 0 {
		text := fmt.Sprintf("invalid resource name %q: [%s]", c.namespace, strings.Join(faults, " "))
		return fail(500, "InternalError", "Internal error occurred: %s", text).
			with(wire.Map{"causes": []any{wire.Map{"message": text}}})
	}
	if _, has := c.store.Get(namespaces.key("", c.namespace)); !has {
		return namespaces.notFound(c.namespace)
	}
	return nil
}

// The phases of a namespace.
const (
	active      = "Active"
	terminating = "Terminating"
)

// nameLabel is the label with a namespace's name, for selectors.
const nameLabel = "kubernetes.io/metadata.name"

// prepareNamespaceCreate sets a namespace's finalizer, phase and label.
// Source: kubernetes v1.36 pkg/registry/core/namespace strategy.go PrepareForCreate, pkg/apis/core/v1 defaults.go.
func prepareNamespaceCreate(c *call, o object) {
	finalizers := wire.List(o, "spec", "finalizers")
	if !lists(finalizers, "kubernetes") {
		finalizers = append(finalizers[:len(finalizers):len(finalizers)], "kubernetes")
	}
	o["spec"] = wire.Map{"finalizers": finalizers}
	o["status"] = wire.Map{"phase": active}
	labelNamespace(o)
}

// finalize is the subresource of a namespace whose update may remove finalizers from its spec.
const finalize = "finalize"

// prepareNamespaceUpdate restores what a write to the namespace or to one of its subresources must not change.
// Source: kubernetes v1.36 pkg/registry/core/namespace strategy.go PrepareForUpdate, Canonicalize.
func prepareNamespaceUpdate(c *call, o, old object) {
	if c.subresource != finalize {
		o["spec"] = wire.Copy(old["spec"])
	}
	if c.subresource != "status" {
		o["status"] = wire.Copy(old["status"])
	}
	labelNamespace(o)
}

// resets returns the member of the objects that the request neither changes nor comes to own, or "".
// Source: kubernetes v1.36 pkg/registry/core/namespace strategy.go GetResetFields.
func (c *call) resets() string {
	switch {
	case c.res != namespaces:
		return ""
	case c.subresource == "status":
		return "spec"
	}
	return "status"
}

// labelNamespace sets a namespace's label and phase. It runs while the server decodes a body, so that the client
// becomes the label's owner, and again once a generated name is known. Source: kubernetes v1.36 pkg/apis/core/v1
// defaults.go SetDefaults_Namespace, SetDefaults_NamespaceStatus.
func labelNamespace(o object) {
	if name := wire.Text(o, "metadata", "name"); name != "" && wire.Text(o, "metadata", "labels", nameLabel) != name {
		wire.Set(o, name, "metadata", "labels", nameLabel)
	}
	if wire.Text(o, "status", "phase") == "" {
		wire.Set(o, active, "status", "phase")
	}
}

func lists(values []any, value string) bool {
	return slices.Contains(values, any(value))
}

// immortal lists the namespaces that clients cannot delete.
// Source: kubernetes v1.36 NamespaceLifecycle's default, apiserver v0.36 pkg/admission/plugin/namespace/lifecycle.
var immortal = []any{"default", "kube-system", "kube-public"}

// deleteNamespace marks a namespace as terminating. It remains until a client removes its finalizers through
// /finalize, because no controller empties it. Source: kubernetes v1.36 pkg/registry/core/namespace/storage
// storage.go Delete.
func (c *call) deleteNamespace(o *deleteOptions) (deleteResult, *failure) {
	key := namespaces.key("", c.name)
	live, has := c.store.Get(key)
	if !has {
		return deleteResult{}, namespaces.notFound(c.name)
	}
	meta := wire.Object(live.Value.read(), "metadata")
	if have := wire.Text(meta, "uid"); o.uid != nil && *o.uid != have {
		return deleteResult{}, namespaces.conflict(c.name, "Precondition failed: UID in precondition: "+*o.uid+
			", UID in object meta: "+have)
	}
	if have := strconv.FormatInt(live.Revision, 10); o.revision != nil && *o.revision != have {
		return deleteResult{}, namespaces.conflict(c.name, "Precondition failed: ResourceVersion in precondition: "+
			*o.revision+", ResourceVersion in object meta: "+have)
	}
	ends := wire.Text(meta, "deletionTimestamp") != ""
	if ends && len(wire.List(live.Value.read(), "spec", "finalizers")) > 0 {
		return deleteResult{storedObject: storedOf(live)}, nil
	}
	if f := admitDeath(c.name); f != nil {
		return deleteResult{}, f
	}
	if ends {
		return c.deleteNamed(c.name, o)
	}
	return deleteResult{storedObject: c.terminate(key, storedOf(live), o)}, nil
}

func admitDeath(namespace string) *failure {
	if !lists(immortal, namespace) {
		return nil
	}
	return fail(403, "Forbidden", "namespaces %q is forbidden: this namespace may not be deleted", namespace).
		with(detailsOf(namespace, "", "namespaces"))
}

// terminate handles the first request to delete a namespace.
func (c *call) terminate(key string, live storedObject, o *deleteOptions) storedObject {
	changed := wire.CopyMap(live.object)
	wire.Set(changed, c.instant(), "metadata", "deletionTimestamp")
	wire.Set(changed, terminating, "status", "phase")
	if after, differs := o.collectorFinalizers(wire.List(changed, "metadata", "finalizers")); differs &&
		(o.orphan != nil || o.policy != nil) {
		// upstream iterates over a map; here the order is fixed
		slices.SortFunc(after, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		var list any
		if len(after) > 0 {
			list = after
		}
		wire.Set(changed, list, "metadata", "finalizers")
	}
	return c.rewrite(key, live, changed)
}

// Source: kubernetes v1.36 pkg/apis/core/validation ValidateNamespace.
func validateNamespace(c *call, o object) []validate.Cause {
	causes := validate.CoreMetadata(wire.Object(o, "metadata"), false, validate.LabelName)
	for _, f := range wire.List(o, "spec", "finalizers") {
		causes = append(causes, namespaceFinalizerFaults(f, "spec.finalizers")...)
	}
	return causes
}

// Source: kubernetes v1.36 pkg/apis/core/validation ValidateNamespaceUpdate, ValidateNamespaceStatusUpdate,
// ValidateNamespaceFinalizeUpdate.
func validateNamespaceUpdate(c *call, o, old object) []validate.Cause {
	causes := validate.CoreMetadataUpdate(wire.Object(o, "metadata"), wire.Object(old, "metadata"))
	switch c.subresource {
	case finalize:
		for i, f := range wire.List(o, "spec", "finalizers") {
			causes = append(causes, namespaceFinalizerFaults(f, "spec.finalizers["+strconv.Itoa(i)+"]")...)
		}
	case "status":
		want, because := active, "may only be 'Active' if `deletionTimestamp` is empty"
		if wire.Text(o, "metadata", "deletionTimestamp") != "" {
			want, because = terminating, "may only be 'Terminating' if `deletionTimestamp` is not empty"
		}
		if phase := wire.Text(o, "status", "phase"); phase != want {
			causes = append(causes, validate.Invalid("status.Phase", strconv.Quote(phase), because))
		}
	default:
		return append(validateNamespace(c, o), causes...)
	}
	return causes
}

func namespaceFinalizerFaults(finalizer any, field string) []validate.Cause {
	name, _ := finalizer.(string)
	return append(validate.Faults(field, name, validate.LabelKey(name)), validate.CoreFinalizer(name, field)...)
}
