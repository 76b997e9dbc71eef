//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asCommand is the environment variable that turns this test binary into the command itself.
const asCommand = "LEASELAB_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == faultyOperator {
		operate(os.Args[2])
	}
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	if os.Getenv(asElector) != "" {
		elect()
		return
	}
	_ = os.Setenv("COLUMNS", "1000") // so that tests find whole sentences
	os.Exit(m.Run())
}

// serveUnfinished starts `leaselab serve` and sends it a request whose body never ends.
func serveUnfinished(t *testing.T) (process *exec.Cmd, address string, said *bytes.Buffer) {
	t.Helper()
	process, said = exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0"), &bytes.Buffer{}
	process.Env, process.Dir, process.Stderr = append(os.Environ(), asCommand+"=1"), t.TempDir(), said
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill() }) // it may already have ended
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ = strings.Cut(rest, "/")

	client, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { client.Close() })
	// The server answers 100 Continue: it is reading the body.
	_, err = io.WriteString(client, "POST /apis/coordination.k8s.io/v1/namespaces/default/leases HTTP/1.1\r\nHost: localhost\r\n"+
		"Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	line, err = bufio.NewReader(client).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "100 Continue")
	return process, address, said
}

// After one SIGTERM the server cuts off requests that do not end.
func TestSignalEndsTheServer(t *testing.T) {
	t.Parallel()
	process, _, said := serveUnfinished(t)
	require.NoError(t, process.Process.Signal(syscall.SIGTERM))
	require.NoError(t, process.Wait(), said)
	assert.Contains(t, said.String(), "closing requests that are still running after 3s")
}

// A second Ctrl+C or SIGTERM ends the process as the system does, without any help of the server.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		process, address, said := serveUnfinished(t)
		require.NoError(t, process.Process.Signal(signal))
		for { // until the process has seen the first signal
			c, err := net.Dial("tcp", address)
			if err != nil {
				break
			}
			c.Close()
		}
		require.NoError(t, process.Process.Signal(signal))
		require.Error(t, process.Wait(), said)
		state := process.ProcessState.Sys().(syscall.WaitStatus)
		assert.True(t, state.Signaled(), "%v: %s", signal, said)
		assert.Equal(t, signal, state.Signal())
		assert.NotContains(t, said.String(), "cut off", "it did not wait")
	}
}
