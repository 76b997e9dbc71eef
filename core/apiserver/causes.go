package apiserver

import (
	"strconv"
	"strings"
)

// The kinds of field errors, worded as upstream words them.
// Source: apimachinery v0.36 pkg/util/validation/field errors.go.

func withDetail(kind, detail string) string {
	if detail == "" {
		return kind
	}
	return kind + ": " + detail
}

func required(field, detail string) cause {
	return cause{"FieldValueRequired", field, withDetail("Required value", detail)}
}

func forbidden(field, detail string) cause {
	return cause{"FieldValueForbidden", field, withDetail("Forbidden", detail)}
}

// invalidValue shows the value as it is given: a string comes quoted, an object as JSON.
func invalidValue(field, shown, detail string) cause {
	return cause{"FieldValueInvalid", field, withDetail("Invalid value: "+shown, detail)}
}

// unsupported shows the value as it is given.
func unsupported(field, shown string, supported ...string) cause {
	quoted := make([]string, len(supported))
	for i := range supported {
		quoted[i] = strconv.Quote(supported[i])
	}
	return cause{"FieldValueNotSupported", field, "Unsupported value: " + shown + ": supported values: " + strings.Join(quoted, ", ")}
}

func tooLong(field string, most int) cause {
	return cause{"FieldValueTooLong", field, "Too long: may not be more than " + strconv.Itoa(most) + " bytes"}
}
