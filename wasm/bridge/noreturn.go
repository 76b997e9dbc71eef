//go:build !page

package bridge

import (
	"time"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/study/noreturn"
)

func init() { beyond = append(beyond, answers("reroll", starts, (*Bridge).reroll)) }

// reroll makes one slice of the search for the point of no return. A request with the same question continues the
// search. To cancel the search, stop asking.
func (b *Bridge) reroll(p *RerollParams) (*protocol.Rerolled, error) {
	search, err := studied(b, p, func() (*noreturn.Search, error) {
		s, err := b.scenarioOf(p.Scenario)
		if err != nil {
			return nil, err
		}
		return noreturn.New(s, noreturn.Question{UntilNs: p.Until, Kind: p.Kind, Number: p.Number, Runs: p.Runs,
			Points: p.Points})
	})
	if err != nil {
		return nil, err
	}
	until := b.clock.Now().Add(rerollSlice)
	for !search.Go() && b.clock.Now().Before(until) {
		b.reportProgress()
	}
	return search.Progress(), nil
}

// rerollSlice is how long one request of a search may take, not counting its last run.
const rerollSlice = 40 * time.Millisecond
