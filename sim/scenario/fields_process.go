package scenario

// Process is what a candidate's program does around its elector. If a field is nil or empty, the scenario's value
// applies; if that is missing, too, the default in processFields applies. The default of the two drains is workTail.
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
// nil, the scenario's value applies; if that is missing, too, the default in processFields applies. An elector shares
// the limiter with the work of its process, unless OwnLeaseClient gives the elector its own. So a busy leader may
// starve its own renewals.
type Client struct {
	QPS            *float64 `json:"qps,omitempty"`
	Burst          *int     `json:"burst,omitempty"`
	OwnLeaseClient *bool    `json:"ownLeaseClient,omitempty"`
	WorkQPS        *float64 `json:"workQps,omitempty"`
}

var processFields = []Field{
	{Key: "Process", Help: "What a candidate's program does apart from its elector."},
	{Key: "Process.drainAfterCancel",
		Help: "How long the leader's work continues after the process is asked to stop. Left out: not at all, or " +
			"as long as the older field workTail says."},
	{Key: "Process.drainAfterLoss",
		Help: "How long the leader's work continues after it lost the Lease. Left out: as for drainAfterCancel."},
	{
		Key: "Process.onLoss",
		Help: "What a leader does when it loses the Lease without being asked to stop. Left out: the leader tells " +
			"its work to end. exit: the process and its work end at once. ignore: the work was never tied to the " +
			"Lease and continues.",
		words: []string{OnLossExit, OnLossIgnore},
	},
	{Key: "Process.restartAfterCrash",
		Help: "How long after a crash, or after the watchdog killed the process, a new process starts. Left out: " +
			"never after a crash, at once after a kill."},
	{Key: "Process.restartBackoffMax",
		Help: "Every restart doubles the wait before the next one, up to this limit. Once a process has run for " +
			"twice this limit, the wait is short again. 0s: every wait is the same.", Default: "0s"},
	{
		Key: "Process.identityAtRestart",
		Help: "The identity of a new process. keep: the old process's identity. new: a new identity, which ends with " +
			"the number of this start.",
		Default: "keep", words: []string{IdentityKeep, IdentityNew},
	},
	{Key: "Process.watchdogTolerance",
		Help: "Adds a liveness probe with client-go's HealthzAdaptor. The probe fails if a leader's last successful " +
			"renewal is older than leaseDuration plus this tolerance (20s in kube-controller-manager), or if the " +
			"process is paused. Left out: no watchdog."},
	{Key: "Process.watchdogPeriod", Help: "The time between two probes.", Default: "10s"},
	{
		Key:     "Process.watchdogFailures",
		Help:    "After this many failed probes in a row the kubelet kills the process and starts it again.",
		Default: "3", whole: &bounds{min: 1, max: 1000},
	},

	{Key: "Client", Help: "client-go's rate limiter, which delays the requests that a process sends."},
	{Key: "Client.qps",
		Help: "How many requests a second the limiter allows. 0: no limit. client-go's default is 5.", Default: "0",
		decimal: &[2]float64{0, 10_000}},
	{Key: "Client.burst", Help: "How many requests the limiter lets through at once.", Default: "10",
		whole: &bounds{min: 1, max: 10_000}},
	{Key: "Client.ownLeaseClient",
		Help: "The elector has its own limiter, so the process's work does not delay it.", Default: "false"},
	{
		Key: "Client.workQps", Help: "How many requests a second the leader's work sends through the same limiter.",
		Default: "0", decimal: &[2]float64{0, 10_000},
	},
}
