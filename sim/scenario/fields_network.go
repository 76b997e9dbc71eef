package scenario

// Network is the connection between one candidate and the API server. If a field is nil, the scenario's value applies;
// if that is missing, too, the default in fields.txt applies. A distribution replaces the constant latency of its
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
