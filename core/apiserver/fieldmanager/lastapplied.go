package fieldmanager

import (
	"github.com/leaselab/leaselab/core/wire"
)

// kubectl is the field manager whose client-side apply the server can convert to server-side apply.
const kubectl = "kubectl"

// lastApplied is the annotation with the configuration of kubectl's last client-side apply.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// maxAnnotationBytes is the maximum total length of an object's annotations.
const maxAnnotationBytes = 256 << 10

// applyOverLastApplied applies a configuration. For kubectl, it ignores a conflict over a field of kubectl's last
// client-side apply if no other manager has changed the field since. Source: apimachinery v0.36
// pkg/util/managedfields/internal/lastappliedmanager.go.
func (w Write) applyOverLastApplied(live, config wire.Map, owners ownerMap, force bool) (wire.Map, ownerMap, error) {
	o, after, err := w.apply(live, config, owners, force)
	found, conflicting := err.(Conflicts)
	if w.Manager != kubectl || !conflicting {
		return o, after, err
	}
	allowed, known := w.ownedByAnnotation(live)
	if !known {
		return nil, nil, err
	}
	var left Conflicts
	for _, c := range found {
		if !allowed.hasPath(c.path) {
			left = append(left, c)
		}
	}
	if len(left) > 0 {
		return nil, nil, left
	}
	return w.apply(live, config, owners, true)
}

// ownedByAnnotation returns the fields whose values still equal the annotation's.
func (w Write) ownedByAnnotation(live wire.Map) (set, bool) {
	text := wire.Text(live, "metadata", "annotations", lastApplied)
	if text == "" {
		return nil, false
	}
	n, err := wire.Parse([]byte(text))
	if err != nil {
		return nil, false
	}
	config, is := wire.Tree(n).(wire.Map)
	if !is || wire.Text(config, "kind") != w.Kind || wire.Text(config, "apiVersion") != w.APIVersion ||
		len(check("", config, w.Type)) > 0 {
		return nil, false
	}
	if len(check("", live, w.Type)) > 0 { // upstream cannot compare a list with repeated items
		return nil, false
	}
	change := compare(config, live, w.Type)
	fields := difference(difference(fieldsOf(config, w.Type), change.modified), change.added)
	return difference(fields, change.removed), true
}

// If an object has the annotation, setLastApplied sets it to the applied configuration. Source: apimachinery
// v0.36 pkg/util/managedfields/internal/lastappliedupdater.go.
func setLastApplied(o, config wire.Map) {
	annotations := wire.Object(o, "metadata", "annotations")
	if wire.Text(annotations, lastApplied) == "" {
		return
	}
	applied := wire.CopyMap(config)
	if annotations := wire.Object(applied, "metadata", "annotations"); annotations != nil {
		delete(annotations, lastApplied)
		for name, v := range annotations {
			if v == nil {
				annotations[name] = ""
			}
		}
	} else {
		wire.Set(applied, nil, "metadata", "annotations")
	}
	text := string(wire.Encode(nil, applied, nil)) + "\n"
	annotations[lastApplied] = text
	total := 0
	for name, v := range annotations {
		s, _ := v.(string)
		total += len(name) + len(s)
	}
	if total > maxAnnotationBytes {
		delete(annotations, lastApplied)
		if len(annotations) == 0 {
			delete(wire.Object(o, "metadata"), "annotations")
		}
	}
}
