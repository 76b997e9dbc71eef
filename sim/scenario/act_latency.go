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
	Help: "Changes how long requests, answers or both take: one time for all, or a random time for each. With every, " +
		"the change comes and goes.",
	follows: checkRepeated,
}
