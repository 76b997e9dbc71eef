//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A search that ends early leaves the files of other searches as they are.
func TestAKeptSearchStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var kept [][]byte
	for _, states := range []string{"300", "200", "100"} {
		c := exec.Command(os.Args[0], "explore", "b05-wiped-lease-fixed", "--set", "actions[0].for=10s..21s/1s", "--rule", "writeByNonHolder", "--states", states)
		c.Env, c.Dir = append(os.Environ(), asCommand+"=1"), dir
		said, err := c.CombinedOutput()
		require.NoError(t, err, "%s", said)
		name := "b05-wiped-lease-fixed.frontier"
		if len(kept) > 0 {
			name = fmt.Sprintf("b05-wiped-lease-fixed-%d.frontier", len(kept)+1)
		}
		assert.Contains(t, string(said), name)
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		kept = append(kept, data)
	}
	first, err := os.ReadFile(filepath.Join(dir, "b05-wiped-lease-fixed.frontier"))
	require.NoError(t, err)
	assert.Equal(t, kept[0], first)
}

// Ctrl-C keeps a search in a file, and the next process goes on from there.
func TestCancelKeepsTheSearch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := filepath.Join(dir, "many.frontier")
	path := filepath.Join(dir, "many.yaml")
	require.NoError(t, os.WriteFile(path, []byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nname: many\nduration: 1h\ncandidates: [{name: a, replicas: 5}]\n"), 0o600))
	cancelled := func(args ...string) (states []byte) {
		c := exec.Command(os.Args[0], append([]string{"explore", path, "--rule", "writeByNonHolder"}, args...)...)
		out := &bytes.Buffer{}
		c.Env, c.Dir, c.Stdout = append(os.Environ(), asCommand+"=1"), dir, out
		said, err := c.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		t.Cleanup(func() { _ = c.Process.Kill() }) // it may already have ended
		lines := bufio.NewScanner(said)
		require.True(t, lines.Scan())
		assert.Contains(t, lines.Text(), "over 10^12")
		require.NoError(t, c.Process.Signal(syscall.SIGINT))
		rest := ""
		for lines.Scan() {
			rest += lines.Text() + "\n"
		}
		require.Error(t, c.Wait(), out.String()+rest)
		assert.Equal(t, exitCancelled, c.ProcessState.ExitCode(), rest)
		assert.Contains(t, out.String(), "The search was stopped, with ")
		assert.Contains(t, out.String(), "\nnot complete: ")
		if len(args) == 0 {
			assert.Contains(t, rest, "the search is kept in many.frontier: the same command with --resume many.frontier goes on")
		}
		data, err := os.ReadFile(kept)
		require.NoError(t, err)
		return data
	}
	first := cancelled()
	second := cancelled("--resume", kept)
	assert.GreaterOrEqual(t, len(second), len(first), "it goes on")
	assert.NoFileExists(t, kept+".new")
}
