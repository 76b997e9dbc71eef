package scenario

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every required field says why it is needed.
func TestEveryRequiredFieldSaysWhatIsMissing(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(v reflect.Type) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(v.Elem())
		case reflect.Struct:
			if seen[v] {
				return
			}
			seen[v] = true
			for _, f := range fieldsOf(v) {
				if f.required {
					assert.NotEmpty(t, fieldOf(f.key).missing, "%s", f.key)
				}
				walk(v.Field(f.index).Type)
			}
		}
	}
	walk(reflect.TypeFor[Scenario]())
	assert.Greater(t, len(seen), 10)
}
