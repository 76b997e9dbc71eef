//go:build !page

package bridge

import (
	"encoding/json"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view/export"
)

func init() { beyond = append(beyond, answers("export", starts, (*Bridge).export)) }

// ExportParams asks for a span of a scenario's run as a picture or a text to use elsewhere.
type ExportParams struct {
	Scenario json.RawMessage `json:"scenario"`
	Live     int64           `json:"live"`   // the live instant of the page
	Format   string          `json:"format"` // "svg" | "markdown" | "mermaid"
	From     int64           `json:"from"`
	To       int64           `json:"to"`
	Link     string          `json:"link,omitempty"` // opens the run in the page
	Dark     bool            `json:"dark,omitempty"` // the colors of the dark theme, SVG only
}

// export runs a scenario up to an instant and writes what its timeline shows then.
func (b *Bridge) export(p *ExportParams) (*Text, error) {
	write := map[string]func(timeline.Look, export.Options) (string, error){
		"svg": export.SVG, "markdown": export.Markdown, "mermaid": export.Mermaid,
	}[p.Format]
	if write == nil {
		return nil, &scenario.FieldError{Path: "format", Value: p.Format, Rule: "svg, markdown or mermaid",
			Message: "format " + p.Format + " must be svg, markdown or mermaid"}
	}
	s, err := b.scenarioOf(p.Scenario)
	if err != nil {
		return nil, err
	}
	l, live := lab.New(nil), timeline.Cursor{T: p.Live, N: -1}
	if err := l.Open(lab.Opening{Whole: &s, Cursor: &live, Live: &live}); err != nil {
		return nil, err
	}
	theme := export.Light
	if p.Dark {
		theme = export.Dark
	}
	text, err := write(l.Look(), export.Options{FromNs: p.From, ToNs: p.To, Link: p.Link, Theme: theme})
	return &Text{Text: text}, err
}
