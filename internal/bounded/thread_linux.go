package bounded

import (
	"syscall"
	"time"
)

// threadTime is the processor time that the calling thread has used.
func threadTime() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD
	var used syscall.Rusage
	if syscall.Getrusage(thisThread, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
