//go:build unix && !linux

package main

import "syscall"

// dieTogether does nothing: only Linux kills a process with its parent.
func dieTogether(*syscall.SysProcAttr) {}

// takeHostname does nothing: only Linux can give a process its own hostname.
func takeHostname(string) {}
