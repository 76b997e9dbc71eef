package validate

import (
	"fmt"
	"strings"
)

// The rules for names. With prefix, name is a generateName, which may end in a dash because a suffix follows.
// Source: apimachinery v0.36 pkg/api/validation generic.go, pkg/util/validation validation.go.

const (
	labelRule = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
		"start and end with an alphanumeric character " +
		"(e.g. 'my-name',  or '123-abc', regex used for validation is '" + dnsLabelPattern + "')"
	configKeyRule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
		"(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)

// atMost is the error for a name that is too long. Upstream's errors say "characters" for names and "bytes" for
// labels, but both limits count bytes.
func atMost(most int) string { return fmt.Sprintf("must be no more than %d characters", most) }

// withoutDash replaces the dash that may end a generateName prefix, so that the prefix counts as a valid name.
func withoutDash(name string) string {
	if len(name) > 1 && strings.HasSuffix(name, "-") {
		return name[:len(name)-2] + "a"
	}
	return name
}

// SubdomainName is the rule of most names: a DNS subdomain.
func SubdomainName(name string, prefix bool) []string {
	if prefix {
		name = withoutDash(name)
	}
	var faults []string
	if len(name) > longestSubdomain {
		faults = append(faults, atMost(longestSubdomain))
	}
	if !isSubdomain(name) {
		faults = append(faults, dnsSubdomainRule)
	}
	return faults
}

// LabelName is the rule of namespaces: a DNS label.
func LabelName(name string, prefix bool) []string {
	if prefix {
		name = withoutDash(name)
	}
	var faults []string
	if len(name) > LongestLabel {
		faults = append(faults, atMost(LongestLabel))
	}
	switch {
	case IsDNSLabel(name):
	case isSubdomain(name):
		faults = append(faults, "must not contain dots")
	default:
		faults = append(faults, labelRule)
	}
	return faults
}

// ConfigKeyName is the rule of LeaseCandidates. A candidate's name is the identity of its process, which need not be a
// DNS name.
func ConfigKeyName(name string, _ bool) []string {
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

// PathSegmentName is the rule that applies to every name: it must fit between two slashes of a path. Source:
// apimachinery v0.36 pkg/api/validate/content path.go.
func PathSegmentName(name string, prefix bool) []string {
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

// isSubdomain reports whether a text consists of DNS labels with dots between them.
func isSubdomain(text string) bool {
	for _, label := range strings.Split(text, ".") {
		if !IsDNSLabel(label) {
			return false
		}
	}
	return true
}

// ParseGroupVersion splits "group/version", or "version" of the core group, as schema.ParseGroupVersion does.
func ParseGroupVersion(text string) (group, versionName string, ok bool) {
	switch strings.Count(text, "/") {
	case 0:
		return "", text, true
	case 1:
		group, versionName, _ = strings.Cut(text, "/")
		return group, versionName, true
	}
	return "", "", false
}
