package bridge

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// inject decodes an act as strictly as one in a document, and passes it to the method do.
func (b *Bridge) inject(text json.RawMessage, now bool, do func(scenario.Action, bool) error) error {
	actions, err := scenario.DecodeActions([]json.RawMessage{text})
	if err != nil {
		return ofOneAct(err)
	}
	return do(actions[0], now)
}

// ofOneAct shortens an error's path to the field of the act, because the request has no list of acts.
func ofOneAct(err error) error {
	var field *scenario.FieldError
	if !errors.As(err, &field) {
		return err
	}
	own := *field
	const first = "actions[0]"
	own.Path = strings.TrimPrefix(strings.TrimPrefix(field.Path, first), ".")
	own.Message = strings.ReplaceAll(field.Message, first+".", "")
	own.Line = 0
	return &own
}

// check reports what the engine would refuse. It changes nothing.
func (b *Bridge) check(p *CheckParams) error {
	switch {
	case p.Action != nil:
		return b.inject(p.Action, p.Now, b.lab.CheckInject)
	case len(p.Changes) > 0:
		return b.lab.CheckEdit(p.Changes, p.Mode, p.Node)
	}
	_, err := scenario.Set(b.lab.Scenario(), p.Path, p.Value)
	return err
}
