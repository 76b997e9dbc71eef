package main

import "syscall"

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
