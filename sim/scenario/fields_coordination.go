package scenario

var controllersFields = []Field{
	{Key: "Controllers",
		Help: "Constants of coordinated election, for the controller in the API servers and for the LeaseCandidates' " +
			"clients."},
	{Key: "Controllers.electionDuration",
		Help: "How long the controller waits for answers to its pings, and how long answers are valid.", Default: "5s"},
	{Key: "Controllers.requeue", Help: "How long the controller waits between two reconciliations of a Lease.",
		Default: "5s"},
	{Key: "Controllers.leaseDuration", Help: "The leaseDuration that the controller gives a Lease, in whole seconds.",
		Default: "5s"},
	{
		Key: "Controllers.candidateValid",
		Help: "How long a LeaseCandidate stays valid without a renewal. After half of this time the controller " +
			"forces an election.",
		Default: "30m",
	},
	{Key: "Controllers.candidateRenew", Help: "How often a client renews its LeaseCandidate.", Default: "5m"},
	{Key: "Controllers.collectEvery",
		Help: "How often the controller deletes expired LeaseCandidates.", Default: "30m"},
	{Key: "Controllers.pingSpacing",
		Help: "The time between two pings of one round, as if a rate limiter slowed the client. Left out: the " +
			"controller sends all pings at once."},
}
