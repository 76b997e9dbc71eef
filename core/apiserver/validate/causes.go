// Package validate finds the fields of an object that break kube-apiserver's rules, and describes the errors in
// upstream's words. Each validator returns Causes; Cap limits how many of them an error shows.
//
// Guarantee: for each rule the causes have upstream's reason, field, message and order. Non-guarantee: nothing here
// stores or admits an object, or sets its defaults; the caller chooses names of kinds and status codes. Source:
// kubernetes v1.36 pkg/apis/coordination/validation; apimachinery v0.36 pkg/api/validation, pkg/util/validation.
package validate

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
)

// Cause is the error of one field, metav1.StatusCause.
type Cause struct {
	Reason  string // FieldValueInvalid, FieldValueRequired, …
	Field   string // path of the field: metadata.labels; "" for an error of the whole object
	Message string // message without the field: "Invalid value: 0: must be greater than 0"
}

const (
	// mostCauses limits the causes in an error.
	mostCauses = 1000
	// mostCauseBytes is the approximate limit on the total bytes of their messages.
	mostCauseBytes = 1 << 20
)

// The function enough reports whether the list is longer than what an error shows, so that validation can stop.
func enough(causes []Cause) bool { return len(causes) > mostCauses }

// Cap cuts a list of causes after the 1,000th cause or the first MiB of messages and adds a cause that says so. It
// keeps at least one.
func Cap(causes []Cause) []Cause {
	size := 0
	for i, c := range causes {
		if i > 0 && (i == mostCauses || size+len(c.Message) > mostCauseBytes) {
			return append(causes[:i:i], Cause{"FieldValueInvalid", "", "the errors after the first " + strconv.Itoa(i) +
				" are left out"})
		}
		size += len(c.Message)
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

// Required is the cause of a missing field.
func Required(field, detail string) Cause {
	return Cause{"FieldValueRequired", field, withDetail("Required value", detail)}
}

// Forbidden is the cause of a field that must be absent.
func Forbidden(field, detail string) Cause {
	return Cause{"FieldValueForbidden", field, withDetail("Forbidden", detail)}
}

// Invalid is the cause of a value that breaks a rule. The argument shown is the value as the message prints it: quoted,
// or as JSON.
func Invalid(field, shown, detail string) Cause {
	return Cause{"FieldValueInvalid", field, withDetail("Invalid value: "+shown, detail)}
}

// Faults are the causes of a text that breaks rules.
func Faults(field, text string, faults []string) []Cause {
	return elements.Of(faults, func(fault string) Cause { return Invalid(field, strconv.Quote(text), fault) })
}

// Unsupported is the cause of a value outside a fixed set. The argument shown is the value as the message prints it.
func Unsupported(field, shown string, supported ...string) Cause {
	quoted := elements.Of(supported, strconv.Quote)
	return Cause{"FieldValueNotSupported", field, "Unsupported value: " + shown + ": supported values: " +
		strings.Join(quoted, ", ")}
}

// TooLong is the cause of a value that is longer than a limit in bytes, the argument "most".
func TooLong(field string, most int) Cause {
	return Cause{"FieldValueTooLong", field, "Too long: may not be more than " + strconv.Itoa(most) + " bytes"}
}
