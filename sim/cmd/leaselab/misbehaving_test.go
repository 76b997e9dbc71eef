//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// misbehaving are programs that leave something running, or do not end. Each has its own length of sleep, by which the test
// finds the rest.
var misbehaving = []string{
	"sleep LEFT & exit 0",
	"sleep LEFT & sleep LEFT & wait",
	"trap '' TERM INT HUP; sleep LEFT",
	"trap 'sleep LEFT' TERM; sleep LEFT & wait",
	"setsid sleep LEFT & exit 0",
	"setsid sh -c 'trap \"\" TERM; sleep LEFT & sleep LEFT' & sleep LEFT",
	"(setsid env -i /bin/sleep LEFT &); exit 3",
	"nohup sleep LEFT > /dev/null 2>&1 & kill -KILL $$",
	"sleep LEFT & kill -STOP $$",
	"sleep LEFT & kill -STOP $!; exit 0",
	"for i in 1 2 3 4 5 6 7 8; do (sleep LEFT &); done; sleep LEFT",
	"sh -c 'sh -c \"sleep LEFT & exit\" & sleep LEFT' & exit 0",
	"exec 1>&- 2>&-; setsid sh -c 'while :; do sleep LEFT; done' &",
	"while :; do echo LEFT noise; done",
}

// running returns the command lines that contain a text.
func running(text string) (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is correct
	for _, name := range all {
		if line, err := os.ReadFile(name); err == nil && bytes.Contains(line, []byte(text)) {
			found = append(found, filepath.Dir(name)+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return found
}

// briefly writes a scenario that ends soon.
func briefly(t *testing.T, duration string) string {
	return faultFile(t, duration, "{at: 100ms, act: crash, target: a}, {at: 200ms, act: restart, target: a}, {at: 300ms, act: pause, target: b}")
}

// tries makes the command `leaselab test` with a shell program.
func tries(scenario, program string) *exec.Cmd {
	c := exec.Command(os.Args[0], "test", scenario, "--", "sh", "-c", program)
	c.Env = append(os.Environ(), asCommand+"=1")
	return c
}

// Whatever programs do, nothing of them runs once `leaselab test` has ended: by itself, or after Ctrl-C.
func TestMisbehavingProgramsLeaveNothing(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = len(misbehaving)
	}
	for i := range runs {
		program := misbehaving[i%len(misbehaving)]
		t.Run(fmt.Sprint(i, " ", program), func(t *testing.T) {
			t.Parallel()
			left := fmt.Sprintf("9%d.%d", os.Getpid(), 1000+i)
			process := tries(briefly(t, "800ms"), strings.ReplaceAll(program, "LEFT", left))
			if i%3 == 2 {
				time.AfterFunc(time.Duration(i%7)*100*time.Millisecond, func() {
					if process.Process != nil {
						_ = process.Process.Signal(syscall.SIGINT)
					}
				})
			}
			_ = process.Run() // without a verdict
			assert.Empty(t, running(left))
		})
	}
}

// blocked starts a command whose output goes into a pipe that nobody reads.
func blocked(t *testing.T, c *exec.Cmd, which *io.Writer) {
	t.Helper()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	*which = write
	require.NoError(t, c.Start())
	require.NoError(t, write.Close())
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		_ = read.Close()
	})
}

// `leaselab test` ends on time and by one Ctrl-C even if nobody reads its standard error.
func TestBlockedStandardError(t *testing.T) {
	for _, interrupts := range []bool{false, true} {
		t.Run(fmt.Sprint("interrupt=", interrupts), func(t *testing.T) {
			t.Parallel()
			left := fmt.Sprintf("8%d.%t", os.Getpid(), interrupts)
			duration, ends := "2s", 2*time.Second
			if interrupts {
				duration, ends = "1m", time.Second
			}
			process := tries(briefly(t, duration), "while :; do echo "+left+" some noise that fills the pipe; done")
			begun := time.Now()
			blocked(t, process, &process.Stderr)
			if interrupts {
				time.AfterFunc(ends, func() { _ = process.Process.Signal(syscall.SIGINT) })
			}
			_ = process.Wait() // without a verdict
			late := time.Since(begun) - ends
			t.Logf("%v after the end", late)
			most := 10 * time.Second // the machine may be busy
			if !testing.Short() {
				most = 2 * time.Second
			}
			assert.Less(t, late, most)
			assert.Empty(t, running(left))
		})
	}
}

// If even the verdict blocks, the second Ctrl-C ends everything.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	left := fmt.Sprintf("7%d", os.Getpid())
	process := tries(briefly(t, "1m"), "setsid sleep "+left+" & echo ready; sleep "+left)
	said, err := process.StderrPipe()
	require.NoError(t, err)
	full, write, err := os.Pipe()
	require.NoError(t, err)
	defer full.Close()
	defer write.Close()
	require.NoError(t, write.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
	for err == nil { // fill the pipe
		_, err = write.Write(make([]byte, 1<<10))
	}
	process.Stdout = write
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill() }) // it may have ended
	time.Sleep(500 * time.Millisecond)
	go func() { _, _ = io.Copy(io.Discard, bufio.NewReader(said)) }()
	require.NoError(t, process.Process.Signal(syscall.SIGINT))
	time.Sleep(500 * time.Millisecond)
	require.NoError(t, process.Process.Signal(syscall.SIGINT))
	ended := make(chan error, 1)
	go func() { ended <- process.Wait() }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("it does not end")
	}
	assert.Equal(t, exitCancelled, process.ProcessState.ExitCode())
	assert.Empty(t, running(left))
}

// What a program prints does nothing to the terminal.
func TestCopiesDoNothingToTheTerminal(t *testing.T) {
	t.Parallel()
	process := tries(briefly(t, "500ms"), `printf '\033]52;c;aGk=\007\302\233\n'; exit 1`)
	out, err := process.CombinedOutput()
	require.Error(t, err)
	assert.True(t, isSafe(string(out)), "%q", out)
	assert.Contains(t, string(out), `\u001b]52;c;aGk=\u0007\u009b`)
}
