// Command count answers every request of the table at two sizes and records the cost of each: how often each statement
// ran, and the allocated bytes. Build it with -cover -covermode=atomic; the test of package cost does so and runs it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/coverage"
	"strconv"

	"github.com/leaselab/leaselab/sim/testsupport/cost"
)

func main() {
	if err := count(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// count writes a folder <case>/<small|large> of counters for each case and prints "<case> <folder> <size> <bytes>".
func count(out string) error {
	for i, c := range cost.Cases() {
		large, err := c.Largest()
		if err != nil {
			return err
		}
		for name, n := range map[string]int{"small": large / cost.Growth, "large": large} {
			folder := filepath.Join(out, strconv.Itoa(i), name)
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
			bytes, err := counted(&c, n, folder)
			if err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			fmt.Println(i, name, n, bytes)
		}
	}
	return nil
}

func counted(c *cost.Case, n int, folder string) (uint64, error) {
	m, err := c.At(n)
	if err != nil {
		return 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := coverage.ClearCounters(); err != nil {
		return 0, err
	}
	m.Do()
	runtime.ReadMemStats(&after)
	if err := coverage.WriteMetaDir(folder); err != nil {
		return 0, err
	}
	return after.TotalAlloc - before.TotalAlloc, coverage.WriteCountersDir(folder)
}
