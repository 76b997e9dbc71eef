package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/wire/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Object is one version of an object, 1-based; 0 is the newest at the cursor. What changed since the version before is
// marked. Without a kind and a name it is the Lease; others are those that ObjectView.Objects names.
func Object(look timeline.Look, kind, name string, version int) (*protocol.ObjectView, error) {
	r := look.Run
	r.Compute(look.Live.T)
	if kind == coordination.KindLeaseCandidate {
		return candidateObject(look, r, name, version)
	}
	lease, w := int32(0), r.Frontier().World
	configMap, mapped := w.ConfigMap()
	if name != "" {
		lease = leaseNamed(r.Setup(), name)
	}
	switch kind {
	case "", coordination.KindLease:
		kind = coordination.KindLease
	case world.KindConfigMap:
		if lease = -1; mapped && name == r.Setup().LeaseNames[0] {
			lease = configMap
		}
	default:
		lease = -1
	}
	if lease < 0 {
		return nil, fmt.Errorf("there is no %s %s here", kind, name)
	}
	history := w.Store().History()
	versions := versionsOf(w, lease, history.IndexAt(look.Live.T)+1)
	if version == 0 {
		here := look.Here().World
		version = versionsOf(here, lease, here.Store().History().Len())
	}
	o := &protocol.ObjectView{Run: r.ID(), Kind: kind, Name: orFirst(name, r.Setup()), Version: version, Versions: versions, YAML: []protocol.YamlLine{}, Objects: objects(look, r)}
	if version == 0 {
		return o, nil // not there yet
	}
	if version < 1 || version > versions {
		return nil, fmt.Errorf("the %s has versions 1 to %d so far; there is no version %d", kind, versions, version)
	}
	at := placeOf(w, lease, version)
	if at < history.First() {
		return nil, fmt.Errorf("version %d of the %s has been compacted away; versions %d to %d are kept", version, kind, history.First()+1, versions)
	}
	v := history.At(at)
	o.T, o.By = v.AtNs, "an administrator"
	switch {
	case v.By == trace.Controller:
		o.By = "the controller"
	case v.By >= 0:
		o.By = r.Frontier().World.Name(v.By)
	}
	if v.Deleted {
		o.Text = "# deleted\n"
		o.YAML = append(o.YAML, protocol.YamlLine{Text: "# deleted", Mark: "new"})
		return o, nil
	}
	now := leaseJSON(r.Frontier().World, v)
	var before []byte
	if was := placeOf(w, lease, version-1); version > 1 && was >= history.First() && !history.At(was).Deleted {
		before = leaseJSON(w, history.At(was))
	}
	return o, show(o, now, before)
}

// show fills in an object's bytes, and what changed since those before, nil if there were none.
func show(o *protocol.ObjectView, now, before []byte) error {
	o.Raw = string(now)
	o.Text = string(yaml.Print(now))
	var indented bytes.Buffer
	if err := json.Indent(&indented, now, "", "  "); err != nil {
		return err
	}
	o.JSON = indented.String()
	if before != nil {
		before = yaml.Print(before)
	}
	o.YAML = diff(fields(before), fields(yaml.Print(now)), before != nil)
	return nil
}

// versionsOf is how many of the first n versions stored are a Lease's, or the ConfigMap's.
func versionsOf(w *world.World, lease int32, n int) int {
	if !timeline.SeveralObjects(w) {
		return n
	}
	history := w.Store().History()
	count := 0
	for i := history.First(); i < n; i++ {
		if history.At(i).Lease == lease {
			count++
		}
	}
	return count
}

// placeOf is where a Lease's version stands in the history, -1 if it is not there any more.
func placeOf(w *world.World, lease int32, version int) int {
	if !timeline.SeveralObjects(w) {
		return version - 1
	}
	history := w.Store().History()
	for i := history.First(); i < history.Len(); i++ {
		if history.At(i).Lease != lease {
			continue
		}
		if version--; version == 0 {
			return i
		}
	}
	return -1
}

func orFirst(name string, s *world.Setup) string {
	if name == "" {
		return s.LeaseNames[0]
	}
	return name
}

func leaseNamed(s *world.Setup, name string) int32 {
	for i, n := range s.LeaseNames {
		if n == name {
			return int32(i)
		}
	}
	return -1
}

// objects are those that can be looked at, nil if there is only the Lease.
func objects(look timeline.Look, r *timeline.Run) []protocol.ObjectRef {
	w := r.Frontier().World
	if !timeline.SeveralObjects(w) {
		return nil
	}
	var all []protocol.ObjectRef
	for _, name := range r.Setup().LeaseNames {
		all = append(all, protocol.ObjectRef{Kind: coordination.KindLease, Name: name})
	}
	if number, mapped := w.ConfigMap(); mapped && versionsOf(w, number, w.Store().History().IndexAt(look.Live.T)+1) > 0 {
		all = append(all, protocol.ObjectRef{Kind: world.KindConfigMap, Name: r.Setup().LeaseNames[0]})
	}
	prefix := apiserver.CandidateKey(r.Setup().Namespace, "")
	seen := map[string]bool{}
	asides := w.Store().Others()
	for i := range asides {
		name, is := strings.CutPrefix(asides[i].Key, prefix)
		if is && !seen[name] && asides[i].AtNs <= look.Live.T {
			seen[name] = true
			all = append(all, protocol.ObjectRef{Kind: coordination.KindLeaseCandidate, Name: name})
		}
	}
	return all
}

// candidateObject is one version of a LeaseCandidate.
func candidateObject(look timeline.Look, r *timeline.Run, name string, version int) (*protocol.ObjectView, error) {
	o := &protocol.ObjectView{Run: r.ID(), Kind: coordination.KindLeaseCandidate, Name: name, YAML: []protocol.YamlLine{}, Objects: objects(look, r)}
	key := apiserver.CandidateKey(r.Setup().Namespace, name)
	asides := r.Frontier().World.Store().Others()
	var all []int
	for i := range asides {
		if a := &asides[i]; a.Key == key && a.AtNs <= look.Live.T {
			all = append(all, i)
			if a.AtNs <= look.Cursor.T {
				o.Version = len(all)
			}
		}
	}
	o.Versions = len(all)
	if version != 0 {
		o.Version = version
	}
	switch {
	case o.Versions == 0:
		return nil, fmt.Errorf("there is no LeaseCandidate %s so far", name)
	case version < 0 || version > o.Versions:
		return nil, fmt.Errorf("LeaseCandidate %s has versions 1 to %d so far; there is no version %d", name, o.Versions, version)
	case o.Version == 0:
		return o, nil // it comes later than the cursor
	}
	number := all[o.Version-1]
	now := &asides[number]
	o.T, o.By = now.AtNs, "an administrator"
	for i := range int32(timeline.NodesOf(r.Setup())) {
		if w := r.Frontier().World; w.Setup().Symbols.Text(w.Identity(i)) == name {
			o.By = w.Name(i)
		}
	}
	if now.Deleted() {
		o.By = "the controller"
		o.Text = "# deleted\n"
		o.YAML = append(o.YAML, protocol.YamlLine{Text: "# deleted", Mark: "new"})
		return o, nil
	}
	object := candidateJSON(r.Frontier().World, number)
	if o.Version == 1 || asides[all[o.Version-2]].Deleted() {
		return o, show(o, object, nil)
	}
	before := all[o.Version-2]
	switch was, is := candidateTimes(r.Frontier().World, before), candidateTimes(r.Frontier().World, number); {
	case was.RenewTime != is.RenewTime: // its client writes that, and nothing else
	case was.PingTime != is.PingTime:
		o.By = "the controller"
	default:
		o.By = "an administrator"
	}
	return o, show(o, object, candidateJSON(r.Frontier().World, before))
}

// candidateJSON is a stored LeaseCandidate as the API sends it.
func candidateJSON(w *world.World, number int) []byte {
	change := w.AsideChange(number)
	tree := change.Object
	tree["kind"], tree["apiVersion"] = coordination.KindLeaseCandidate, coordination.CandidateAPIVersion
	wire.Set(tree, fmt.Sprint(change.Revision), "metadata", "resourceVersion")
	if !w.Setup().Lists {
		return append(wire.Encode(nil, tree, coordination.CandidateV1beta1Type), '\n')
	}
	tree["apiVersion"] = coordination.CandidateV1alpha1APIVersion
	if strategy := wire.Text(tree, "spec", "strategy"); strategy != "" { // a list of one is stored as that one
		spec := wire.Object(tree, "spec")
		delete(spec, "strategy")
		spec["preferredStrategies"] = []any{strategy}
	}
	return append(wire.Encode(nil, tree, coordination.CandidateV1alpha1Type), '\n')
}

// times are the two instants by which a controller judges a LeaseCandidate, as they are written; "" if not there.
type times struct{ PingTime, RenewTime string }

func candidateTimes(w *world.World, number int) times {
	tree := w.AsideChange(number).Object
	return times{wire.Text(tree, "spec", "pingTime"), wire.Text(tree, "spec", "renewTime")}
}

// leaseJSON is a stored Lease, or the ConfigMap, as the API sends it.
func leaseJSON(w *world.World, v *storage.Version) []byte {
	tree := w.Tree(v.Lease, &v.Object)
	tree["kind"], tree["apiVersion"] = coordination.KindLease, coordination.APIVersion
	if number, _ := w.ConfigMap(); v.Lease == number {
		tree["kind"], tree["apiVersion"] = world.KindConfigMap, "v1"
	}
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
func diff(old, now []line, compare bool) []protocol.YamlLine {
	before := map[string]string{}
	for _, o := range old {
		before[o.field] = o.text
	}
	out := []protocol.YamlLine{}
	present := map[string]bool{}
	for _, n := range now {
		present[n.field] = true
		was, had := before[n.field]
		switch {
		case !compare, had && was == n.text:
			out = append(out, protocol.YamlLine{Text: n.text, Field: n.field})
		case had:
			out = append(out, protocol.YamlLine{Text: was, Mark: "old", Field: n.field}, protocol.YamlLine{Text: n.text, Mark: "new", Field: n.field})
		default:
			out = append(out, protocol.YamlLine{Text: n.text, Mark: "new", Field: n.field})
		}
	}
	for _, o := range old {
		if compare && !present[o.field] {
			out = append(out, protocol.YamlLine{Text: o.text, Mark: "old", Field: o.field})
		}
	}
	return out
}
