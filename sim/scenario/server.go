package scenario

// Server says how the API server copes with load. Each API server of apiServers has that capacity for itself. Only
// electors' requests and heartbeats count as load; controllers and LeaseCandidate clients are served at once.
type Server struct {
	RatePerSecond    int      `json:"ratePerSecond,omitempty"`    // it serves so many a second, one after another; 0: any number
	Queue            int      `json:"queue,omitempty"`            // so many may wait; 0: any number
	WhenFull         string   `json:"whenFull,omitempty"`         // a request that finds the queue full: "http429" (default) or "drop"
	QueueTimeout     Duration `json:"queueTimeout,omitempty"`     // one that would have waited longer is answered 504 after that time, unserved; 0: it waits
	SlowPerRequest   Duration `json:"slowPerRequest,omitempty"`   // each request of the last second makes a request take that much longer
	NewLeaderLatency Duration `json:"newLeaderLatency,omitempty"` // a request takes that much longer for newLeaderFor after a leader has started
	NewLeaderFor     Duration `json:"newLeaderFor,omitempty"`
	RequestTimeout   Duration `json:"requestTimeout,omitempty"` // a request that hangs (fail, error: hang) is answered 504 after that time; 0: 60s, as kube-apiserver
}

func checkServer(s *Server, path string) *FieldError {
	switch {
	case s == nil:
	case s.Queue != 0 && s.RatePerSecond == 0:
		return refuseNumber(join(path, "queue"), thousands(int64(s.Queue)), "needs ratePerSecond: without it nothing waits")
	case s.QueueTimeout != 0 && s.RatePerSecond == 0:
		return refuseDuration(join(path, "queueTimeout"), s.QueueTimeout, "needs ratePerSecond: without it nothing waits")
	case s.WhenFull != "" && s.Queue == 0:
		return refuse(join(path, "whenFull"), s.WhenFull, "needs queue: without it the queue is never full")
	case s.NewLeaderLatency != 0 && s.NewLeaderFor == 0:
		return refuseField(join(path, "newLeaderFor"), "missing; newLeaderLatency lasts for that long after a leader has started")
	case s.NewLeaderFor != 0 && s.NewLeaderLatency == 0:
		return refuseField(join(path, "newLeaderLatency"), "missing; newLeaderFor says how long it lasts")
	}
	return nil
}
