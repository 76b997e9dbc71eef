package scenario

import (
	"slices"
	"time"
)

// ActFail makes requests fail while the network works. It matters whether the server has stored the write: with
// http504Applied the leader holds the Lease but believes that the request failed.
const (
	ActFail    = "fail"
	ActRecover = "recover"
)

// ErrorStall makes requests wait at the server, which serves them when the act ends.
const ErrorStall = "stall"

// The resources to which a fail act or a latency act may apply, by their Kubernetes names.
const (
	ResourceLeases          = "leases"
	ResourceLeaseCandidates = "leasecandidates"
	ResourceConfigMaps      = "configmaps"
)

// retried are the errors for which client-go repeats a request if the answer has Retry-After. client-go reads
// Retry-After for 429 and for every status of 5xx.
var retried = []string{"http429", "http500", "http502", "http503", "http504", "http504Applied"}

const maxRetryAfter = Duration(time.Hour)

// CanRetryAfter reports whether a fail act's answer may have the header Retry-After.
func CanRetryAfter(a Action) bool { return slices.Contains(retried, a.Error) }

// checkFail checks whether the answer can have Retry-After, and then the fields of a repeated act. Retry-After must
// be in whole seconds, because client-go ignores any other form.
func checkFail(v *validator, a Action, path string) {
	if a.RetryAfter != nil {
		at := join(path, "retryAfter")
		switch {
		case !CanRetryAfter(a):
			v.add(refuseDuration(at, *a.RetryAfter, "needs an error with an HTTP status of 429 or 5xx: "+
				listWords(retried, "or")))
		case *a.RetryAfter < 0 || *a.RetryAfter > maxRetryAfter || *a.RetryAfter%Duration(time.Second) != 0:
			v.add(refuseDuration(at, *a.RetryAfter, "must be whole seconds from 0s to "+maxRetryAfter.String()))
		}
	}
	v.checkProbability(a, path)
	checkRepeated(v, a, path)
}

// checkProbability refuses a fault that affects no message. The table of fields refuses values below 0 or above 1.
func (v *validator) checkProbability(a Action, path string) {
	if a.Probability != nil && *a.Probability == 0 {
		v.add(refuseNumber(join(path, "probability"), "0",
			"must be more than 0 and at most 1; leave out an act that affects no message"))
	}
}

// checkRepeated checks both directions of a latency, and compares the fields every and for. A repeated act must pause
// between two rounds, because otherwise it would be in effect all the time. A stall cannot repeat, because it lets the
// requests through only at its end.
func checkRepeated(v *validator, a Action, path string) {
	every := func(rule string) { v.add(refuseDuration(join(path, "every"), a.Every, rule)) }
	switch {
	case a.Every == 0:
	case a.For == 0:
		every("needs \"for\": how long the act lasts each time")
	case a.For >= a.Every:
		every("must be longer than for " + quote(a.For.String()) + "; leave it out if the act never stops")
	case a.Error == ErrorStall:
		every("cannot be repeated with error " + quote(ErrorStall) + "; write the acts one by one")
	}
	v.checkLeg(a.Request, a.RequestDistribution, join(path, "request"), join(path, "requestDistribution"))
	v.checkLeg(a.Response, a.ResponseDistribution, join(path, "response"), join(path, "responseDistribution"))
}
