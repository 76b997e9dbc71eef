package apiserver

import (
	"fmt"
	"strings"
)

// The rules of names. A name that others are generated from may end in a dash: something follows.
// Source: apimachinery v0.36 pkg/api/validation generic.go, pkg/util/validation validation.go.

const (
	labelRule = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character " +
		"(e.g. 'my-name',  or '123-abc', regex used for validation is '" + dnsLabelPattern + "')"
	configKeyRule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
		"(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)

// atMost is the fault of a name that is too long; label keys and values are counted in bytes, names in characters, and
// both are counted in bytes.
func atMost(most int) string { return fmt.Sprintf("must be no more than %d characters", most) }

// withoutDash is what a prefix of generated names is checked as.
func withoutDash(name string) string {
	if len(name) > 1 && strings.HasSuffix(name, "-") {
		return name[:len(name)-2] + "a"
	}
	return name
}

// subdomainName is the rule of most names.
func subdomainName(name string, prefix bool) []string {
	if prefix {
		name = withoutDash(name)
	}
	var faults []string
	if len(name) > longestSubdomain {
		faults = append(faults, atMost(longestSubdomain))
	}
	if !subdomainShaped(name) {
		faults = append(faults, dnsSubdomainRule)
	}
	return faults
}

// labelName is the rule of namespaces.
func labelName(name string, prefix bool) []string {
	if prefix {
		name = withoutDash(name)
	}
	var faults []string
	if len(name) > longestLabel {
		faults = append(faults, atMost(longestLabel))
	}
	switch {
	case dnsLabelShaped(name):
	case subdomainShaped(name):
		faults = append(faults, "must not contain dots")
	default:
		faults = append(faults, labelRule)
	}
	return faults
}

// configKeyName is the rule of candidates: theirs are identities of processes, which are not DNS names.
func configKeyName(name string, _ bool) []string {
	var faults []string
	if len(name) > longestSubdomain {
		faults = append(faults, atMost(longestSubdomain))
	}
	shaped := name != ""
	for i := range len(name) {
		shaped = shaped && (alphanumeric(name[i]) || name[i] == '-' || name[i] == '_' || name[i] == '.')
	}
	if !shaped {
		faults = append(faults, configKeyRule)
	}
	switch {
	case name == "." || name == "..":
		faults = append(faults, "must not be '"+name+"'")
	case strings.HasPrefix(name, ".."):
		faults = append(faults, "must not start with '..'")
	}
	return faults
}

// pathSegmentName is the rule that every name follows.
// Source: apimachinery v0.36 pkg/api/validate/content path.go.
func pathSegmentName(name string, prefix bool) []string {
	if !prefix && (name == "." || name == "..") {
		return []string{"may not be '" + name + "'"}
	}
	var faults []string
	for _, part := range []string{"/", "%"} {
		if strings.Contains(name, part) {
			faults = append(faults, "may not contain '"+part+"'")
		}
	}
	return faults
}

// subdomainShaped reports whether a text is DNS labels with dots between them.
func subdomainShaped(text string) bool {
	for _, label := range strings.Split(text, ".") {
		if !dnsLabelShaped(label) {
			return false
		}
	}
	return true
}
