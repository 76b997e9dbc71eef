// Package export writes what the timeline shows as text that leaves leaselab: a picture as SVG, a sequence diagram for
// Mermaid, a report in Markdown.
//
// Guarantee: every text is well formed whatever a scenario calls itself and its nodes, and it contains nothing after
// the live cursor. Scenario, seed, engine and link are in each of them, so that a reader can run it again.
// Non-guarantee: the texts are for readers; a later version may draw the same run in another way. The page has these
// texts from its tools module. It paints PNG pictures and clips itself, with the code of its timeline.
package export

import (
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Options are what the user chooses of an export.
type Options struct {
	FromNs, ToNs int64
	Link         string // opens the run in the page; "" if there is none
	Theme        Theme  // SVG only, and so is the rest
	WidthPx      int    // 0: 1,200
	Lanes        int    // more are counted in a line below the last; 0: 60
	Small        bool   // no title, and lower lanes: for a frame that has its own title
}

// Theme is whose colours a picture has.
type Theme int

const (
	Light Theme = iota
	Dark
	System // light or dark as the reader's system, where the picture is shown
)

// check returns an error that names an instant that the run does not have.
func (o *Options) check(look timeline.Look) error {
	if end := look.Run.EndNs(); o.ToNs > end {
		return refusal("to", o.ToNs, "lies after the end of the run, "+words.Instant(end)+"; choose an earlier instant")
	}
	if o.FromNs < 0 || o.FromNs >= o.ToNs {
		return refusal("from", o.FromNs, "must lie between 0 and the end of the span, "+words.Seconds(o.ToNs))
	}
	return nil
}

func refusal(path string, ns int64, why string) error {
	return &scenario.FieldError{Path: path, Value: words.Number(ns), Rule: "an instant of the run", Message: path +
		" " + words.Seconds(ns) + " " + why}
}

// title is what the scenario calls itself.
func title(look timeline.Look) string {
	s := look.Run.Scenario()
	switch {
	case s.Title != "":
		return s.Title
	case s.Name != "":
		return s.Name
	}
	return "Your scenario"
}

// smallPrint says what gives the run again.
func smallPrint(look timeline.Look, o Options) string {
	s := look.Run.Scenario()
	print := "seed " + words.Number(int64(s.Seed)) + " · engine " + words.Number(world.Engine) + " · " +
		words.Instant(o.FromNs) + " to " + words.Instant(o.ToNs)
	if s.Name != "" && s.Name != title(look) {
		print = s.Name + " · " + print
	}
	return print + " · leaselab"
}
