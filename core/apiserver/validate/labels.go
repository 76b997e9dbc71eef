package validate

import "strings"

// The shapes of names, label keys and label values. The texts quote upstream's regular expressions. The checks
// work without them, because a regular-expression engine is too large for the page. Source: apimachinery v0.36
// pkg/api/validate/content.

const (
	labelKeyPattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
	labelKeyRule    = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
		"alphanumeric character"
	labelKeyExamples = " (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" +
		labelKeyPattern + "')"
	labelValueRule = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or " +
		"'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', " +
		"regex used for validation is '(" + labelKeyPattern + ")?')"
	dnsLabelPattern  = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
	dnsSubdomainRule = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or " +
		"'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for " +
		"validation is '" + dnsLabelPattern + "(\\." + dnsLabelPattern + ")*')"
	labelLengthFault  = "must be no more than 63 bytes"
	subdomainTooLong  = "must be no more than 253 bytes"
	emptyPartFault    = "must be non-empty"
	LongestLabel      = 63
	longestSubdomain  = 253
	labelKeyWithParts = "a valid label key " + labelKeyRule + labelKeyExamples +
		" with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
)

// LabelKey validates the key of a label, a qualified name: [prefix/]name. It returns upstream's sentences, or none
// for a valid key.
func LabelKey(key string) []string {
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		prefix, name = "", key
	}
	if strings.Contains(name, "/") {
		return []string{labelKeyWithParts}
	}
	var faults []string
	switch {
	case !prefixed:
	case prefix == "":
		faults = append(faults, "prefix part "+emptyPartFault)
	default:
		for _, fault := range subdomain(prefix) {
			faults = append(faults, "prefix part "+fault)
		}
	}
	switch {
	case name == "":
		faults = append(faults, "name part "+emptyPartFault)
	case len(name) > LongestLabel:
		faults = append(faults, "name part "+labelLengthFault)
	}
	if !isLabel(name) {
		faults = append(faults, "name part "+labelKeyRule+labelKeyExamples)
	}
	return faults
}

// LabelValue validates the value of a label.
func LabelValue(value string) []string {
	var faults []string
	if len(value) > LongestLabel {
		faults = append(faults, labelLengthFault)
	}
	if value != "" && !isLabel(value) {
		faults = append(faults, labelValueRule)
	}
	return faults
}

// subdomain validates a DNS subdomain.
func subdomain(name string) []string {
	var faults []string
	if len(name) > longestSubdomain {
		faults = append(faults, subdomainTooLong)
	}
	if !isSubdomain(name) {
		faults = append(faults, dnsSubdomainRule)
	}
	return faults
}

// isLabel reports whether a text matches labelKeyPattern.
func isLabel(text string) bool {
	for i := range len(text) {
		c := text[i]
		inside := c == '-' || c == '_' || c == '.'
		if !alphanumeric(c) && (!inside || i == 0 || i == len(text)-1) {
			return false
		}
	}
	return text != ""
}

// IsDNSLabel reports whether a text matches dnsLabelPattern.
func IsDNSLabel(text string) bool {
	for i := range len(text) {
		c := text[i]
		lower := alphanumeric(c) && (c < 'A' || c > 'Z')
		if !lower && (c != '-' || i == 0 || i == len(text)-1) {
			return false
		}
	}
	return text != ""
}

func alphanumeric(c byte) bool {
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
}
