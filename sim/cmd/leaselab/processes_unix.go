//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// processSignal is a signal to a process group.
type processSignal = syscall.Signal

const (
	sigTerm     = syscall.SIGTERM
	sigKill     = syscall.SIGKILL
	sigStop     = syscall.SIGSTOP
	sigContinue = syscall.SIGCONT
)

// hasSignals is true: on this system leaselab can pause a process and tell it to end.
const hasSignals = true

// The function alone starts a new process group with the command as its leader. So a signal to the group also reaches
// the program's children, for example the commands of a shell script. Ctrl-C in the terminal does not reach the copies:
// leaselab ends them after it has printed the verdict.
func alone(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieTogether(command.SysProcAttr)
}

// sendSignal signals the group of a started command: a negative process id means the group.
func sendSignal(command *exec.Cmd, s processSignal) {
	_ = syscall.Kill(-command.Process.Pid, s) // it may already have ended
}

// killGroup kills every process of a group.
func killGroup(group int) { _ = syscall.Kill(-group, syscall.SIGKILL) } // the group may be empty by now

// isEmptyGroup reports whether a group whose leader has ended has no process. It waits for orphans of the group that
// have ended, if they are leaselab's own children.
func isEmptyGroup(group int) bool {
	for {
		if pid, _ := syscall.Wait4(-group, nil, syscall.WNOHANG, nil); pid <= 0 {
			return syscall.Kill(-group, 0) == syscall.ESRCH
		}
	}
}

// terminalColumns returns the width of a terminal, or 0 for another file.
func terminalColumns(file *os.File) int {
	size, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
