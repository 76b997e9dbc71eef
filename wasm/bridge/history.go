//go:build !page

package bridge

import (
	"strings"

	"github.com/leaselab/leaselab/sim/history"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

func init() { beyond = append(beyond, answers("history", starts, (*Bridge).history)) }

// histories writes what happened, by format.
var histories = map[string]func(h *history.History, out *strings.Builder, s *scenario.Scenario, hash trace.Hash) error{
	"perfetto": func(h *history.History, out *strings.Builder, _ *scenario.Scenario, _ trace.Hash) error {
		return h.Perfetto(out)
	},
	"shiviz": func(h *history.History, out *strings.Builder, _ *scenario.Scenario, _ trace.Hash) error {
		return h.ShiViz(out)
	},
	"ndjson": func(h *history.History, out *strings.Builder, s *scenario.Scenario, hash trace.Hash) error {
		return h.NDJSON(out, s, hash)
	},
	"csv": func(h *history.History, out *strings.Builder, _ *scenario.Scenario, _ trace.Hash) error {
		return h.EventsCSV(out)
	},
	"leaders": func(h *history.History, out *strings.Builder, _ *scenario.Scenario, _ trace.Hash) error {
		return h.LeadersCSV(out)
	},
}

// historyMost is how many records the page writes: about a hundred megabytes of text.
const historyMost = 300_000

// history runs a scenario and writes what happened within a span.
func (b *Bridge) history(p *HistoryParams) (*Historied, error) {
	s, err := b.named(p.Scenario)
	if err != nil {
		return nil, err
	}
	write := histories[p.Format]
	if write == nil {
		return nil, &scenario.FieldError{Path: "format", Value: p.Format, Rule: "perfetto, shiviz, ndjson, csv or leaders", Message: "format must be perfetto, shiviz, ndjson, csv or leaders"}
	}
	if p.From < 0 || p.From >= p.To || p.To > int64(s.Duration) {
		return nil, &scenario.FieldError{Path: "to", Rule: "a span of the run", Message: "the span must lie within the run, and begin before it ends"}
	}
	h, hash := history.OfRun(s, p.From, p.To)
	if len(h.Events) > historyMost {
		return nil, &scenario.FieldError{Path: "to", Rule: "a shorter span", Message: "this span has more records than the page can hold as one text; choose a shorter one, or use leaselab export"}
	}
	var out strings.Builder
	if err := write(&h, &out, &s, hash); err != nil {
		return nil, err
	}
	return &Historied{Text: out.String()}, nil
}
