package apiserver

import (
	"bytes"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/patch"
	"github.com/leaselab/leaselab/core/wire"
)

// This server answers one request at a time, so no request may be expensive.
//
// Deviation: kube-apiserver answers hundreds of requests at once, spends at most a minute on each, and limits only
// the bytes of a body. It accepts requests that these limits refuse. Pinned by TestCostIsBounded;
// sim/testsupport/cost measures the accepted requests.
const (
	// mostValues is the maximum number of JSON values in a body.
	mostValues = 10_000
	// mostStoredValues is the maximum for a stored object, including its managedFields.
	mostStoredValues = 3 * mostValues
	// mostPatchValues is the maximum for a JSON patch: ten thousand operations of five values each.
	mostPatchValues = 6 * patch.MaxOperations
	// mostMarks is the maximum number of lines, indicators and separators in a YAML body: about two per value.
	mostMarks = 4 * mostValues
	// mostSteps limits work that grows with the product of two sizes, such as the number of operations and the length
	// of a list.
	mostSteps = patch.MaxSteps
	// mostTerms is the maximum number of names, operators, values and separators in a selector.
	mostTerms = 10_000
)

// affordable returns a failure for a body with too many values.
func (c *call) affordable(data []byte) *failure {
	most := mostValues * c.res.bodyFactor()
	switch mediaBeforeParams(c.r.Header["content-type"]) {
	case jsonPatchMedia:
		most = mostPatchValues
	case applyPatchMedia: // it costs more per value, because it compares what each manager owns
		most /= 2
	}
	if !looksLikeJSON(data) || mayAlias(data) {
		return affordableYAML(data, most*mostMarks/mostValues)
	}
	if len(data) > most && wire.CountValues(data) > most { // no document has more values than it has bytes
		return tooManyValues("the body", most)
	}
	return nil
}

// affordableYAML returns a failure for YAML that takes long to convert to JSON. The reader expands aliases up to a
// hundredfold before it gives up. Source: go.yaml.in/yaml v2 decode.go allowedAliasRatio.
func affordableYAML(data []byte, most int) *failure {
	if mayAlias(data) {
		most = mostMarks / 40
	}
	if marksIn(data) > most {
		return fail(413, "RequestEntityTooLarge",
			"Request entity too large: the body has more than %d lines, indicators and separators", most)
	}
	return nil
}

// mayAlias reports whether YAML may contain aliases, that is, whether it has an ampersand and an asterisk where a value
// can begin.
func mayAlias(data []byte) bool {
	if bytes.IndexByte(data, '*') < 0 || bytes.IndexByte(data, '&') < 0 {
		return false
	}
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

// tooManyValues is the failure for a body or object with too many values.
func tooManyValues(what string, most int) *failure {
	return fail(413, "RequestEntityTooLarge", "Request entity too large: %s holds more than %d JSON values", what, most)
}

// tooManySteps is the failure for a request that stays within each limit but is too expensive as a whole.
func tooManySteps(what string) *failure {
	return fail(413, "RequestEntityTooLarge", "Request entity too large: %s take more than %d steps", what, mostSteps)
}

func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) == 0 || data[0] == '{' || data[0] == '['
}

// marksIn counts the lines, indicators and separators of a YAML document, which grow with the number of its values.
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

// storable returns a failure for an object that would be expensive to patch.
func storable(o object) *failure {
	atMost := func(set wire.Encoded) int { return len(set) } // no set has more values than it has bytes
	valuesIn := func(set wire.Encoded) int { return wire.CountValues([]byte(set)) }
	if storedValues(o, atMost) > mostStoredValues && storedValues(o, valuesIn) > mostStoredValues {
		return tooManyValues("the object", mostStoredValues)
	}
	return nil
}

// storedValues counts the values of a tree. inSet counts the values of the tree's field sets.
func storedValues(value any, inSet func(wire.Encoded) int) int {
	n := 1
	switch v := value.(type) {
	case wire.Encoded:
		n += inSet(v)
	case wire.Map:
		for _, member := range v {
			n += storedValues(member, inSet)
		}
	case []any:
		for _, item := range v {
			n += storedValues(item, inSet)
		}
	}
	return n
}

// affordableSelector returns a failure for a selector that is too long for the number of objects it selects from.
func (s *Server) affordableSelector(o *listOptions, in *scope) *failure {
	if steps := o.labels.Steps() + len(o.fields); steps*s.store.Count(in.prefix, "") > mostSteps {
		return tooManySteps("the terms of the selector over all objects")
	}
	return nil
}

// tooManyTerms returns a failure for a selector with too many terms.
func tooManyTerms(name, selector string) *failure {
	separators := strings.Count(selector, ",") + strings.Count(selector, "!") + strings.Count(selector, "=") +
		strings.Count(selector, "(")
	if separators <= mostTerms {
		return nil
	}
	return fail(413, "RequestEntityTooLarge", "Request entity too large: %s has more than %d terms", name, mostTerms)
}
