//go:build !page

package bridge

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

func init() { beyond = append(beyond, answers("history", starts, (*Bridge).history)) }

// historyMost is how many records the page writes: about a hundred megabytes of text.
var historyMost = 300_000

// history runs a scenario and writes what happened in a span of the run.
func (b *Bridge) history(p *HistoryParams) (*Text, error) {
	s, err := b.scenarioOf(p.Scenario)
	if err != nil {
		return nil, err
	}
	if p.From < 0 || p.From >= p.To || p.To > int64(s.Duration) {
		return nil, &scenario.FieldError{Path: "to", Rule: "a span of the run",
			Message: "the span must lie within the run, and begin before it ends"}
	}
	h, hash, within := history.OfRunWithin(s, p.From, p.To, historyMost)
	if !within {
		return nil, errTooManyRecords()
	}
	return writeHistory(&h, p.Format, &s, hash)
}

func errTooManyRecords() error {
	return &scenario.FieldError{Path: "to", Rule: "a shorter span",
		Message: fmt.Sprintf(
			"the span has more than %d records, too many for one text in the page; choose a shorter span, or use "+
				"leaselab export", historyMost)}
}

// writeHistory writes a history. For evidence, s is nil and hash is zero.
func writeHistory(h *history.History, format string, s *scenario.Scenario, hash trace.Hash) (*Text, error) {
	var out strings.Builder
	var err error
	switch format {
	case "ndjson":
		err = h.NDJSON(&out, s, hash)
	case "csv":
		err = h.EventsCSV(&out)
	case "leaders":
		err = h.LeadersCSV(&out)
	default:
		err = &scenario.FieldError{Path: "format", Value: format, Rule: "ndjson, csv or leaders",
			Message: "format must be ndjson, csv or leaders"}
	}
	return &Text{Text: out.String()}, err
}
