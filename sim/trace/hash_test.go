package trace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"testing"
	"unsafe"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fieldsOf returns the fields of the struct v and of the structs in it, by name. Unexported ones can be set, too.
func fieldsOf(v reflect.Value, name string) map[string]reflect.Value {
	if v.Kind() != reflect.Struct {
		return map[string]reflect.Value{name: reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()}
	}
	all := map[string]reflect.Value{}
	for i := range v.NumField() {
		for name, field := range fieldsOf(v.Field(i), name+"."+v.Type().Field(i).Name) {
			all[name] = field
		}
	}
	return all
}

// flip changes one bit of a number, or a flag.
func flip(t *testing.T, v reflect.Value, bit int) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(v.Int() ^ 1<<bit)
	case v.CanUint():
		v.SetUint(v.Uint() ^ 1<<bit)
	case v.Kind() == reflect.Float64:
		v.SetFloat(0.5 - v.Float())
	default:
		require.FailNow(t, "this test cannot change the field", v.Type())
	}
}

// Every bit of every field of a record, its payload and its Lease changes the hash, whatever the kind; Control does
// not. Reflection finds a new field.
func TestHashCoversEveryField(t *testing.T) {
	symbols := coordination.NewSymbols()
	for _, text := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		symbols.Intern(text)
	}
	hash := func(r *Record) Hash {
		h := EmptyHash
		h.Add(r, symbols)
		return h
	}
	for kind := range NoKind {
		r := Record{Kind: kind, Spec: coordination.Record{Present: 0x7f}}
		unchanged, seen := hash(&r), map[Hash]bool{}
		for name, field := range fieldsOf(reflect.ValueOf(&r).Elem(), "Record") {
			bits := field.Type().Bits()
			if field.Type() == reflect.TypeFor[coordination.Symbol]() {
				bits = 3 // of the eight texts
			}
			for bit := range bits {
				flip(t, field, bit)
				h := hash(&r)
				flip(t, field, bit)
				require.Equal(t, name == "Record.Control", h == unchanged, "%s: bit %d of %s", kind, bit, name)
				require.False(t, h != unchanged && seen[h], "%s: bit %d of %s", kind, bit, name)
				seen[h] = true
			}
		}
	}
}

// Every field of every type of payload has its own bits, so the hash covers it.
func TestPayloadsPackEveryField(t *testing.T) {
	packed := map[string]bool{}
	for _, p := range []interface{ Payload() Payload }{
		&Exchange{}, &Retry{}, &Jitter{}, &Limited{}, &Requests{}, &Process{}, &Term{}, &Work{}, &Return{}, &Pause{},
		&Crash{}, &FaultSpan{}, &Cut{}, &Interception{}, &Over{}, &Clock{}, &Write{}, &Candidacy{}, &Assignment{},
		&Decision{}, &Capacity{}, &Restore{}, &Connection{}, &Readiness{}, &Tokens{}, &Health{}, &Skip{},
	} {
		v := reflect.ValueOf(p).Elem()
		packed[v.Type().Name()] = true
		seen := map[Payload]bool{p.Payload(): true}
		for name, field := range fieldsOf(v, v.Type().Name()) {
			bit := 0
			if field.Type() == reflect.TypeFor[network.Chance]() {
				bit = 63 // a cut does not keep the last 16
			}
			flip(t, field, bit)
			assert.False(t, seen[p.Payload()], "%s", name)
			seen[p.Payload()] = true
			flip(t, field, bit)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "payload.go", nil, 0)
	require.NoError(t, err)
	for _, d := range file.Decls {
		if f, is := d.(*ast.FuncDecl); is && f.Name.Name == "Payload" {
			assert.Contains(t, packed, f.Recv.List[0].Type.(*ast.Ident).Name, "add it to the list of this test")
		}
	}
}

// The comparison of records from runs with different symbols covers everything except texts, the Lease, the instant
// and the act.
func TestSameButForNames(t *testing.T) {
	ignored := map[string]bool{"Record.At": true, "Record.Name": true, "Record.Control": true}
	var a, b Record
	for name, field := range fieldsOf(reflect.ValueOf(&b).Elem(), "Record") {
		flip(t, field, 0)
		same := ignored[name] || len(name) > len("Record.Spec") && name[:len("Record.Spec")] == "Record.Spec"
		assert.Equal(t, same, a.SameButForNames(&b), name)
		flip(t, field, 0)
	}
}
