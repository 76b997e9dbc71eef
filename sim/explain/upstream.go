package explain

// ClientGo is the release of client-go whose functions Upstream names.
const ClientGo = "v0.37.2"

// upstream says for some causes which function of client-go's leaderelection.go behaves so.
var upstream = map[Cause]struct{ function, text string }{
	byEmptying: {"release", "reads the Lease again, but decides from its own memory that it still leads, and " +
		"empties the Lease of its successor (kubernetes/kubernetes#132849)"},
	byRelease: {"renew", "releases the Lease first and ends the context of the work afterwards, so the work goes on " +
		"while the release hangs (kubernetes/client-go#728)"},
	byWork: {"Run", "ends the context of OnStartedLeading, but does not wait for the work to end " +
		"(kubernetes/kubernetes#139991)"},
	byTrying: {"renew", "counts RenewDeadline from its next try, not from the renewal that the server stored last"},
	byOwnName: {"tryAcquireOrRenew", "compares holderIdentity with its own identity, and knows nothing else of a " +
		"process"},
}

// Upstream returns the function of client-go that behaves as the story says last, and what it does. Both are "" if the
// story blames nothing in client-go.
func (s *Story) Upstream() (function, text string) {
	for _, line := range s.Lines {
		if one, known := upstream[line.Why]; known {
			function, text = one.function, one.text
		}
	}
	return function, text
}
