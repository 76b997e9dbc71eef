package main

import "syscall"

// dieTogether lets the kernel kill a process when leaselab is killed.
func dieTogether(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
