package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
)

// judgedSteps is the maximum number of steps in a run that the page checks. They take about a second.
const judgedSteps = 1_000_000

// expect says what a scenario asserts. Unless the page asks only for the words, it also runs the scenario to its end
// and checks the assertions. The session does not change.
func (b *Bridge) expect(p *ExpectParams) (*Expected, error) {
	s, err := b.scenarioOf(p.Scenario)
	if err != nil {
		return nil, err
	}
	if p.Words {
		return &Expected{Clauses: expect.Clauses(s.Expect)}, nil
	}
	judged, err := toItsEnd(s)
	if err != nil {
		return nil, err
	}
	return &Expected{Outcomes: judged.Outcomes(judged.EndNs())}, nil
}

// toItsEnd runs a scenario that is short enough for the page.
func toItsEnd(s scenario.Scenario) (*run.Run, error) {
	judged := run.WithClauses(s)
	for steps := 0; judged.Step(judged.EndNs(), nil); steps++ {
		if steps == judgedSteps {
			return nil, fmt.Errorf("this run is too long for the page to check; use `leaselab run`")
		}
	}
	judged.Settle(judged.EndNs())
	return judged, nil
}

// scenarioOf returns a shipped scenario by its name, or the given document.
func (b *Bridge) scenarioOf(text json.RawMessage) (scenario.Scenario, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte{'"'}) {
		return scenario.Decode(text)
	}
	var name string
	if err := json.Unmarshal(text, &name); err != nil {
		return scenario.Scenario{}, err
	}
	if s, there, err := b.shelf.find(name); there {
		return s.Clone(), err
	}
	return scenario.Scenario{}, &scenario.FieldError{Path: "scenario", Value: name,
		Rule: "the name of a shipped scenario", Message: fmt.Sprintf("no shipped scenario has the name %q", name)}
}
