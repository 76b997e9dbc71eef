package apiserver

import (
	"strconv"
	"strings"
)

// enough reports whether an error says so much already that nobody looks for more.
func enough(causes []cause) bool { return len(causes) > mostCauses }

// capped leaves out what an error has no room for, and says so. One cause is always there.
func capped(causes []cause) []cause {
	size := 0
	for i, c := range causes {
		if i > 0 && (i == mostCauses || size+len(c.message) > mostCauseBytes) {
			return append(causes[:i:i], cause{"FieldValueInvalid", "", "the errors after the first " + strconv.Itoa(i) + " are left out"})
		}
		size += len(c.message)
	}
	return causes
}

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
