//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where the output cannot be written, every command says so and fails, whatever it found.
func TestFullDiskUnderTheOutput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/full")
	}
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept.runs")
	_, err := leaselab("sweep", "crash", "--set", "duration=2m", "--resume", kept)
	require.NoError(t, err)
	for _, args := range []string{
		"sweep crash --set duration=2m -o json", "sweep crash --set duration=2m -o csv", "sweep crash --set duration=2m",
		"sweep merge KEPT", "sweep merge KEPT -o json", "hunt first-election --runs 20 -o json", "hunt paused-leader --runs 20",
		"run crash", "run crash -o json", "run crash -o ndjson", "run crash --seeds 1..3", "run crash --seeds 1..3 -o json",
		"run crash -q --trace /dev/full", "scenarios", "scenarios crash", "schema", "explain crash", "explain crash -o json", "run crash --against paused-leader", "shrink paused-leader --windows=false",
		"explore b05-wiped-lease --window 14s..20s --set actions[0].for=14s", "explore b05-wiped-lease --window 14s..20s --set actions[0].for=14s -o json",
		"advise survive=60s takeover=5s", "advise survive=60s takeover=5s -o json", "run crash --out /dev/full", "export csv crash --out /dev/full", "completion bash", "--help", "run --help", "--version",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			require.NoError(t, err)
			defer full.Close()
			run := exec.Command(os.Args[0], strings.Fields(strings.ReplaceAll(args, "KEPT", kept))...)
			var said bytes.Buffer
			run.Env, run.Dir, run.Stdout, run.Stderr = append(os.Environ(), asCommand+"=1"), dir, full, &said
			var exit *exec.ExitError
			require.ErrorAs(t, run.Run(), &exit)
			assert.Equal(t, exitUsage, exit.ExitCode())
			assert.Contains(t, said.String(), "no space left on device")
			assert.NotContains(t, said.String(), "Please report this")
		})
	}
}

// writing has, for each flag that names a file or a folder to write to, command lines that write to FULL. It must be an error, with
// the flag's name: the device is full, or leaselab refuses to write to a device.
var writing = map[string][]string{
	"out":            {"run crash --out FULL", "scenarios --out FULL", "export svg crash --out FULL"},
	"trace":          {"run crash -q --trace FULL", "run crash -o json --trace FULL", "run paused-leader -q --trace FULL"},
	"record":         {"test CALM --record FULL -- sleep 1", "serve --addr 127.0.0.1:0 --faults CALM --record FULL"},
	"resume":         {"sweep crash --set duration=2m --resume FULL", "hunt first-election --runs 5 --resume FULL", "explore crash --window 60s..66s --resume FULL"},
	"schedule":       {"explore crash --window 60s..66s --rule leaderless>1s --schedule FULL"},
	"failures":       {"hunt paused-leader --runs 20 --failures FULL"},
	"data":           {"serve --addr 127.0.0.1:0 --data FULL"},
	"kubeconfig":     {"serve --addr 127.0.0.1:0 --kubeconfig FULL"},
	"audit-log-path": {"serve --addr 127.0.0.1:0 --audit-log-path FULL"},
}

// reading are the flags that name a file or a folder to read, or whose usage only mentions one.
var reading = []string{"scenario", "claim", "site", "rbac", "fixture", "crds", "tls-cert-file", "tls-private-key-file", "suite"}

// Every flag that names a file has its place in one of the lists above.
func TestEveryFileFlagIsTried(t *testing.T) {
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		for _, one := range c.Commands() {
			each(one)
		}
		check := func(f *pflag.Flag) {
			kind, usage := pflag.UnquoteUsage(f)
			if kind == "file" || kind == "folder" || kind == "directory" || strings.Contains(usage, " file") && kind == "string" {
				assert.True(t, writing[f.Name] != nil || slices.Contains(reading, f.Name), "%s --%s", c.CommandPath(), f.Name)
			}
		}
		c.Flags().VisitAll(check)
		c.PersistentFlags().VisitAll(check)
	}
	each(command())
}

// A file that leaselab cannot write is an error, whatever else the command finds; standard output is fine.
func TestFullDiskUnderAFile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/full")
	}
	calm := faultFile(t, "1s", "")
	for flag, lines := range writing {
		for _, line := range lines {
			t.Run(line, func(t *testing.T) {
				t.Parallel()
				run := exec.Command(os.Args[0], strings.Fields(strings.NewReplacer("FULL", "/dev/full", "CALM", calm).Replace(line))...)
				var out, said lockedBuffer
				run.Env, run.Dir, run.Stdout, run.Stderr = append(os.Environ(), asCommand+"=1"), t.TempDir(), &out, &said
				require.NoError(t, run.Start())
				if flag == "audit-log-path" {
					require.Eventually(t, func() bool { return strings.Contains(out.String(), " at http://") }, 10*time.Second, time.Millisecond)
					_, rest, _ := strings.Cut(out.String(), " at ")
					url, _, _ := strings.Cut(rest, "/ ")
					status, _ := ask(t, "GET", url+"/healthz", "", "")
					assert.Equal(t, 200, status, "the server goes on")
					require.NoError(t, run.Process.Signal(syscall.SIGTERM))
				}
				var exit *exec.ExitError
				require.ErrorAs(t, run.Wait(), &exit)
				assert.Equal(t, exitUsage, exit.ExitCode(), said.String())
				assert.Regexp(t, "no space left on device|not a (regular file|directory)", said.String())
				if flag != "out" && flag != "failures" {
					assert.Contains(t, said.String(), "--"+flag)
				}
			})
		}
	}
}

// lockedBuffer is a buffer that a test may read while a process writes.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
