package scenario

import (
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
)

// The two variants of an exhibit. The failing variant shows an incident as it happened; the fixed one has the same
// faults and a setting or a version that withstands them.
const (
	VariantFailing = "failing"
	VariantFixed   = "fixed"
)

// Lessons is the number of lessons in the catalogue.
const Lessons = 16

// Museum describes the real incident that a scenario reproduces. The fixed variant may leave out class, lesson and
// source, which are then the same as its partner's. Catalogue is the number of the incident, such as "B02", which
// both variants share. Partner names the other variant.
type Museum struct {
	Catalogue string   `json:"catalogue"`
	Variant   string   `json:"variant"`
	Partner   string   `json:"partner,omitempty"`
	Class     string   `json:"class,omitempty"`
	Lesson    int      `json:"lesson,omitempty"`
	Source    []string `json:"source,omitempty"`
	Story     string   `json:"story,omitempty"`
	Watch     string   `json:"watch,omitempty"`
}

// Class is a kind of incident, with its heading in lists.
type Class struct{ Name, Title string }

var classes = []Class{
	{"twoLeaders", "Two leaders"},
	{"needlessChange", "Needless changes"},
	{"gap", "No leader for too long"},
	{"stuck", "No leader comes back"},
	{"wrongRecord", "The Lease is wrong"},
	{"herd", "All at once"},
	{"coordinated", "Coordinated election"},
	{"nodeHealth", "Node health"},
	{"callbacks", "Callbacks out of order"},
}

// Classes lists the names of the kinds of incidents, in the order of a list.
func Classes() []string {
	return elements.Of(classes, func(c Class) string { return c.Name })
}

// ClassTitle returns the heading of a kind of incidents.
func ClassTitle(name string) string {
	i := slices.IndexFunc(classes, func(c Class) bool { return c.Name == name })
	if i < 0 {
		return ""
	}
	return classes[i].Title
}

const (
	sourceRule    = `must be "owner/repo#123" or an address that begins with "https://"`
	catalogueRule = "must be a catalog ID, such as \"B02\""
)

// `museum` checks everything that a visitor relies on: a number, a variant, a partner, and a source for what failed.
func (v *validator) museum() {
	m := v.s.Museum
	if m == nil {
		return
	}
	if !isCatalogue(m.Catalogue) {
		v.add(refuse("museum.catalogue", m.Catalogue, catalogueRule))
	}
	if m.Variant == "" {
		v.add(refuse("museum.variant", m.Variant, "must be "+listWords(wordsOf("Museum.variant"), "or")))
	}
	if m.Partner != "" && !isDNS(m.Partner, maxLabel, "") {
		v.add(refuse("museum.partner", m.Partner, "must be the name of a scenario"))
	} else if m.Partner != "" && m.Partner == v.s.Name {
		v.add(refuse("museum.partner", m.Partner, "is this scenario itself; name the other variant"))
	}
	if m.Variant == VariantFailing && len(m.Source) == 0 {
		v.relate(refuseField("museum.source",
			"missing; say where it happened, such as kubernetes/kubernetes#23731"))
	}
	for i, source := range m.Source {
		if SourceAddress(source) == "" {
			v.add(refuse(index("museum.source", i), source, sourceRule))
		}
	}
}

// isCatalogue reports whether a text is "B" with two digits, from B01 on.
func isCatalogue(text string) bool {
	if len(text) != 3 || text[0] != 'B' {
		return false
	}
	n, err := strconv.ParseUint(text[1:], 10, 8)
	return err == nil && n > 0
}

// SourceAddress returns the web address of a source, or "" if the text is not a source. GitHub redirects the address of
// an issue to the pull request with that number. Example: kubernetes/kubernetes#23731 gives
// https://github.com/kubernetes/kubernetes/issues/23731.
func SourceAddress(source string) string {
	if rest, isAddress := strings.CutPrefix(source, "https://"); isAddress {
		if rest == "" || strings.ContainsAny(rest, " \"<>") {
			return ""
		}
		return source
	}
	repository, number, found := strings.Cut(source, "#")
	owner, name, two := strings.Cut(repository, "/")
	if n, err := strconv.Atoi(number); !found || !two || err != nil || n <= 0 || !isNodeName(owner) ||
		!isNodeName(name) {
		return ""
	}
	return "https://github.com/" + repository + "/issues/" + number
}
