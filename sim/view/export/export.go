// Package export writes the timeline as text for use outside leaselab: a picture as SVG, a sequence diagram for
// Mermaid, a report in Markdown.
//
// A bug in leader election is often discussed where the page cannot run: in an issue, a chat, a design document. SVG
// draws what the page's timeline draws. Mermaid turns a short span into messages between the nodes and the API server,
// which GitHub renders. Markdown explains violations and leader changes in words, with the parts of each gap as a
// table. All three take the same Options and the same timeline.Look, and get their content from package sim/view.
//
// Guarantee: every text is well formed, whatever the names of the scenario and its nodes, and contains nothing after
// the live cursor. Each text includes scenario, seed, engine and link, so that a reader can run the scenario again.
// Equal arguments give equal bytes on every platform: coordinates are whole tenths of a pixel, without floating
// point. Non-guarantee: the texts are for readers, and a later version may draw the same run differently.
//
// The times in Options are nanoseconds of the run. If a span is outside the run, or too long for a diagram, the error
// is a scenario.FieldError that names the option and what to choose instead. The page gets these texts from its tools
// module. For PNG pictures and clips, the page uses the code of its timeline instead.
package export

import (
	"cmp"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Options are the user's choices for an export. The span must not be empty, and must be within the run. The span may
// reach beyond the live cursor: the picture keeps its scale and is empty there.
type Options struct {
	FromNs, ToNs int64
	Link         string // opens the run in the page; "" for none
	Theme        Theme  // this field and all fields below are for SVG only
	WidthPx      int    // 0 means 1,200
	Lanes        int    // maximum number of lanes; a line says how many others there are; 0 means 60
	Small        bool   // lower lanes and no title, for a frame that has its own title
}

// Theme is the set of colors of a picture.
type Theme int

const (
	Light Theme = iota
	Dark
	System // light or dark, like the reader's system
)

// check returns an error if an instant is outside the run.
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

// title returns the scenario's title. It never returns "", because a picture without a heading looks broken.
func title(look timeline.Look) string {
	s := look.Run.Scenario()
	return cmp.Or(s.Title, s.Name, "Your scenario")
}

// smallPrint explains how to repeat the run. Seed and engine belong together: another version of the engine may run
// the same seed differently.
func smallPrint(look timeline.Look, o Options) string {
	s := look.Run.Scenario()
	print := "seed " + words.Number(int64(s.Seed)) + " · engine " + words.Number(world.Engine) + " · " +
		words.Instant(o.FromNs) + " to " + words.Instant(o.ToNs)
	if s.Name != "" && s.Name != title(look) {
		print = s.Name + " · " + print
	}
	return print + " · leaselab"
}
