//go:build unix && !linux

package main

import (
	"syscall"
	"time"
)

// dieTogether does nothing: only Linux kills a process with its parent.
func dieTogether(*syscall.SysProcAttr) {}

// takeHostname does nothing: only Linux can give a process its own hostname.
func takeHostname(string) {}

// adoptOrphans does nothing: only Linux lets a process have the orphans of its children.
func adoptOrphans() {}

// endOrphans does nothing, because leaselab has no orphans here.
func endOrphans(time.Time) {}
