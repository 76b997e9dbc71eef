package scenario

// ActLatency makes messages slow without losing any. If a renewal takes longer than requestTimeout, the leader takes
// it for a failure, even though the server has stored it.
const ActLatency = "latency"

var actLatency = Act{
	Use:  Uses{Explore: Yes, GoTest: Yes, InTest: Yes, OnServer: Yes, AsProcesses: Yes},
	Word: ActLatency, Section: SectionNetwork,
	Takes: []string{"target", "for", "request", "response", "verb", "resource", "requestDistribution",
		"responseDistribution", "every"}, Needs: targetOnly,
	OneOf: []string{"request", "response", "requestDistribution", "responseDistribution"},
	Told:  "gets a new latency", Promise: "will get a new latency",
	Help: "Requests, answers or both take a different time: the same for all, or a random one for each. With every, " +
		"this comes and goes.",
	follows: checkRepeated,
}
