package shipped

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Entry is a shipped scenario in a list. Catalogue, Variant, Source and Lesson are empty or 0 if the scenario
// reproduces no incident of the catalogue.
type Entry struct {
	Name      string            `json:"name"`
	Title     string            `json:"title"`
	Catalogue string            `json:"catalogue"`
	Variant   string            `json:"variant"` // failing, fixed or empty
	Source    string            `json:"source"`  // "owner/repo#1 (https://…), https://…"
	Lesson    int               `json:"lesson"`
	Expects   []scenario.Expect `json:"expects"` // the clauses as in the file
}

// Catalogue lists every shipped scenario.
func Catalogue() []Entry {
	all := make([]Entry, 0, len(load()))
	for _, s := range load() {
		e := Entry{Name: s.Name, Title: s.Title, Expects: s.Expect}
		if m := exhibit(s); m != nil {
			e.Catalogue, e.Variant, e.Lesson, e.Source = m.Catalogue, m.Variant, m.Lesson, sources(m.Source)
		}
		all = append(all, e)
	}
	return all
}

// exhibit returns the museum's description of a scenario, completed from its partner, or nil if the scenario is not
// an exhibit. A fixed variant has the class, lesson and source of the failing one, so its file need not repeat them.
func exhibit(s scenario.Scenario) *scenario.Museum {
	if s.Museum == nil {
		return nil
	}
	m := *s.Museum
	if partner, found := ByName(m.Partner); found && partner.Museum != nil && m.Variant == scenario.VariantFixed {
		p := partner.Museum
		m.Class = cmp.Or(m.Class, p.Class)
		m.Lesson = cmp.Or(m.Lesson, p.Lesson)
		if len(m.Source) == 0 {
			m.Source = p.Source
		}
	}
	return &m
}

// `sources` writes sources as "owner/repo#1 (https://…)", in one line. A source that is already an address stays as it
// is.
func sources(all []string) string {
	shown := make([]string, len(all))
	for i, source := range all {
		shown[i] = source
		if address := scenario.SourceAddress(source); address != source {
			shown[i] += " (" + address + ")"
		}
	}
	return strings.Join(shown, ", ")
}

// WriteList prints names and titles. It groups the museum's exhibits by kind of incident. An exhibit of the menu stands
// only there. The function heading styles a heading for a terminal, and the function note adds to a
// scenario's line.
func WriteList(out io.Writer, heading func(text string) string, note func(*scenario.Scenario) string) {
	line := func(s *scenario.Scenario) {
		about := s.Title
		if m := exhibit(*s); m != nil {
			about = m.Catalogue + " " + s.Title
			if m.Lesson > 0 {
				about += fmt.Sprintf(" (lesson %d)", m.Lesson)
			}
		}
		fmt.Fprintf(out, "  %-38s %s%s\n", s.Name, about, note(s))
	}
	fmt.Fprintln(out, heading("To begin with"))
	menu := len(strings.Fields(order))
	for i := range menu {
		line(&load()[i])
	}
	for _, class := range scenario.Classes() {
		headed := false
		for i := range load() {
			s := &load()[i]
			if m := exhibit(*s); i < menu || m == nil || m.Class != class {
				continue
			}
			if !headed {
				headed = true
				fmt.Fprintf(out, "\n%s\n", heading(scenario.ClassTitle(class)))
			}
			line(s)
		}
	}
}
