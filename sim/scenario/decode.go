package scenario

import (
	"errors"
	"io"
	"reflect"

	"github.com/leaselab/leaselab/core/wire"
)

// Decode reads one scenario in JSON and checks all of it. The error is a *FieldError: the first thing that is wrong.
func Decode(data []byte) (Scenario, error) {
	if len(data) > MaxBytes {
		return Scenario{}, tooLarge()
	}
	root, err := parse(data)
	if err != nil {
		return Scenario{}, err
	}
	s, err := root.scenario()
	if err == nil && len(data) > MaxBytes/4 && len(Encode(s)) > MaxBytes {
		err = tooLarge() // canonical form writes "1h" as "1h0m0s", and Decode must accept that, too
	}
	if err != nil {
		return Scenario{}, withLine(err, root)
	}
	return s, nil
}

// ReadLimited reads a document of at most MaxBytes. It refuses a larger one without reading all of it.
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

func tooLarge() error {
	return refuseDocument(0, "is larger than 4 MiB ("+thousands(MaxBytes)+" bytes), the limit of a scenario")
}

func (n *node) scenario() (Scenario, error) {
	s := Scenario{Seed: DefaultSeed}
	if n.Kind != wire.ObjectKind {
		return s, refuseDocument(int(n.Line), "is "+n.shown()+
			"; it should be a scenario, an object with apiVersion and kind")
	}
	// The kind comes first: the unknown fields of another kind of document need no error.
	if err := n.header(); err != nil {
		return s, err
	}
	if err := n.into(reflect.ValueOf(&s).Elem(), place{}); err != nil {
		return s, err
	}
	if err := n.emptyIdentity(); err != nil {
		return s, err
	}
	normalize(reflect.ValueOf(&s).Elem())
	return s, Validate(s)
}

func (n *node) header() error {
	for _, h := range []struct{ name, want string }{{"apiVersion", APIVersion}, {"kind", Kind}} {
		have := n.field(h.name)
		if have == nil {
			return refuseField(h.name, "missing; a scenario says "+h.name+": "+h.want)
		}
		if have.Kind != wire.String || have.Text != h.want {
			return refuseNumber(h.name, have.shown(), "must be "+quote(h.want))
		}
	}
	return nil
}

// emptyIdentity refuses identity: "", which a Scenario cannot tell from no identity.
func (n *node) emptyIdentity() error {
	for i, c := range n.entries("candidates") {
		if err := (*node)(c).checkIdentity(index("candidates", i)); err != nil {
			return err
		}
	}
	for i, a := range n.entries("actions") {
		if c := (*node)(a).field("candidate"); c != nil {
			if err := c.checkIdentity(join(index("actions", i), "candidate")); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *node) checkIdentity(path string) error {
	if id := n.field("identity"); id != nil && id.Text == "" {
		return refuse(join(path, "identity"), "",
			"must not be empty (client-go refuses it: Lock identity is empty); leave the field out to use the name")
	}
	return nil
}

func (n *node) entries(list string) []*wire.Node {
	if all := n.field(list); all != nil {
		return all.Items
	}
	return nil
}

// withLine adds the line of the refused field to an error.
func withLine(err error, root *node) error {
	var e *FieldError
	if errors.As(err, &e) && e.Line == 0 && e.Path != "" {
		e.Line = int(root.at(e.Path).Line)
	}
	return err
}

// normalize removes empty lists, and pointers to structs without a field set.
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
