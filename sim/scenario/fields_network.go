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
	{Key: "Network.requestLatency", Default: "2ms", Effect: AtOnce, Label: "request latency"},
	{Key: "Network.responseLatency", Default: "3ms", Effect: AtOnce, Label: "response latency"},
	{Key: "Network.requestDistribution", Effect: AtOnce},
	{Key: "Network.responseDistribution", Effect: AtOnce},
	{Key: "Network.deadPeerTime", Default: "0s", Effect: AtOnce},
	{Key: "Network.readLag", Default: "0s", Effect: AtOnce},

	{Key: "Distribution.min", Default: "0s"},
	{Key: "Distribution.quantiles", most: MaxQuantiles},

	{Key: "Server.ratePerSecond", whole: &bounds{max: 1_000_000}},
	{Key: "Server.queue", whole: &bounds{max: 1_000_000}},
	{Key: "Server.whenFull", Default: "http429", words: []string{FullRefuse, FullDrop}},
	{Key: "Server.requestTimeout", Default: "60s"},
}
