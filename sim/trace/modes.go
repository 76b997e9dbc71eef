package trace

// PauseKind says what a pause stops.
type PauseKind uint8

const (
	ProcessStopped PauseKind = iota // SIGSTOP
	ElectorHangs                    // the elector's loop hangs, but the process lives
	NodeSuspended                   // the node sleeps, and its monotonic clock stops
)

// WriteOp is an administrator's operation on the Lease.
type WriteOp uint8

const (
	Put WriteOp = iota
	Patch
	Delete
	Touch
	Requested // any request to the API
)
