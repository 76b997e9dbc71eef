//go:build !page

package bridge

import (
	"bytes"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/study/noreturn"
)

func init() { beyond = append(beyond, answers("reroll", starts, (*Bridge).reroll)) }

// searched is a search under way, and what it was asked.
type searched struct {
	asked  RerollParams
	search *noreturn.Search
}

// same reports whether two questions are equal.
func (p *RerollParams) same(o *RerollParams) bool {
	return p.Until == o.Until && p.Kind == o.Kind && p.Number == o.Number && p.Runs == o.Runs && p.Points == o.Points && bytes.Equal(p.Scenario, o.Scenario)
}

// reroll makes a slice of the search for the point of no return. Asked the same again it goes on; to cancel it, stop asking.
func (b *Bridge) reroll(p *RerollParams) (*protocol.Rerolled, error) {
	if last, is := b.studied.(*searched); is && last.asked.same(p) {
		return last.search.Go(), nil
	}
	s, err := b.named(p.Scenario)
	if err != nil {
		return nil, err
	}
	search, err := noreturn.New(s, p.Until, p.Kind, p.Number, p.Runs, p.Points)
	if err != nil {
		return nil, err
	}
	b.studied = &searched{*p, search}
	return search.Go(), nil
}
