//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// processSignal is a signal to a process group.
type processSignal = syscall.Signal

const (
	sigTerm     = syscall.SIGTERM
	sigKill     = syscall.SIGKILL
	sigStop     = syscall.SIGSTOP
	sigContinue = syscall.SIGCONT
)

// hasSignals says that processes can be stopped and asked to end here.
const hasSignals = true

// alone makes a command the head of a process group of its own.
func alone(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieTogether(command.SysProcAttr)
}

// sendSignal signals the group of a command that has started.
func sendSignal(command *exec.Cmd, s processSignal) {
	_ = syscall.Kill(-command.Process.Pid, s) // it may already have ended
}
