package schema

// actDescriptions say what each act does; a test keeps the table complete.
var actDescriptions = map[string]string{
	"crash":        "The process is gone at once. It sends no message: nobody is told.",
	"restart":      "A new process starts on this node, with the same name and no memory.",
	"pause":        "The process stands still, as under SIGSTOP. Its clocks go on; it does not know that time passes.",
	"resume":       "The process goes on as if nothing had happened, and finds out late.",
	"stop":         "The process is asked to stop. With releaseOnCancel a leader empties the Lease first.",
	"cut":          "The network between the node and the API server is cut: both ways, or only requests or only answers.",
	"heal":         "Ends every cut of the target.",
	"fail":         "Requests of the target are answered with an error, vanish, hang or meet a conflict.",
	"mend":         "Ends every fail of the target.",
	"latency":      "Requests, answers or both take another time: a constant, or drawn for each; once, for a while or again and again.",
	"clock":        "An offset moves what a node writes, and harms nobody. A rate stretches its timers, and does. A jump moves its wall clock only.",
	"write":        "An administrator writes the Lease: puts, patches, deletes or touches it.",
	"request":      "Somebody sends a request to the API, as kubectl would.",
	"add":          "One more candidate joins.",
	"remove":       "The node leaves for good.",
	"upgrade":      "The target's next start has another version.",
	"set":          "The target gets other elector settings, in effect from its next start, or another network, in effect at once.",
	"suspend":      "The whole node sleeps, as a suspended VM. Its monotonic clock stops: it wakes with its deadlines ahead and a wall clock that has jumped.",
	"hang":         "The elector's loop is stuck; the process lives, works and answers its probes. Only a watchdog notices.",
	"burst":        "The process sends requests of its own through the client's rate limiter. The Lease waits behind them.",
	"server":       "The API server copes with load in another way from now on: its rate, its queue, what it does when that is full.",
	"rollback":     "The store is restored from a backup: it is what it was then, resourceVersions and all.",
	"cutResource":  "The node's writes to the protected resource are lost; the Lease is not concerned.",
	"healResource": "Ends every cutResource of the target.",
}
