package bridge

import "github.com/leaselab/leaselab/sim/lab"

// rest answers requests to the API server of the run.
func (b *Bridge) rest(r *Request) (any, error) {
	switch r.Op {
	case "rest":
		p, err := params[RestParams](r)
		if err != nil {
			return nil, err
		}
		if p.Method == "GET" && !p.AtCursor {
			b.lab.Follow() // which can take seconds: the time of a watch begins after it
		}
		answer, err := b.lab.Rest(b.clock.Now(), lab.Rest{Method: p.Method, Target: p.Target, Headers: p.Headers, Body: p.Body, AtCursor: p.AtCursor})
		if err != nil {
			return nil, err
		}
		if answer.Changed {
			b.lab.Stop()
			b.pacer.Reset()
			answer.View = b.lab.View()
		}
		return answer, nil
	case "exchange":
		p, err := params[ExchangeParams](r)
		if err != nil {
			return nil, err
		}
		return b.lab.Exchange(p.Cursor)
	}
	p, err := params[RestWatchParams](r)
	if err != nil {
		return nil, err
	}
	if r.Op == "restClose" {
		b.lab.RestClose(p.Watch)
		return struct{}{}, nil
	}
	return b.lab.RestPoll(b.clock.Now(), p.Watch), nil
}
