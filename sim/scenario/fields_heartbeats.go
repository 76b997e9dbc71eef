package scenario

var heartbeatsFields = []Field{
	{Key: "Heartbeats.nodes", whole: &bounds{min: 1, max: MaxHeartbeatNodes},
		missing: "say how many nodes send heartbeats, for example 3"},
	{Key: "Heartbeats.interval", Default: "10s"},
	{Key: "Heartbeats.timeout", Default: "10s"},
	{Key: "Heartbeats.grace", Default: "50s"},
	{Key: "Heartbeats.evaluateEvery", Default: "5s"},
	{Key: "Heartbeats.monitors", most: 100},

	{Key: "Monitor.name", missing: "every monitor needs a name"},
	{Key: "Monitor.stream", Help: helpStream},
}
