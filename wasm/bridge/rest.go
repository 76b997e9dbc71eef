package bridge

import (
	"encoding/json"

	"github.com/leaselab/leaselab/core/wire/yaml"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
)

// rest answers a request to the API server of the run.
func (b *Bridge) rest(p *RestParams) (*protocol.RestAnswer, error) {
	if p.Method == "GET" {
		b.lab.Follow() // Follow can take seconds, and a watch's time must begin after that
	}
	answer, err := b.lab.Rest(b.clock.Now(),
		lab.Rest{Method: p.Method, Target: p.Target, Headers: p.Headers, Body: p.Body})
	if err != nil {
		return nil, err
	}
	if answer.Changed {
		b.lab.Stop()
		b.pacer.Reset()
		answer.View = b.view()
	}
	return answer, nil
}

// yaml converts JSON to YAML in kubectl's format.
func (b *Bridge) yaml(p *YAMLParams) (*Text, error) {
	if !json.Valid([]byte(p.JSON)) {
		return nil, &scenario.FieldError{Path: "json", Rule: "JSON", Message: "this is not JSON"}
	}
	return &Text{Text: string(yaml.Print([]byte(p.JSON)))}, nil
}
