package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

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
	now := leaseJSON(r.frontier.world, v)
	o.Raw = string(now)
	o.Text = string(coordination.YAML(now))
	var indented bytes.Buffer
	if err := json.Indent(&indented, now, "", "  "); err != nil {
		return nil, err
	}
	o.JSON = indented.String()
	var before []byte
	if version > history.First()+1 && !history.At(version-2).Deleted {
		before = coordination.YAML(leaseJSON(r.frontier.world, history.At(version-2)))
	}
	o.YAML = diff(fields(before), fields(coordination.YAML(now)), before != nil)
	return o, nil
}

// leaseJSON is a stored Lease as the API sends it.
func leaseJSON(w *world.World, v *storage.Version) []byte {
	tree := w.Tree(v.Lease, &v.Object)
	tree["kind"], tree["apiVersion"] = coordination.KindLease, coordination.APIVersion
	wire.Set(tree, fmt.Sprint(v.Object.ResourceVersion), "metadata", "resourceVersion")
	return append(wire.Encode(nil, tree, coordination.LeaseType), '\n')
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
