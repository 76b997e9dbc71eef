package scenario

// Network is the connection between one candidate and the API server. If a field is nil, the scenario's value
// applies; if that is missing, too, the default in networkFields applies. A distribution replaces the constant
// latency of its direction, and the other way round. The two latencies have different effects: a follower's countdown
// starts with the write, at the end of the request, but the leader's renewDeadline starts at the end of the answer.
// So a second of responseLatency costs a second of the safety margin.
type Network struct {
	RequestLatency       *Duration     `json:"requestLatency,omitempty"`
	ResponseLatency      *Duration     `json:"responseLatency,omitempty"`
	RequestDistribution  *Distribution `json:"requestDistribution,omitempty"`
	ResponseDistribution *Distribution `json:"responseDistribution,omitempty"`
	DeadPeerTime         *Duration     `json:"deadPeerTime,omitempty"`
	ReadLag              *Duration     `json:"readLag,omitempty"`
}

var networkFields = []Field{
	{Key: "Network", Help: "The network between one candidate and the API server."},
	{
		Key: "Network.requestLatency",
		Help: "How long a request takes to reach the API server. A takeover needs only two or three requests, so " +
			"their latency is rarely the reason for a long one.",
		Default: "2ms", Effect: AtOnce, Label: "request latency",
	},
	{
		Key: "Network.responseLatency",
		Help: "How long an answer takes to come back. It shortens the safety margin: the leader counts from the " +
			"answer, the followers count from the write.",
		Default: "3ms", Effect: AtOnce, Label: "response latency",
	},
	{Key: "Network.requestDistribution", Help: "How to draw the latency of each request. Replaces requestLatency.",
		Effect: AtOnce},
	{Key: "Network.responseDistribution", Help: "How to draw the latency of each answer. Replaces responseLatency.",
		Effect: AtOnce},
	{
		Key: "Network.deadPeerTime",
		Help: "When no answer has arrived for this long, the client opens a new connection, to the next API server " +
			"if apiServers has several. After a refused connection it does so at once. Kubernetes clients take 45s: " +
			"a ping after 30s, and 15s for its answer. Left out or 0s: the client keeps its connection forever.",
		Default: "0s", Effect: AtOnce,
	},
	{Key: "Network.readLag", Help: "Reads come from a cache that is this far behind. Writes do not.", Default: "0s",
		Effect: AtOnce},

	{Key: "Distribution",
		Help: "How to draw a duration: evenly (min, max), exponentially (mean on top of min), log-normally (p50, " +
			"p99), or by quantiles."},
	{Key: "Distribution.min", Help: "The shortest duration, with max or mean.", Default: "0s"},
	{Key: "Distribution.max", Help: "The longest duration. All durations from min to max are equally likely."},
	{Key: "Distribution.mean", Help: "The average of the exponential part on top of min."},
	{Key: "Distribution.p50",
		Help: "Half of the durations are shorter. With p99: a log-normal distribution, which has a long tail."},
	{Key: "Distribution.p99", Help: "One duration in a hundred is longer. With p50."},
	{
		Key: "Distribution.quantiles",
		Help: "Two to 1,000 durations, evenly spaced from the shortest to the longest possible: [1ms, 2ms, 3ms, 5s] " +
			"is above 3ms one time in three.",
		most: MaxQuantiles,
	},
	{Key: "Distribution.window",
		Help: "All messages sent within one window of this length get the same draw, so all nodes are slow at once. " +
			"Left out: each message has its own draw."},

	{Key: "Server",
		Help: "How the API server copes with load. Each of apiServers has its own queue. Only electors' requests and " +
			"heartbeats count as load."},
	{
		Key: "Server.ratePerSecond",
		Help: "How many requests a second it serves, one after another; the others wait in a queue. Left out: any " +
			"number.",
		whole: &bounds{max: 1_000_000},
	},
	{Key: "Server.queue", Help: "How many requests may wait. Left out: any number.", whole: &bounds{max: 1_000_000}},
	{
		Key:     "Server.whenFull",
		Help:    "What happens to a request that finds the queue full: http429 or drop (no answer).",
		Default: "http429", words: []string{FullRefuse, FullDrop},
	},
	{Key: "Server.queueTimeout",
		Help: "A request that has waited this long gets 504 without being served. Left out: the server serves it in " +
			"the end, even if its client has given up."},
	{Key: "Server.slowPerRequest",
		Help: "How much longer a request takes for each other one that arrived in the last second (counted in tenths " +
			"of a second). So the latency grows with the load."},
	{Key: "Server.newLeaderLatency",
		Help: "How much longer each request takes for newLeaderFor after a leader starts its work, because a new " +
			"leader lists everything."},
	{Key: "Server.newLeaderFor", Help: "How long newLeaderLatency lasts."},
	{Key: "Server.requestTimeout",
		Help: "A request that hangs at the server (fail with error hang) gets 504 after this time.", Default: "60s"},
}
