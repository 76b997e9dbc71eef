package bounded

import (
	"syscall"
	"time"
)

// processTime returns the processor time that the process has used.
func processTime() time.Duration { return cpuTime(syscall.RUSAGE_SELF) }

// threadTime returns the processor time that the calling thread has used.
func threadTime() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD
	return cpuTime(thisThread)
}

func cpuTime(who int) time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(who, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
