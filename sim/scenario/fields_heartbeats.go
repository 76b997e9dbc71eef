package scenario

var heartbeatsFields = []Field{
	{Key: "Heartbeats",
		Help: "Nodes that each renew their own Lease, and monitors that watch those Leases. If a monitor has not " +
			"seen a node renew for a grace period, the node is not ready. Acts take node-0, node-1, … and the " +
			"monitors' names as targets."},
	{
		Key: "Heartbeats.nodes",
		Help: "How many nodes send heartbeats: node-0, node-1 and so on. Their starts are evenly spread over one " +
			"interval. At most 5,000.",
		whole: &bounds{min: 1, max: MaxHeartbeatNodes}, missing: "how many nodes send heartbeats, 3 for example",
	},
	{Key: "Heartbeats.interval", Help: "The wait between two renewals of one node. Jitter adds up to 4 %.",
		Default: "10s"},
	{Key: "Heartbeats.timeout", Help: "How long a node waits for an answer. It retries at once, five times in all.",
		Default: "10s"},
	{
		Key: "Heartbeats.grace",
		Help: "If a monitor has not seen a node renew for longer than this, the node is not ready. 40s before " +
			"Kubernetes 1.32.",
		Default: "50s",
	},
	{Key: "Heartbeats.evaluateEvery", Help: "How often a monitor decides which nodes are ready.", Default: "5s"},
	{Key: "Heartbeats.network", Help: "Network settings of these nodes that differ from the scenario's."},
	{Key: "Heartbeats.monitors", Help: "The monitors. Left out: one, named monitor. Each watches by itself.",
		most: 100},

	{Key: "Monitor", Help: "A node lifecycle controller: it watches the heartbeats and decides which nodes are ready."},
	{Key: "Monitor.name", Help: "Its name, unique among nodes.", missing: "every monitor needs a name"},
	{Key: "Monitor.startAt", Help: "When it starts."},
	{Key: "Monitor.watchLag", Help: "How long it takes to see a write, in addition to its network's latency."},
	{Key: "Monitor.network",
		Help: "Network settings that differ from the scenario's. Without deadPeerTime a broken watch stays broken."},
	{Key: "Monitor.clock", Help: "Its clock, which measures the grace periods."},
	{Key: "Monitor.stream", Help: helpStream},
}
