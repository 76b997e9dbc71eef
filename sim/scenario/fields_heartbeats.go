package scenario

var heartbeatsFields = []Field{
	{Key: "Heartbeats",
		Help: "Nodes that each renew their own Lease, and monitors that watch those Leases. If a monitor has not " +
			"seen a node's renewal for a grace period, the node is not ready. Acts can target node-0, node-1, …, and " +
			"the monitors by name."},
	{
		Key: "Heartbeats.nodes",
		Help: "How many nodes send heartbeats. Their names are node-0, node-1, and so on. Their starts are evenly " +
			"spread over one interval. At most 5,000.",
		whole: &bounds{min: 1, max: MaxHeartbeatNodes}, missing: "say how many nodes send heartbeats, for example 3",
	},
	{Key: "Heartbeats.interval", Help: "The wait between two renewals by the same node. Jitter adds up to 4 %.",
		Default: "10s"},
	{Key: "Heartbeats.timeout",
		Help: "How long a node waits for an answer. It retries at once, up to five tries in all.", Default: "10s"},
	{
		Key: "Heartbeats.grace",
		Help: "If a monitor has not seen a node's renewal for longer than this, the node is not ready. Before " +
			"Kubernetes 1.32, the default was 40s.",
		Default: "50s",
	},
	{Key: "Heartbeats.evaluateEvery", Help: "How often a monitor decides which nodes are ready.", Default: "5s"},
	{Key: "Heartbeats.network", Help: "The heartbeat nodes' network settings, where they differ from the scenario's."},
	{Key: "Heartbeats.monitors",
		Help: "The monitors. Each decides independently. Left out: one monitor, named monitor.", most: 100},

	{Key: "Monitor", Help: "A node lifecycle controller: it watches the heartbeats and decides which nodes are ready."},
	{Key: "Monitor.name", Help: "The monitor's name, unique among nodes.", missing: "every monitor needs a name"},
	{Key: "Monitor.startAt", Help: "When the monitor starts."},
	{Key: "Monitor.watchLag", Help: "How long the monitor takes to see a write, in addition to the network's latency."},
	{Key: "Monitor.network",
		Help: "Network settings that differ from the scenario's. Without deadPeerTime, a broken watch stays broken."},
	{Key: "Monitor.clock", Help: "The monitor's clock, which measures the grace periods."},
	{Key: "Monitor.stream", Help: helpStream},
}
