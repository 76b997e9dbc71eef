package scenario

// Process is what a candidate's program does around its elector. If a field is nil or empty, the scenario's value
// applies; if that is missing, too, the default in fields.txt applies. The default of the two drains is workTail.
//
// Leader election ends with a callback, and any damage happens after that. client-go tells a program that it has lost
// the Lease, but it cannot stop the program's work. So a scenario must say what the program does then: whether it exits
// at once, as kube-controller-manager does, drains for 5 s, or never notices the loss.
type Process struct {
	DrainAfterCancel  *Duration `json:"drainAfterCancel,omitempty"`
	DrainAfterLoss    *Duration `json:"drainAfterLoss,omitempty"`
	OnLoss            string    `json:"onLoss,omitempty"`
	RestartAfterCrash *Duration `json:"restartAfterCrash,omitempty"`
	RestartBackoffMax *Duration `json:"restartBackoffMax,omitempty"`
	IdentityAtRestart string    `json:"identityAtRestart,omitempty"`

	// A liveness probe that asks client-go's HealthzAdaptor. The defaults of the period and the failures are the
	// kubelet's.
	WatchdogTolerance *Duration `json:"watchdogTolerance,omitempty"`
	WatchdogPeriod    *Duration `json:"watchdogPeriod,omitempty"`
	WatchdogFailures  *int      `json:"watchdogFailures,omitempty"`
}

// Client is client-go's rate limiter (util/flowcontrol), through which a process sends its requests. If a field is
// nil, the scenario's value applies; if that is missing, too, the default in fields.txt applies. An elector shares
// the limiter with the work of its process, unless OwnLeaseClient gives the elector its own. So a busy leader may
// starve its own renewals.
type Client struct {
	QPS            *float64 `json:"qps,omitempty"`
	Burst          *int     `json:"burst,omitempty"`
	OwnLeaseClient *bool    `json:"ownLeaseClient,omitempty"`
	WorkQPS        *float64 `json:"workQps,omitempty"`
}
