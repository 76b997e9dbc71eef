package speed

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// resident returns the memory of the command's process in MiB, as Linux reports it.
func resident(t *testing.T, a *served.API) float64 {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.Process))
	if err != nil {
		served.NotRun(t, "/proc does not tell the memory of a process")
	}
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	require.NoError(t, err)
	return kib / 1024
}

// A server returns the memory of many ended watches to the system, even without further requests.
func TestWatchesGiveMemoryBack(t *testing.T) {
	t.Parallel()
	a := served.Command(t)
	watches := much(10_000, 50)
	before := resident(t, a)
	address := strings.TrimPrefix(a.URL, "http://")
	var open []net.Conn
	for range watches {
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		open = append(open, c)
		_, err = fmt.Fprintf(c, "GET %s?watch=1 HTTP/1.1\r\nHost: %s\r\n\r\n", path, address)
		require.NoError(t, err)
		line, err := bufio.NewReader(c).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "200 OK")
	}
	during := resident(t, a)
	for _, c := range open {
		require.NoError(t, c.Close())
	}
	after := during
	if *figures {
		served.Until(t, time.Minute, "three quarters of it were returned", func() bool {
			after = resident(t, a)
			return after < before+(during-before)/4
		})
	}
	newTable(fmt.Sprintf("Memory of leaselab serve in MiB, %d watches", watches), "before", "open", "ended").row(before, during, after)
}
