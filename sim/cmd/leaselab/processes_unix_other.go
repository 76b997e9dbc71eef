//go:build unix && !linux

package main

import "syscall"

// dieTogether does nothing: only Linux kills a process with its parent.
func dieTogether(*syscall.SysProcAttr) {}
