package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"github.com/leaselab/leaselab/core/wire/yaml"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Object is one version of the Lease, 1-based; 0 is the newest at the cursor. What changed since the version before is
// marked.
func (l *Lab) Object(version int) (*ObjectView, error) { return l.ObjectOf("", "", version) }

// ObjectOf is one version of an object: of the Lease, or of one that ObjectView.Objects names.
func (l *Lab) ObjectOf(kind, name string, version int) (*ObjectView, error) {
	r := l.run()
	r.compute(l.edge.T, stepBudget)
	if kind == coordination.KindLeaseCandidate {
		return l.candidateObject(r, name, version)
	}
	lease, w := int32(0), r.frontier.world
	configMap, mapped := w.ConfigMap()
	if name != "" {
		lease = leaseNamed(r.setup, name)
	}
	switch kind {
	case "", coordination.KindLease:
		kind = coordination.KindLease
	case world.KindConfigMap:
		if lease = -1; mapped && name == r.setup.LeaseNames[0] {
			lease = configMap
		}
	default:
		lease = -1
	}
	if lease < 0 {
		return nil, fmt.Errorf("there is no %s %s here", kind, name)
	}
	history := w.Store().History()
	versions := versionsOf(w, lease, history.IndexAt(l.edge.T)+1)
	if version == 0 {
		here := l.stateHere().world
		version = versionsOf(here, lease, here.Store().History().Len())
	}
	o := &ObjectView{Run: r.id, Kind: kind, Name: orFirst(name, r.setup), Version: version, Versions: versions, YAML: []YamlLine{}, Objects: l.objects(r)}
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
		o.By = r.frontier.world.Name(v.By)
	}
	if v.Deleted {
		o.Text = "# deleted\n"
		o.YAML = append(o.YAML, YamlLine{Text: "# deleted", Mark: "new"})
		return o, nil
	}
	now := leaseJSON(r.frontier.world, v)
	var before []byte
	if was := placeOf(w, lease, version-1); version > 1 && was >= history.First() && !history.At(was).Deleted {
		before = leaseJSON(w, history.At(was))
	}
	return o, o.show(now, before)
}

// show fills in an object's bytes, and what changed since those before, nil if there were none.
func (o *ObjectView) show(now, before []byte) error {
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

// several reports whether more than the Lease is stored: with API servers the controllers' own, with the locks that keep
// one a ConfigMap.
func several(w *world.World) bool {
	_, mapped := w.ConfigMap()
	return mapped || len(w.Setup().Servers) > 0
}

// versionsOf is how many of the first n versions stored are a Lease's, or the ConfigMap's.
func versionsOf(w *world.World, lease int32, n int) int {
	if !several(w) {
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
	if !several(w) {
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
func (l *Lab) objects(r *run) []ObjectRef {
	w := r.frontier.world
	if !several(w) {
		return nil
	}
	var all []ObjectRef
	for _, name := range r.setup.LeaseNames {
		all = append(all, ObjectRef{coordination.KindLease, name})
	}
	if number, mapped := w.ConfigMap(); mapped && versionsOf(w, number, w.Store().History().IndexAt(l.edge.T)+1) > 0 {
		all = append(all, ObjectRef{world.KindConfigMap, r.setup.LeaseNames[0]})
	}
	prefix := apiserver.CandidateKey(r.setup.Namespace, "")
	seen := map[string]bool{}
	asides := w.Store().Asides()
	for i := range asides {
		name, is := strings.CutPrefix(asides[i].Key, prefix)
		if is && !seen[name] && asides[i].AtNs <= l.edge.T {
			seen[name] = true
			all = append(all, ObjectRef{coordination.KindLeaseCandidate, name})
		}
	}
	return all
}

// candidateObject is one version of a LeaseCandidate.
func (l *Lab) candidateObject(r *run, name string, version int) (*ObjectView, error) {
	o := &ObjectView{Run: r.id, Kind: coordination.KindLeaseCandidate, Name: name, YAML: []YamlLine{}, Objects: l.objects(r)}
	key := apiserver.CandidateKey(r.setup.Namespace, name)
	asides := r.frontier.world.Store().Asides()
	var all []int
	for i := range asides {
		if a := &asides[i]; a.Key == key && a.AtNs <= l.edge.T {
			all = append(all, i)
			if a.AtNs <= l.cursor.T {
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
	for i := range int32(nodesOf(r.setup)) {
		if w := r.frontier.world; w.Setup().Symbols.Text(w.Identity(i)) == name {
			o.By = w.Name(i)
		}
	}
	if now.Deleted() {
		o.By = "the controller"
		o.Text = "# deleted\n"
		o.YAML = append(o.YAML, YamlLine{Text: "# deleted", Mark: "new"})
		return o, nil
	}
	object := candidateJSON(r.frontier.world, number)
	if o.Version == 1 || asides[all[o.Version-2]].Deleted() {
		return o, o.show(object, nil)
	}
	before := all[o.Version-2]
	switch was, is := candidateTimes(r.frontier.world, before), candidateTimes(r.frontier.world, number); {
	case was.RenewTime != is.RenewTime: // its client writes that, and nothing else
	case was.PingTime != is.PingTime:
		o.By = "the controller"
	default:
		o.By = "an administrator"
	}
	return o, o.show(object, candidateJSON(r.frontier.world, before))
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
