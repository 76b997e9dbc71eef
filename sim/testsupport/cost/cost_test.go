//go:build !js

package cost_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/cost"
)

// counted is the cost of a request at two sizes.
type counted struct {
	size, statements, bytes [2]float64 // small, large
}

// steeper returns how much faster a cost grows than n log n: below 1 it grows more slowly. n² would be about 3.
func (c *counted) steeper(of [2]float64) float64 {
	grown := of[1] / of[0]
	allowed := c.size[1] * math.Log(c.size[1]) / (c.size[0] * math.Log(c.size[0]))
	return grown / allowed
}

// Sorting in place takes n log² n statements, and growing by doubling may allocate twice what is needed.
const (
	mostSteepStatements = 1.2
	mostSteepBytes      = 1.5
)

// The cost of every request grows at most with n log n. The test counts statements, which show nested loops, and
// allocated bytes, which show repeated copies; it does not measure time.
func TestNoRequestGrowsFasterThanItsSize(t *testing.T) {
	cases := cost.Cases()
	for i, c := range count(t) {
		t.Run(cases[i].Name, func(t *testing.T) {
			t.Logf("n %.0f and %.0f: statements %.0f and %.0f, steeper than n log n by %.2f; bytes %.0f and %.0f, by %.2f",
				c.size[0], c.size[1], c.statements[0], c.statements[1], c.steeper(c.statements), c.bytes[0], c.bytes[1], c.steeper(c.bytes))
			require.Less(t, c.steeper(c.statements), mostSteepStatements, "statements")
			require.Less(t, c.steeper(c.bytes), mostSteepBytes, "bytes")
		})
	}
}

// count builds the counting command and runs it.
func count(t *testing.T) []counted {
	folder := t.TempDir()
	command := filepath.Join(folder, "count")
	run(t, "go", "build", "-cover", "-covermode=atomic", "-coverpkg=github.com/leaselab/leaselab/...,gopkg.in/evanphx/json-patch.v4", "-o", command, "./count")
	covdata := strings.TrimSpace(run(t, "go", "tool", "-n", "covdata"))
	all := make([]counted, len(cost.Cases()))
	for line := range strings.Lines(run(t, command, folder)) {
		var i int
		var name string
		var size, bytes float64
		_, err := fmt.Sscan(line, &i, &name, &size, &bytes)
		require.NoError(t, err, line)
		which := map[string]int{"small": 0, "large": 1}[name]
		text := filepath.Join(folder, "text")
		run(t, covdata, "textfmt", "-i="+filepath.Join(folder, fmt.Sprint(i), name), "-o="+text)
		all[i].size[which], all[i].statements[which], all[i].bytes[which] = size, statements(t, text), bytes
	}
	return all
}

// statements returns the total count of executed statements.
func statements(t *testing.T, path string) (total float64) {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Scan() // the mode line
	for lines.Scan() {
		var place string
		var statements, times float64
		_, err := fmt.Sscan(lines.Text(), &place, &statements, &times)
		require.NoError(t, err, lines.Text())
		total += statements * times
	}
	require.Positive(t, total)
	return total
}

func run(t *testing.T, name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if failed, is := err.(*exec.ExitError); is {
		require.NoError(t, err, "%s", failed.Stderr)
	}
	require.NoError(t, err)
	return string(out)
}
