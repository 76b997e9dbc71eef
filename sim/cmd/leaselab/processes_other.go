//go:build !unix

package main

import "os/exec"

// processSignal is what a process can be sent.
type processSignal int

const (
	sigTerm processSignal = iota
	sigKill
	sigStop
	sigContinue
)

// hasSignals says that processes cannot be stopped and asked to end here.
const hasSignals = false

func alone(*exec.Cmd) {}

// sendSignal kills a command that has started; other signals do not exist here, and scenarios with them are refused.
func sendSignal(command *exec.Cmd, s processSignal) {
	if s == sigKill {
		_ = command.Process.Kill() // it may already have ended
	}
}
