//go:build !page

package bridge

import (
	"bytes"
	"time"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/study/noreturn"
)

func init() { beyond = append(beyond, answers("reroll", starts, (*Bridge).reroll)) }

// rerollSearch is a search in progress, with the question that it answers.
type rerollSearch struct {
	asked  RerollParams
	search *noreturn.Search
}

// same reports whether two questions are equal.
func (p *RerollParams) same(o *RerollParams) bool {
	return p.Until == o.Until && p.Kind == o.Kind && p.Number == o.Number && p.Runs == o.Runs && p.Points == o.Points &&
		bytes.Equal(p.Scenario, o.Scenario)
}

// reroll makes one slice of the search for the point of no return. A request with the same question continues the
// search. To cancel the search, stop asking.
func (b *Bridge) reroll(p *RerollParams) (*protocol.Rerolled, error) {
	if last, is := b.studied.(*rerollSearch); is && last.asked.same(p) {
		return b.goOn(last.search), nil
	}
	s, err := b.scenarioOf(p.Scenario)
	if err != nil {
		return nil, err
	}
	search, err := noreturn.New(s, noreturn.Question{UntilNs: p.Until, Kind: p.Kind, Number: p.Number, Runs: p.Runs,
		Points: p.Points})
	if err != nil {
		return nil, err
	}
	b.studied = &rerollSearch{*p, search}
	return b.goOn(search), nil
}

// rerollSlice is how long one request of a search may take, not counting its last run.
const rerollSlice = 40 * time.Millisecond

func (b *Bridge) goOn(search *noreturn.Search) *protocol.Rerolled {
	until := b.clock.Now().Add(rerollSlice)
	for !search.Go() && b.clock.Now().Before(until) {
		b.reportProgress()
	}
	return search.Progress()
}
