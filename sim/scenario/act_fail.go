package scenario

const (
	ActFail    = "fail"
	ActRecover = "recover"
)

// ErrorStall is the error of a fail whose requests wait at the server and are served when it ends.
const ErrorStall = "stall"

// The resources that a fail or a latency may be limited to, as Kubernetes names them.
const (
	ResourceLeases          = "leases"
	ResourceLeaseCandidates = "leasecandidates"
	ResourceConfigMaps      = "configmaps"
)

var actFail = Act{
	Word: ActFail, Section: SectionNetwork, Takes: []string{"target", "for", "error", "verb", "resource", "count", "every"}, Needs: []string{"target", "error"}, Inverse: ActRecover,
	Told: "gets errors", Promise: "will get errors",
	Help:    "Requests of the target get an error, vanish, hang or meet a conflict.",
	follows: checkRepeated,
}

var actRecover = Act{
	Word: ActRecover, Section: SectionNetwork, Takes: targetOnly, Needs: targetOnly,
	Told: "recovers from its errors", Promise: "will recover from its errors",
	Help: "Ends every fail of the target.",
}

// checkRepeated checks both directions of a latency, and every against for.
func checkRepeated(_ *validator, a Action, path string) *FieldError {
	switch {
	case a.Every == 0:
	case a.For == 0:
		return refuseDuration(join(path, "every"), a.Every, "needs for: how long it lasts each time")
	case a.For >= a.Every:
		return refuseDuration(join(path, "every"), a.Every, "must be longer than for "+quote(a.For.String())+"; leave it out for what never stops")
	case a.Error == ErrorStall:
		return refuseDuration(join(path, "every"), a.Every, "cannot be repeated with error "+quote(ErrorStall)+"; write the acts one by one")
	}
	return checkLegs(path, "request", a.Request, a.RequestDistribution, "response", a.Response, a.ResponseDistribution)
}
