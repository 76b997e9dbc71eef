package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// takeHostname gives the calling thread, and every process that it starts from now on, its own hostname. Many electors
// take their identity from the hostname, so copies on one machine would share an identity. Only root may do that;
// otherwise copies keep the machine's hostname.
func takeHostname(name string) {
	if syscall.Unshare(syscall.CLONE_NEWUTS) == nil {
		_ = syscall.Sethostname([]byte(name)) // root may
	}
}

// dieTogether makes the kernel kill a process if leaselab dies, even by SIGKILL, when leaselab itself can do nothing.
// The kernel kills the copy, but not the copy's children.
func dieTogether(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }

// adopts says whether leaselab becomes the parent of its children's orphans.
var adopts atomic.Bool

// adoptOrphans makes leaselab the parent of every process whose parent ends before it, if leaselab has started them. So
// a process that leaves its copy's group and session is still in reach.
func adoptOrphans() {
	if !adopts.Load() && unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil {
		adopts.Store(true)
	}
}

// endOrphans kills all children of leaselab and their children, until none remains or an instant has passed. Call it
// only before the process exits.
func endOrphans(until time.Time) {
	for adopts.Load() && time.Now().Before(until) {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if err == syscall.ECHILD {
			return
		}
		if pid > 0 {
			continue
		}
		for _, child := range children() {
			_ = syscall.Kill(child, syscall.SIGKILL) // it may have ended
		}
		time.Sleep(time.Millisecond)
	}
}

// children returns the ids of leaselab's children. A line of /proc/*/stat is "ID (NAME) STATE PARENT ...", and the name
// may contain anything.
func children() (ids []int) {
	own := strconv.Itoa(os.Getpid())
	all, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is correct
	for _, name := range all {
		line, _ := os.ReadFile(name) // the process may have ended
		after := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
		if len(after) > 1 && string(after[1]) == own {
			id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			ids = append(ids, id)
		}
	}
	return ids
}
