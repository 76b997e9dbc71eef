package scenario

import "reflect"

// Clone returns a deep copy: changing the copy does not change the original. Every function of this package that
// changes a scenario clones it first, because callers keep the original: the page for its undo list, and a sweep for
// the next seed.
func (s Scenario) Clone() Scenario {
	return deepCopy(reflect.ValueOf(s)).Interface().(Scenario)
}

// deepCopy copies pointers, slices and structs. The format has no maps, interfaces or unexported fields.
func deepCopy(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice {
		if v.IsNil() {
			return v
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(deepCopy(v.Elem()))
		return p
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			list.Index(i).Set(deepCopy(v.Index(i)))
		}
		return list
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			c.Field(i).Set(deepCopy(v.Field(i)))
		}
		return c
	default:
		return v
	}
}
