package scenario

// Network is the connection between one candidate and the API server. If a field is nil, the scenario's value applies;
// if that is missing, too, the default in networkFields applies. A distribution replaces the constant latency of its
// direction, and a constant latency replaces a distribution. The two latencies have different effects: a follower's
// countdown starts with the write, at the end of the request, but the leader's renewDeadline starts at the end of the
// answer. So a second of responseLatency costs a second of the safety margin.
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
			"their latency is rarely the reason for a long takeover.",
		Default: "2ms", Effect: AtOnce, Label: "request latency",
	},
	{
		Key: "Network.responseLatency",
		Help: "How long an answer takes to come back. A longer latency shortens the safety margin: the leader counts " +
			"from the answer, but the followers count from the write.",
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
	{Key: "Network.readLag", Help: "How far reads from the cache are behind. Writes are not behind.", Default: "0s",
		Effect: AtOnce},

	{Key: "Distribution",
		Help: "How to draw a random duration: evenly (min, max), exponentially (mean on top of min), log-normally " +
			"(p50, p99), or by quantiles."},
	{Key: "Distribution.min", Help: "The shortest duration. Use it with max or mean.", Default: "0s"},
	{Key: "Distribution.max", Help: "The longest duration. All durations from min to max are equally likely."},
	{Key: "Distribution.mean", Help: "The average of the exponential part on top of min."},
	{Key: "Distribution.p50",
		Help: "The median: half of the durations are shorter. With p99: a log-normal distribution with a long tail."},
	{Key: "Distribution.p99", Help: "The 99th percentile: one duration in a hundred is longer. Use it with p50."},
	{
		Key: "Distribution.quantiles",
		Help: "Two to 1,000 durations, evenly spaced in probability from the shortest to the longest possible. With " +
			"[1ms, 2ms, 3ms, 5s], one duration in three is above 3ms.",
		most: MaxQuantiles,
	},
	{Key: "Distribution.window",
		Help: "All messages sent within one window of this length get the same draw, so all nodes are slow at once. " +
			"Left out: each message has its own draw."},

	{Key: "Server",
		Help: "How the API server copes with load. Each server in apiServers has its own queue. Only electors' " +
			"requests and heartbeats count as load."},
	{
		Key: "Server.ratePerSecond",
		Help: "How many requests a second the server serves, one after another. The others wait in a queue. Left " +
			"out: no limit.",
		whole: &bounds{max: 1_000_000},
	},
	{Key: "Server.queue", Help: "How many requests may wait. Left out: no limit.", whole: &bounds{max: 1_000_000}},
	{
		Key:     "Server.whenFull",
		Help:    "What happens to a request that arrives when the queue is full: http429 or drop (no answer).",
		Default: "http429", words: []string{FullRefuse, FullDrop},
	},
	{Key: "Server.queueTimeout",
		Help: "A request that has waited this long gets 504 without being served. Left out: the server eventually " +
			"serves every request, even if the client has given up."},
	{Key: "Server.slowPerRequest",
		Help: "How much longer a request takes for each other request that arrived in the last second (counted in " +
			"tenths of a second). So the latency grows with the load."},
	{Key: "Server.newLeaderLatency",
		Help: "How much longer each request takes after a leader starts its work, because a new leader lists " +
			"everything. This lasts for newLeaderFor."},
	{Key: "Server.newLeaderFor", Help: "How long newLeaderLatency lasts."},
	{Key: "Server.requestTimeout",
		Help: "A request that hangs at the server (fail with error hang) gets 504 after this time.", Default: "60s"},
}
