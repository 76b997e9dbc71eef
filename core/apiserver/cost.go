package apiserver

import (
	"bytes"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/patch"
	"github.com/leaselab/leaselab/core/wire"
)

// This server answers one request after the other, so none may be dear. What the bounds below refuse, kube-apiserver takes.
//
// Deviation: kube-apiserver answers hundreds of requests at once, each for a minute at most, and bounds only the bytes of a
// body. TestCostIsBounded pins each bound and its answer; the table of costs in sim/cost shows what is left to pay.
const (
	// mostValues is how many JSON values a body may hold.
	mostValues = 10_000
	// mostStoredValues is the same for an object that a write makes, with all that its managers own.
	mostStoredValues = 3 * mostValues
	// mostPatchValues is the same for a JSON patch: ten thousand operations are allowed, of five values each.
	mostPatchValues = 6 * patch.MaxOperations
	// mostMarks is how many lines, indicators and separators a body in YAML may have: about two for each value.
	mostMarks = 4 * mostValues
	// mostSteps bounds what grows with the product of two sizes, as operations on a list.
	mostSteps = patch.MaxSteps
	// mostTerms is how many names, operators, values and separators a selector may have.
	mostTerms = 10_000
)

// affordable refuses a body that holds too much to read.
func (c *call) affordable(data []byte) *failure {
	most := mostValues
	if mediaBeforeParams(c.r.Header["content-type"]) == jsonPatchMedia {
		most = mostPatchValues
	}
	if !looksLikeJSON(data) || aliased(data) {
		return affordableYAML(data)
	}
	if wire.CountValues(data) > most {
		return tooManyValues("the body", most)
	}
	return nil
}

// affordableYAML refuses YAML that takes long to turn into JSON. With aliases the reader makes up to a hundred values of
// each that was sent, before it refuses.
// Source: go.yaml.in/yaml v2 decode.go allowedAliasRatio.
func affordableYAML(data []byte) *failure {
	most := mostMarks
	if aliased(data) {
		most = mostMarks / 40
	}
	if marksIn(data) > most {
		return fail(413, "RequestEntityTooLarge", "Request entity too large: the body has more than %d lines, indicators and separators", most)
	}
	return nil
}

// aliased reports whether YAML may have aliases: an asterisk where a value can begin, and an ampersand.
func aliased(data []byte) bool {
	begins := func(mark byte) bool {
		for i := 1; i < len(data); i++ {
			if data[i] == mark && strings.IndexByte(" \t\r\n[{,:-", data[i-1]) >= 0 {
				return true
			}
		}
		return false
	}
	return begins('*') && begins('&')
}

// tooManyValues is the answer to what holds more values than the server takes.
func tooManyValues(what string, most int) *failure {
	return fail(413, "RequestEntityTooLarge", "Request entity too large: %s holds more than %d JSON values", what, most)
}

// tooManySteps is the answer to a request whose sizes are fine one by one and too much together.
func tooManySteps(what string) *failure {
	return fail(413, "RequestEntityTooLarge", "Request entity too large: %s take more than %d steps", what, mostSteps)
}

func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) == 0 || data[0] == '{' || data[0] == '['
}

// marksIn counts what a YAML document needs to say that another value follows.
func marksIn(data []byte) int {
	marks := 0
	for _, c := range data {
		switch c {
		case '\n', ',', ':', '-', '?', '[', '{':
			marks++
		}
	}
	return marks
}

// storable refuses an object that would be dear to patch.
func storable(o object) *failure {
	if storedValues(o) > mostStoredValues {
		return tooManyValues("the object", mostStoredValues)
	}
	return nil
}

// storedValues is how many values a tree holds, those of field sets among them.
func storedValues(value any) int {
	n := 1
	switch v := value.(type) {
	case wire.Encoded:
		n += wire.CountValues([]byte(v))
	case wire.Map:
		for _, member := range v {
			n += storedValues(member)
		}
	case []any:
		for _, item := range v {
			n += storedValues(item)
		}
	}
	return n
}

// affordableSelector refuses a selector that is too long for the objects it would be held against.
func (s *Server) affordableSelector(o *listOptions, in *scope) *failure {
	if steps := o.labels.Steps() + len(o.fields); steps*s.store.Count(in.prefix, "") > mostSteps {
		return tooManySteps("the terms of the selector over all objects")
	}
	return nil
}

// tooManyTerms refuses a selector that takes long to read.
func tooManyTerms(name, selector string) *failure {
	separators := strings.Count(selector, ",") + strings.Count(selector, "!") + strings.Count(selector, "=") + strings.Count(selector, "(")
	if separators <= mostTerms {
		return nil
	}
	return fail(413, "RequestEntityTooLarge", "Request entity too large: %s has more than %d terms", name, mostTerms)
}
