package main

import "syscall"

// dieTogether makes the kernel kill a process if leaselab dies, even by SIGKILL, when leaselab itself can do nothing.
// The kernel kills the copy, but not the copy's children.
func dieTogether(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
