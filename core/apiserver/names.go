package apiserver

import "strings"

// What names, label keys and label values must look like. The texts quote upstream's regular expressions; the checks are
// written out because a regular expression engine is too large for the page.
// Source: apimachinery v0.36 pkg/api/validate/content.

const (
	labelKeyPattern   = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
	labelKeyRule      = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
	labelKeyExamples  = " (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" + labelKeyPattern + "')"
	labelValueRule    = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(" + labelKeyPattern + ")?')"
	dnsLabelPattern   = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
	dnsSubdomainRule  = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '" + dnsLabelPattern + "(\\." + dnsLabelPattern + ")*')"
	labelLengthFault  = "must be no more than 63 bytes"
	subdomainTooLong  = "must be no more than 253 bytes"
	emptyPartFault    = "must be non-empty"
	longestLabel      = 63
	longestSubdomain  = 253
	labelKeyWithParts = "a valid label key " + labelKeyRule + labelKeyExamples + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
)

// labelKeyFaults says what is wrong with a label's key, a qualified name.
func labelKeyFaults(key string) []string {
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
		for _, fault := range subdomainFaults(prefix) {
			faults = append(faults, "prefix part "+fault)
		}
	}
	switch {
	case name == "":
		faults = append(faults, "name part "+emptyPartFault)
	case len(name) > longestLabel:
		faults = append(faults, "name part "+labelLengthFault)
	}
	if !labelShaped(name) {
		faults = append(faults, "name part "+labelKeyRule+labelKeyExamples)
	}
	return faults
}

// labelValueFaults says what is wrong with a label's value.
func labelValueFaults(value string) []string {
	var faults []string
	if len(value) > longestLabel {
		faults = append(faults, labelLengthFault)
	}
	if value != "" && !labelShaped(value) {
		faults = append(faults, labelValueRule)
	}
	return faults
}

// subdomainFaults says what is wrong with a DNS subdomain.
func subdomainFaults(name string) []string {
	var faults []string
	if len(name) > longestSubdomain {
		faults = append(faults, subdomainTooLong)
	}
	if !subdomainShaped(name) {
		faults = append(faults, dnsSubdomainRule)
	}
	return faults
}

// labelShaped reports whether a text matches labelKeyPattern.
func labelShaped(text string) bool {
	for i := range len(text) {
		c := text[i]
		inside := c == '-' || c == '_' || c == '.'
		if !alphanumeric(c) && (!inside || i == 0 || i == len(text)-1) {
			return false
		}
	}
	return text != ""
}

// dnsLabelShaped reports whether a text matches dnsLabelPattern.
func dnsLabelShaped(text string) bool {
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

// nameFault refuses what no object's key can be made of; whoever names an object finds that out before it is looked for.
func (c *call) nameFault(name string) *failure {
	if f := segmentFault(name); f != nil {
		return f
	}
	return c.keyFault(name)
}

// segmentFault refuses a name that cannot be a part of a key.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go NamespaceKeyFunc.
func segmentFault(name string) *failure {
	if faults := pathSegmentName(name, false); len(faults) > 0 {
		return badRequest("Name parameter invalid: %q: %s", name, strings.Join(faults, ";"))
	}
	return nil
}

// keyFault refuses what would lead out of the store: a namespace of one dot or two. name is "" for a collection.
// Source: apiserver v0.36 pkg/storage/etcd3 store.go prepareKey.
func (c *call) keyFault(name string) *failure {
	if !c.res.namespaced || c.namespace != "." && c.namespace != ".." {
		return nil
	}
	key := strings.TrimPrefix(c.res.key(c.namespace, name), registryPrefix)
	return internal("invalid key: %q", strings.TrimSuffix(key, "/"))
}
