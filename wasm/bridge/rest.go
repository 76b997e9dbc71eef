package bridge

import (
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
)

// rest answers a request to the API server of the run.
func (b *Bridge) rest(p *RestParams) (*protocol.RestAnswer, error) {
	if p.Method == "GET" && !p.AtCursor {
		b.lab.Follow() // it can take seconds, and a watch's time must begin after it
	}
	answer, err := b.lab.Rest(b.clock.Now(), lab.Rest{Method: p.Method, Target: p.Target, Headers: p.Headers, Body: p.Body, AtCursor: p.AtCursor})
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
