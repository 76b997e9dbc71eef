package scenario

import (
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// Decode reads one scenario in JSON and checks all of it. It returns the first error, a *FieldError. It accepts what
// DecodeAll accepts if the argument disputed is empty. For YAML, use package scenario/yaml, which turns YAML into JSON
// with the same lines.
func Decode(data []byte) (Scenario, error) {
	s, all := decode(data, 1, nil)
	if len(all) > 0 {
		return Scenario{}, all[0]
	}
	return s, nil
}

// DecodeAll is like Decode, but returns all errors. The argument disputed has the errors about texts without quotes
// that YAML 1.1 and YAML 1.2 read differently.
func DecodeAll(data []byte, disputed []*FieldError) (Scenario, Errors) {
	s, all := decode(data, listed, disputed)
	if len(all) > 0 {
		return Scenario{}, all
	}
	return s, nil
}

// decode reads a document once and finds at most `most` errors in it. A document that is too large, not JSON, or not an
// object has a single error. In any other document, `decode` finds several errors.
func decode(data []byte, most int, disputed []*FieldError) (s Scenario, all Errors) {
	if len(data) > MaxBytes {
		return s, Errors{tooLarge()}
	}
	root, err := readTree(data)
	if err != nil {
		return s, Errors{err}
	}
	if root.Kind != wire.ObjectKind {
		return s, Errors{refuseDocument(int(root.Line), "is "+root.display()+
			"; it should be a scenario, an object with apiVersion and kind")}
	}
	found := problems{most: most}
	s = root.scenario(&found)
	for _, e := range disputed {
		told := *e
		told.Message = e.Path + ": " + e.Message
		found.add(&told)
	}
	v := validator{problems: found, s: s, nameless: found.nameless(&s)}
	v.check()
	// The canonical form may be longer, because it writes "1h" as "1h0m0s", and Decode must accept that form, too.
	if len(v.all) == 0 && len(data) > MaxBytes/4 && len(Encode(s)) > MaxBytes {
		return s, Errors{tooLarge()}
	}
	return s, v.inOrder(root)
}

// `nameless` reports whether any node's name is unreadable. If so, an act on an unknown target may be correct: its
// candidate may be the one with the unreadable name.
func (p *problems) nameless(s *Scenario) bool {
	for _, e := range p.all {
		switch partOf(e.Path) {
		case "candidates", "apiServers", "actions", "heartbeats":
			return true
		}
		if strings.HasSuffix(e.Path, ".replicas") {
			return true
		}
	}
	return slices.ContainsFunc(s.Candidates, func(c Candidate) bool { return c.Name == "" }) ||
		slices.ContainsFunc(s.APIServers, func(a APIServer) bool { return a.Name == "" }) ||
		slices.ContainsFunc(s.Actions, func(a Action) bool {
			return a.Act == ActAdd && (a.Candidate == nil || a.Candidate.Name == "")
		})
}

// ReadLimited reads a document of at most MaxBytes. It refuses a larger document without reading all of it.
func ReadLimited(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBytes {
		return nil, tooLarge()
	}
	return data, nil
}

func tooLarge() *FieldError {
	return refuseDocument(0, "is larger than 4 MiB ("+thousands(MaxBytes)+" bytes), the limit of a scenario")
}

// scenario fills a Scenario from the document. A missing seed means DefaultSeed, not 0.
func (n *node) scenario(found *problems) Scenario {
	s := Scenario{Seed: DefaultSeed}
	n.refuseRepeats("", found)
	n.header(found)
	n.into(reflect.ValueOf(&s).Elem(), place{}, found)
	n.emptyIdentity(found)
	normalize(reflect.ValueOf(&s).Elem())
	return s
}

// `header` refuses a document of another kind or version.
func (n *node) header(found *problems) {
	for _, h := range []struct{ name, want string }{{"apiVersion", APIVersion}, {"kind", Kind}} {
		have := n.field(h.name)
		if have == nil {
			found.add(refuseField(h.name, "missing; a scenario needs "+h.name+": "+h.want))
		} else if have.Kind != wire.String || have.Text != h.want {
			found.add(refuseNumber(h.name, have.display(), "must be "+quote(h.want)))
		}
	}
}

// emptyIdentity refuses identity: "", which a Scenario cannot tell from a missing identity.
func (n *node) emptyIdentity(found *problems) {
	for i, c := range n.entries("candidates") {
		(*node)(c).checkIdentity(index("candidates", i), found)
	}
	for i, a := range n.entries("actions") {
		if c := (*node)(a).field("candidate"); c != nil {
			c.checkIdentity(join(index("actions", i), "candidate"), found)
		}
	}
}

func (n *node) checkIdentity(path string, found *problems) {
	if id := n.field("identity"); id != nil && id.Text == "" {
		found.add(refuse(join(path, "identity"), "",
			"must not be empty (client-go refuses it: Lock identity is empty); leave the field out to use the name"))
	}
}

// `entries` returns the items of a list of the document, or nil.
func (n *node) entries(list string) []*wire.Node {
	if all := n.field(list); all != nil {
		return all.Items
	}
	return nil
}

// normalize removes empty lists, and pointers to structs that have no field set. The canonical form leaves out
// "clock: {}" and "actions: []", because they mean nothing.
func normalize(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			normalize(v.Field(i))
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			normalize(v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		normalize(v.Elem())
		if v.Elem().IsZero() {
			v.SetZero()
		}
	}
}
