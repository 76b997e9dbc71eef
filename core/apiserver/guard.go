package apiserver

import "github.com/leaselab/leaselab/core/wire"

// Guard decides whether the server handles a request: it authenticates and authorizes the sender. It returns the
// warnings to send with the answer, and a refusal. The refusal is nil if the server may handle the request.
type Guard func(r *Request, a Attributes) (warnings []string, refused *Refusal)

// Refusal is the Status that refuses a request.
type Refusal struct {
	Code            int
	Reason, Message string
	Details         wire.Map // nil if none
	// Crash sends the message as plain text instead of a Status.
	Crash bool
}

// checkGuard returns the failure of a request that the guard refuses.
func (c *call) checkGuard(a Attributes) *failure {
	if c.config.Guard == nil {
		return nil
	}
	warnings, refused := c.config.Guard(c.r, a)
	for _, text := range warnings {
		c.warn(text)
	}
	return refused.failure()
}

func (r *Refusal) failure() *failure {
	if r == nil {
		return nil
	}
	return &failure{code: r.Code, reason: r.Reason, message: r.Message, details: r.Details, crash: r.Crash}
}
