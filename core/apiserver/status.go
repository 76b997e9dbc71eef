package apiserver

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// failure is an error answer of the API: a Status.
type failure struct {
	code    int
	reason  string
	message string
	details wire.Map // nil omits the member; an empty map does not
	token   string   // metadata.continue of a list that can continue, but not consistently
	hold    *Hold
	crash   bool // upstream panics and answers with a line of text
}

func (f *failure) Error() string { return f.message }

// status returns the failure as an object.
func (f *failure) status() wire.Map {
	s := wire.Map{"kind": "Status", "apiVersion": "v1", "metadata": wire.Map{}, "status": "Failure",
		"message": f.message, "code": int64(f.code)}
	if f.token != "" {
		s["metadata"] = wire.Map{"continue": f.token}
	}
	if f.reason != "" {
		s["reason"] = f.reason
	}
	if f.details != nil {
		s["details"] = f.details
	}
	return s
}

func fail(code int, reason, format string, args ...any) *failure {
	return &failure{code: code, reason: reason, message: fmt.Sprintf(format, args...)}
}

// with adds details to a failure.
func (f *failure) with(details wire.Map) *failure {
	f.details = details
	return f
}

func badRequest(format string, args ...any) *failure {
	return fail(400, "BadRequest", format, args...)
}

// internal returns the failure for an error without a reason upstream.
func internal(format string, args ...any) *failure { return fail(500, "", format, args...) }

// detailsOf returns the details of a failure about one object.
func detailsOf(name, group, kind string) wire.Map {
	d := wire.Map{}
	for member, value := range map[string]string{"name": name, "group": group, "kind": kind} {
		if value != "" {
			d[member] = value
		}
	}
	return d
}

// noRoute is the answer to an unknown path.
func noRoute() *failure {
	return fail(404, "NotFound", "the server could not find the requested resource").with(wire.Map{})
}

// noMethod is the answer to a method that a path does not support.
func noMethod() *failure {
	return fail(405, "MethodNotAllowed", "the server does not allow this method on the requested resource").
		with(wire.Map{})
}

func (r *resource) notFound(name string) *failure {
	return fail(404, "NotFound", "%s %q not found", r.fullName(), name).with(detailsOf(name, r.group, r.name))
}

func (r *resource) alreadyExists(name string) *failure {
	return fail(409, "AlreadyExists", "%s %q already exists", r.fullName(), name).
		with(detailsOf(name, r.group, r.name))
}

func (r *resource) conflict(name, because string) *failure {
	return fail(409, "Conflict", "Operation cannot be fulfilled on %s %q: %s", r.fullName(), name, because).
		with(detailsOf(name, r.group, r.name))
}

// kindConflict is the conflict that a deletion runs into. Its message names the kind instead of the resource.
func (r *resource) kindConflict(name, because string) *failure {
	return fail(409, "Conflict", "Operation cannot be fulfilled on %s %q: %s", r.qualifiedKind(), name, because).
		with(detailsOf(name, r.group, r.kind))
}

// invalid returns the failure with status 422 and its causes.
func invalid(group, kind, name string, causes []validate.Cause) *failure {
	details := detailsOf(name, group, kind)
	causes = validate.Cap(causes)
	list := make([]any, 0, len(causes))
	var text strings.Builder
	said, several := map[string]bool{}, 0
	for _, c := range causes {
		list = append(list, wire.Map{"reason": c.Reason, "message": c.Message, "field": c.Field})
		line := c.Field + ": " + c.Message
		if c.Field == "" {
			line = c.Message
		}
		if said[line] { // the message omits duplicates, the causes keep them
			continue
		}
		said[line] = true
		if several++; several > 1 {
			text.WriteString(", ")
		}
		text.WriteString(line)
	}
	all := text.String()
	if several > 1 {
		all = "[" + all + "]"
	}
	if len(list) > 0 {
		details["causes"] = list
	}
	return fail(422, "Invalid", "%s %q is invalid: %s", qualify(kind, group), name, all).with(details)
}

func (r *resource) invalid(name string, causes []validate.Cause) *failure {
	return invalid(r.group, r.kind, name, causes)
}
