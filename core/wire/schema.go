package wire

// Shape says what kind of value a type has.
type Shape uint8

const (
	AString Shape = iota
	ABool
	AnInt32
	AnInt64
	ATime      // an instant in whole seconds, metav1.Time
	AMicroTime // an instant in microseconds, metav1.MicroTime
	AStruct
	AMap  // a map from strings to Elem
	AList // a list of Elem
	Raw   // any JSON object, kept unchanged: metav1.FieldsV1
	Any   // any JSON value, interface{}: a strict decoder checks it for duplicate members
)

// Merge says how apply and a strategic merge patch combine two lists of a type.
type Merge uint8

const (
	Atomic Merge = iota // the newer one replaces the older
	AsSet               // items match by value
	ByKey               // items match by the members that Type.Keys names
)

// Type is a type of the API.
type Type struct {
	Shape  Shape
	GoName string // name in errors of encoding/json: "LeaseSpec" for a struct's fields; see GoType for a value
	GoType string // "v1.LeaseSpec", "int32", "map[string]string", …
	Fields []Field
	Elem   *Type
	Merge  Merge
	Keys   []string
	Whole  bool // an atomic map or struct, which has a single owner: structType=atomic
	// Bytes marks a string of bytes in base64.
	Bytes bool
	Open  bool // a struct that may have other members, too: their values do not change
}

// Others returns the names of the members that an open struct has in addition to its fields, sorted.
func (t *Type) Others(m Map) (names []string) {
	if !HasOpenTypes || !t.Open {
		return nil
	}
	for _, name := range Keys(m) {
		if t.index(name) < 0 {
			names = append(names, name)
		}
	}
	return names
}

// Field is a member of a struct, in the order in which Go's encoder writes it.
type Field struct {
	_       [0]func() // nobody compares fields, and without a comparison function the page's engine is smaller
	Name    string
	Type    *Type
	Pointer bool // the encoder omits nil and writes an empty value
	Keep    bool // the encoder writes it even if empty
}

// Field returns the member with exactly this name, or nil.
func (t *Type) Field(name string) *Field {
	if at := t.index(name); at >= 0 {
		return &t.Fields[at]
	}
	return nil
}

// index returns the position of a member in Fields, or -1.
func (t *Type) index(name string) int {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Types that every schema shares.
var (
	StringType    = &Type{Shape: AString, GoType: "string"}
	BoolType      = &Type{Shape: ABool, GoType: "bool"}
	Int32Type     = &Type{Shape: AnInt32, GoType: "int32"}
	Int64Type     = &Type{Shape: AnInt64, GoType: "int64"}
	TimeType      = &Type{Shape: ATime, GoType: "string"}
	MicroTimeType = &Type{Shape: AMicroTime, GoType: "string"}
	StringMapType = &Type{Shape: AMap, GoType: "map[string]string", Elem: StringType}
	RawType       = &Type{Shape: Raw, GoType: "v1.FieldsV1"}
	AnyType       = &Type{Shape: Any, GoType: "interface {}"}
)
