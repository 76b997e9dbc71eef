package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// managers are the names behind storage.Object.Managers: all candidates are copies of one program.
var managers = [2]string{"leaselab", "kubectl-edit"}

// Object is one version of the Lease, 1-based; 0 is the newest at the cursor. What changed since the version before is
// marked.
func (l *Lab) Object(version int) (*ObjectView, error) {
	r := l.run()
	r.compute(l.edge.T, stepBudget)
	history := r.frontier.world.Store().History()
	versions := l.versions()
	if version == 0 {
		version = l.stateHere().world.Store().History().Len()
	}
	resolved := scenario.Resolve(l.spec().begun)
	o := &ObjectView{Run: r.id, Kind: coordination.KindLease, Name: resolved.LeaseName, Version: version, Versions: versions, YAML: []YamlLine{}}
	if version == 0 {
		return o, nil // no Lease yet
	}
	if version < 1 || version > versions {
		return nil, fmt.Errorf("the Lease has versions 1 to %d so far; there is no version %d", versions, version)
	}
	if version <= history.First() {
		return nil, fmt.Errorf("version %d of the Lease has been compacted away; versions %d to %d are kept", version, history.First()+1, versions)
	}
	v := history.At(version - 1)
	o.T, o.By = v.AtNs, "an administrator"
	if v.By >= 0 {
		o.By = r.frontier.world.Name(v.By)
	}
	if v.Deleted {
		o.Text = "# deleted\n"
		o.YAML = append(o.YAML, YamlLine{Text: "# deleted", Mark: "new"})
		return o, nil
	}
	now := leaseJSON(r.setup, &v.Object, resolved)
	o.Raw = string(now)
	o.Text = string(coordination.YAML(now))
	var indented bytes.Buffer
	if err := json.Indent(&indented, now, "", "  "); err != nil {
		return nil, err
	}
	o.JSON = indented.String()
	var before []byte
	if version > history.First()+1 && !history.At(version-2).Deleted {
		before = coordination.YAML(leaseJSON(r.setup, &history.At(version-2).Object, resolved))
	}
	o.YAML = diff(fields(before), fields(coordination.YAML(now)), before != nil)
	return o, nil
}

// leaseJSON is a stored Lease as the API sends it.
func leaseJSON(setup *world.Setup, o *storage.Object, r scenario.Resolved) []byte {
	created := seconds(o.CreatedNs)
	lease := coordination.Lease{
		Kind: coordination.KindLease, APIVersion: coordination.APIVersion,
		Metadata: coordination.ObjectMeta{
			Name: r.LeaseName, Namespace: r.Namespace, UID: uid(setup.Seed, r, o.UID), ResourceVersion: fmt.Sprint(o.ResourceVersion), CreationTimestamp: &created,
		},
		Spec: coordination.SpecOf(&o.Spec, setup.Symbols),
	}
	if o.Touches > 0 {
		lease.Metadata.Annotations = map[string]string{"leaselab.dev/touched": fmt.Sprint(o.Touches)}
	}
	for i, m := range o.Managers {
		if m.Owned == 0 {
			continue
		}
		changed := coordination.Time(world.EpochUnixNs/1e9 + int64(m.Seconds))
		lease.Metadata.ManagedFields = append(lease.Metadata.ManagedFields, coordination.ManagedFieldsEntry{
			Manager: managers[i], Operation: "Update", APIVersion: coordination.APIVersion, Time: &changed, FieldsType: "FieldsV1", FieldsV1: coordination.FieldsV1(m.Owned),
		})
	}
	return lease.JSON()
}

func seconds(ns int64) coordination.Time { return coordination.Time((world.EpochUnixNs + ns) / 1e9) }

// uid is a version 4 UUID drawn from the seed.
func uid(seed uint64, r scenario.Resolved, number uint64) string {
	s := world.NamedStream(seed, "uid", fmt.Sprint(r.Namespace, "/", r.LeaseName, "/", number))
	high, low := s.Uint64(), s.Uint64()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&0xffffffffffff)
}

type line struct{ field, text string }

// fields splits YAML into lines with the path of the field each shows; managedFields is folded.
func fields(yaml []byte) []line {
	var lines []line
	section, folded := "", false
	for _, text := range strings.Split(strings.TrimRight(string(yaml), "\n"), "\n") {
		if text == "" {
			continue
		}
		key, _, _ := strings.Cut(strings.TrimSpace(text), ":")
		switch indent := len(text) - len(strings.TrimLeft(text, " ")); {
		case indent == 0:
			section, folded = key, false
			lines = append(lines, line{key, text})
		case indent == 2 && !strings.HasPrefix(text, "  - "):
			folded = key == "managedFields"
			if folded {
				text = "  managedFields: # folded; JSON and copy show them"
			}
			lines = append(lines, line{section + "." + key, text})
		case !folded:
			lines = append(lines, line{section + "." + key, text})
		}
	}
	return lines
}

// diff marks what changed: a changed field is two lines, the old struck, the new below.
func diff(old, now []line, compare bool) []YamlLine {
	before := map[string]string{}
	for _, o := range old {
		before[o.field] = o.text
	}
	out := []YamlLine{}
	present := map[string]bool{}
	for _, n := range now {
		present[n.field] = true
		was, had := before[n.field]
		switch {
		case !compare, had && was == n.text:
			out = append(out, YamlLine{Text: n.text, Field: n.field})
		case had:
			out = append(out, YamlLine{Text: was, Mark: "old", Field: n.field}, YamlLine{Text: n.text, Mark: "new", Field: n.field})
		default:
			out = append(out, YamlLine{Text: n.text, Mark: "new", Field: n.field})
		}
	}
	for _, o := range old {
		if compare && !present[o.field] {
			out = append(out, YamlLine{Text: o.text, Mark: "old", Field: o.field})
		}
	}
	return out
}
