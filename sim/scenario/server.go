package scenario

// Server describes how the API server copes with load. Each server in apiServers has this full capacity. Only electors'
// requests and heartbeats count as load; the server answers controllers and LeaseCandidate clients at once. By default
// a server answers at once, whatever the load, so all latency comes from the network.
type Server struct {
	RatePerSecond    int      `json:"ratePerSecond,omitempty"`
	Queue            int      `json:"queue,omitempty"`
	WhenFull         string   `json:"whenFull,omitempty"`
	QueueTimeout     Duration `json:"queueTimeout,omitempty"`
	SlowPerRequest   Duration `json:"slowPerRequest,omitempty"`
	NewLeaderLatency Duration `json:"newLeaderLatency,omitempty"`
	NewLeaderFor     Duration `json:"newLeaderFor,omitempty"`
	RequestTimeout   Duration `json:"requestTimeout,omitempty"`
}

// checkServer refuses settings without effect. For example, a queue without a rate never fills, and its author would
// look for the reason in the run.
func (v *validator) checkServer(s *Server, path string) {
	if s == nil {
		return
	}
	if s.Queue != 0 && s.RatePerSecond == 0 {
		v.relate(refuseNumber(join(path, "queue"), thousands(int64(s.Queue)),
			"needs ratePerSecond: without it nothing waits"))
	}
	if s.QueueTimeout != 0 && s.RatePerSecond == 0 {
		v.relate(refuseDuration(join(path, "queueTimeout"), s.QueueTimeout,
			"needs ratePerSecond: without it nothing waits"))
	}
	if s.WhenFull != "" && s.Queue == 0 {
		v.relate(refuse(join(path, "whenFull"), s.WhenFull, "needs queue: without it the queue is never full"))
	}
	if s.NewLeaderLatency != 0 && s.NewLeaderFor == 0 {
		v.relate(refuseField(join(path, "newLeaderFor"),
			"missing; say how long newLeaderLatency lasts after a leader starts"))
	}
	if s.NewLeaderFor != 0 && s.NewLeaderLatency == 0 {
		v.relate(refuseField(join(path, "newLeaderLatency"), "missing; newLeaderFor says how long it lasts"))
	}
}
