package scenario

var scenarioFields = []Field{
	{
		Key: "Scenario",
		Help: "A simulated run of leader election: which candidates compete for a Lease, with what networks and " +
			"clocks, and what happens to them and when.",
		Heading: HeadingRun,
	},
	{
		Key: "Scenario.apiVersion", Help: "The version of this format.",
		Heading: HeadingRun, words: []string{APIVersion}, missing: "a scenario needs apiVersion: " + APIVersion,
	},
	{Key: "Scenario.kind", Help: "The kind of this document.", Heading: HeadingRun, words: []string{Kind},
		missing: "a scenario needs kind: " + Kind},
	{Key: "Scenario.name", Help: "A short name, valid as a DNS label, such as a-leader-dies.", Heading: HeadingRun},
	{Key: "Scenario.title", Help: "The name that people read, such as \"A leader dies\".", Heading: HeadingRun},
	{Key: "Scenario.summary", Help: "One paragraph that says what to watch.", Heading: HeadingRun, Lines: true},
	{
		Key: "Scenario.seed",
		Help: "The number that determines every random draw. The same scenario with the same seed reproduces the " +
			"same run.",
		Heading: HeadingRun, Default: "1", whole: &bounds{max: MaxSeed},
	},
	{
		Key: "Scenario.streams",
		Help: "How to draw jitter: named gives each candidate name its own stream; recorded uses the " +
			"streams of the recorded client-go traces, by the candidate's index.",
		Default: "named", Heading: HeadingRun, words: []string{StreamsNamed, StreamsRecorded},
	},
	{Key: "Scenario.duration", Help: "When the run ends. At most 90 days.", Heading: HeadingRun,
		missing: `a run needs an end time, for example "2m"`},
	{
		Key:     "Scenario.preset",
		Help:    "The settings of a real component, for every candidate. The scenario's own settings override them.",
		Heading: HeadingElection, words: presetWords, says: presetSays,
	},
	{Key: "Scenario.lease", Help: "The Lease that the candidates compete for.", Heading: HeadingRun},
	{Key: "Scenario.elector", Help: "The elector settings that candidates inherit.", Heading: HeadingElection,
		Effect: AtNextStart},
	{Key: "Scenario.network", Help: "The network settings that candidates inherit.", Heading: HeadingNetwork,
		Effect: AtOnce},
	{Key: "Scenario.candidates", Help: "The processes that compete: at most 10,000, including replicas and additions.",
		Heading: HeadingRun, most: MaxCandidates},
	{
		Key:     "Scenario.actions",
		Help:    "What happens to the candidates, and when. Acts at the same instant happen in the listed order.",
		Heading: HeadingRun, most: MaxActions,
	},
	{Key: "Scenario.expect", Help: "Assertions on the run. They make the scenario a test.", Heading: HeadingRun,
		most: MaxExpect},
	{
		Key: "Scenario.resource",
		Help: "Something outside the cluster that the leader writes to while it works, without going through the " +
			"API server. Left out: nothing.",
		Heading: HeadingResource,
	},
	{Key: "Scenario.bounds",
		Help:    "Limits on the run. A run that exceeds one violates liveness; requestsPerSecond is only observed.",
		Heading: HeadingRun},
	{
		Key:     "Scenario.server",
		Help:    "How the API server copes with load. Left out: it answers any number of requests at once.",
		Heading: HeadingNetwork, Effect: AtOnce,
	},
	{
		Key:     "Scenario.heartbeats",
		Help:    "Additional nodes that only send heartbeats, and monitors that decide which of these nodes are ready.",
		Heading: HeadingHeartbeats,
	},
	{
		Key: "Scenario.apiServers",
		Help: "API servers with controllers for coordinated candidates. Left out: one server that answers at once " +
			"and has no controllers.",
		Heading: HeadingCoordinated,
	},
	{
		Key: "Scenario.leaseCandidateVersion",
		Help: "The version of LeaseCandidate that the API servers and their controller use. v1beta1: each candidate " +
			"names one strategy. v1alpha1 (Kubernetes 1.31): each candidate has a list of preferredStrategies, and " +
			"another rule picks the strategy.",
		Default: "v1beta1", Heading: HeadingCoordinated, words: []string{CandidateV1beta1, CandidateV1alpha1},
	},
	{Key: "Scenario.controllers", Help: "Constants of coordinated election, where they differ from upstream's.",
		Heading: HeadingCoordinated},
	{
		Key: "Scenario.nilHolder",
		Help: "What happens when the controller is about to give a Lease without holderIdentity to a candidate. " +
			"crash: its API server crashes, as v1.36 does. intended: the candidate gets the Lease.",
		Default: "crash", Heading: HeadingCoordinated, words: []string{NilHolderCrash, NilHolderIntended},
	},
	{Key: "Scenario.museum", Help: "The real incident that the scenario reproduces.", Heading: HeadingRun},
	{Key: "Scenario.process", Help: "The process settings that candidates inherit.", Heading: HeadingProcess},
	{Key: "Scenario.client", Help: "The client settings that candidates inherit.", Heading: HeadingLimits},

	{Key: "Lease", Help: "The Lease object that the candidates compete for."},
	{Key: "Lease.namespace", Help: "The Lease's namespace.", Default: "default"},
	{Key: "Lease.name", Help: "The Lease's name.", Default: "demo"},

	{Key: "Candidate", Help: "One process that competes for the Lease, or replicas of it.", Heading: HeadingRun},
	{
		Key: "Candidate.name", Help: "The node's name. Replicas are called name-0, name-1, and so on.",
		Heading: HeadingCandidate, missing: "every candidate needs a name",
	},
	{
		Key: "Candidate.identity",
		Help: "The holderIdentity that the candidate writes into the Lease. Left out: its name. Two candidates with " +
			"the same identity both lead.",
		Heading: HeadingCandidate,
	},
	{Key: "Candidate.startAt", Help: "When the candidate starts. In an add act: how long after the act.",
		Heading: HeadingTime},
	{
		Key: "Candidate.replicas", Help: "The number of replicas. Left out: one candidate with exactly this name.",
		Heading: HeadingCandidate, whole: &bounds{max: MaxCandidates},
	},
	{
		Key: "Candidate.preset",
		Help: "The settings of a real component. They override the scenario's settings, and the candidate's own " +
			"settings override them.",
		Heading: HeadingElection, words: presetWords, says: presetSays,
	},
	{Key: "Candidate.spreadStart", Help: "The period over which the replicas start, one after another.",
		Heading: HeadingTime},
	{Key: "Candidate.elector", Help: "Elector settings that differ from the scenario's.", Heading: HeadingElection,
		Effect: AtNextStart},
	{Key: "Candidate.network", Help: "Network settings that differ from the scenario's.", Heading: HeadingNetwork,
		Effect: AtOnce},
	{Key: "Candidate.clock", Help: "The clock of the candidate's node.", Heading: HeadingTime, Effect: AtOnce},
	{
		Key: "Candidate.restart",
		Help: "What happens after the elector's Run returns. Left out: the process ends. new: a new elector starts. " +
			"same: the same elector object runs again.",
		Heading: HeadingProcess, words: []string{RestartNew, RestartSame},
	},
	{Key: "Candidate.restartAfter", Help: "The wait before the restart.", Heading: HeadingProcess},
	{Key: "Candidate.workTail", Help: "How long the leader's work continues after its context ends.",
		Heading: HeadingProcess},
	{Key: "Candidate.jitterDraws",
		Help:    "Values to use for the first jitter draws instead of random ones. Each is at least 0 and less than 1.",
		Heading: HeadingCandidate},
	{Key: "Candidate.startJitterMax", Help: "Delays the start at random, by at most this long.", Heading: HeadingTime},
	{Key: "Candidate.binaryVersion", Help: "The version of a coordinated candidate's program, x.y.z.",
		Heading: HeadingCoordinated, Effect: AtNextStart},
	{
		Key:     "Candidate.emulationVersion",
		Help:    "The version that a coordinated candidate emulates. It must not exceed binaryVersion.",
		Heading: HeadingCoordinated, Effect: AtNextStart,
	},
	{
		Key: "Candidate.strategy",
		Help: "How a coordinated candidate wants the leader to be picked: by OldestEmulationVersion, or by a third " +
			"party's strategy, whose name has a slash.",
		Heading: HeadingCoordinated,
	},
	{
		Key:     "Candidate.preferredStrategies",
		Help:    "With v1alpha1: the strategies that a coordinated candidate accepts, starting with the best.",
		Heading: HeadingCoordinated,
	},
	{
		Key: "Candidate.leaseCandidate",
		Help: "The name of the candidate's LeaseCandidate. It must equal the identity: the controller writes this " +
			"name into the Lease, and the elector waits for its own identity.",
		Heading: HeadingCoordinated,
	},
	{
		Key:     "Candidate.pingAckDelay",
		Help:    "How long its informer takes to see a write to its LeaseCandidate. This delays the answer to a ping.",
		Heading: HeadingCoordinated,
	},
	{Key: "Candidate.apiServer",
		Help: "The candidate's API server. Left out: the first one.", Heading: HeadingCoordinated},
	{Key: "Candidate.process", Help: "Process settings that differ from the scenario's.", Heading: HeadingProcess},
	{Key: "Candidate.client", Help: "Client settings that differ from the scenario's.", Heading: HeadingLimits},
	{Key: "Candidate.stream", Help: helpStream, Heading: HeadingRun},

	{Key: "Clock", Help: "A node's clock: local time = offset + elapsed time × ratePpm / 1,000,000."},
	{Key: "Clock.offset",
		Help: "How far ahead the clock starts. Negative: it is behind. Elections tolerate any offset.", signed: true},
	{
		Key: "Clock.ratePpm",
		Help: "How fast the clock ticks, in parts per million: 1,000,000 is true, 600,000 is slow. This can harm " +
			"elections.",
		whole: &bounds{min: MinRatePpm, max: MaxRatePpm, orZero: true, hint: "1,000,000 is a true clock"},
	},

	{
		Key: "APIServer",
		Help: "One kube-apiserver: a node with the controllers of coordinated leader election. Only one API server's " +
			"controllers are active; the Lease kube-system/leader-election-controller decides which.",
		Heading: HeadingRun,
	},
	{Key: "APIServer.name", Help: "The API server's name, unique among nodes.", Heading: HeadingCandidate,
		missing: "every API server needs a name"},
	{Key: "APIServer.startAt", Help: "When the API server starts.", Heading: HeadingTime},
	{Key: "APIServer.version",
		Help:    "Its version, x.y.z. The checks report a leader that is newer than the oldest API server.",
		Heading: HeadingCoordinated},
	{Key: "APIServer.clock",
		Help:    "The API server's clock. The controller compares it with the times that candidates write.",
		Heading: HeadingTime},
	{Key: "APIServer.watchLag",
		Help: "How long the server's informers take to see a write.", Heading: HeadingCoordinated},
	{
		Key:     "APIServer.restartAfter",
		Help:    "How long after a crash the API server restarts by itself, as after a kubelet's back-off.",
		Default: "10s", Heading: HeadingCandidate,
	},
	{Key: "APIServer.stream", Help: helpStream, Heading: HeadingRun},
}

const helpStream = "The name that seeds its random draws. Left out: its own name. A renamed node that keeps its old " +
	"name here also keeps its draws."
