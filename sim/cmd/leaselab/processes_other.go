//go:build !unix

package main

import (
	"os"
	"os/exec"
	"time"
)

// processSignal is a signal to a process.
type processSignal int

const (
	sigTerm processSignal = iota
	sigKill
	sigStop
	sigContinue
)

// hasSignals is false: on this system leaselab cannot pause a process or tell it to end.
const hasSignals = false

func alone(*exec.Cmd) {}

// sendSignal kills a started command. This system has no other signals, so leaselab refuses scenarios that need them.
func sendSignal(command *exec.Cmd, s processSignal) {
	if s == sigKill {
		_ = command.Process.Kill() // it may already have ended
	}
}

// takeHostname does nothing: only Linux can give a process its own hostname.
func takeHostname(string) {}

// terminalColumns returns 0: on this system leaselab does not ask for the width of a terminal.
func terminalColumns(*os.File) int { return 0 }

// This system has no process groups, so leaselab knows only the copies themselves.

func killGroup(int)         {}
func isEmptyGroup(int) bool { return true }
func adoptOrphans()         {}
func endOrphans(time.Time)  {}
