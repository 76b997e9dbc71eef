package main

import "syscall"

// dieTogether makes the kernel kill a process if leaselab dies.
func dieTogether(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
