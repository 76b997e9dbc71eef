package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
)

// judgedSteps is the maximum length of a run that the page judges: about a second of work.
const judgedSteps = 1_000_000

// expect says what a scenario asserts and, unless only the words are asked for, runs it to its end and judges it. The
// session does not change.
func (b *Bridge) expect(p *ExpectParams) (*Expected, error) {
	s, err := b.named(p.Scenario)
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
	judged := run.Judged(s)
	for steps := 0; judged.Step(judged.EndNs(), nil); steps++ {
		if steps == judgedSteps {
			return nil, fmt.Errorf("this run is too long to be judged in the page; `leaselab run` judges it")
		}
	}
	judged.Settle(judged.EndNs())
	return judged, nil
}

// named returns a shipped scenario by its name, or the given document.
func (b *Bridge) named(text json.RawMessage) (scenario.Scenario, error) {
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
		Rule: "the name of a shipped scenario", Message: fmt.Sprintf("there is no scenario named %q", name)}
}
