package trace

// FaultKind is what happens to a request that a fault matches.
type FaultKind uint8

const (
	NoFault FaultKind = iota
	Http429
	Http500
	Http503
	Http504
	HttpConflict
	Http504Applied // the write is stored, the error returned
	DropRequest
	DropResponse
	RefuseConnection
	Hang  // the request waits at the server, is not served and answered 504 in the end
	Stall // the request waits at the server and is served when the fault is over
)

// Direction of a cut.
type Direction uint8

const (
	BothWays Direction = iota
	Up                 // requests are lost
	Down               // answers are lost
)

// HoldMode is what becomes of the messages that a cut stops.
type HoldMode uint8

const (
	Lost       HoldMode = iota
	Held                // delivered when the cut ends, to clients that still wait
	HeldForAll          // delivered when the cut ends, whether or not the client still waits
)

// PauseKind is what a pause stops.
type PauseKind uint8

const (
	ProcessStopped PauseKind = iota // SIGSTOP
	ElectorHangs                    // the elector's loop is stuck, the process lives
	NodeSuspended                   // the node sleeps, and its monotonic clock with it
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
