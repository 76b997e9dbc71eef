package speed

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/speed"
)

var figures = flag.Bool("figures", false, "measure and print; takes some minutes")

// table prints rows, and nothing without the flag.
type table struct{ w *tabwriter.Writer }

func newTable(title string, columns ...any) *table {
	t := &table{tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)}
	if *figures {
		fmt.Println("\n" + title)
	}
	t.row(columns...)
	return t
}

func (t *table) row(cells ...any) {
	if !*figures {
		return
	}
	for _, cell := range cells {
		switch v := cell.(type) {
		case float64:
			if v < 100 {
				fmt.Fprintf(t.w, "%.2f\t", v)
			} else {
				fmt.Fprintf(t.w, "%.0f\t", v)
			}
		default:
			fmt.Fprint(t.w, v, "\t")
		}
	}
	fmt.Fprintln(t.w)
	t.w.Flush()
}

// much returns a with the flag -figures, else b.
func much[T any](a, b T) T {
	if *figures {
		return a
	}
	return b
}

// The simulator beside real electors under testing/synctest, each on one core. In the simulator a message takes 10 ms
// each way; client-go runs with that delay, and without one. Each figure is the best of three.
func TestElections(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const budget, delay = 12, 20 * time.Millisecond
	out := newTable("Lease requests per second on one core; ours with checkers on (budget: ours ≥ 12 × client-go under testing/synctest)",
		"candidates", "ours", "client-go", "ratio", "without delay", "ratio", "with the fake clientset", "ratio")
	for _, c := range []struct {
		candidates    int
		virtual, fake time.Duration
	}{{3, 48 * time.Hour, 6 * time.Hour}, {100, time.Hour, 15 * time.Minute}} {
		perSecond := func(faked bool, delay, virtual time.Duration) float64 {
			requests, wall := electors(t, c.candidates, faked, delay, much(virtual, time.Minute))
			require.NotZero(t, requests)
			return float64(requests) / wall.Seconds()
		}
		var ours, same, bare, slow float64
		for range much(3, 1) {
			same = max(same, perSecond(false, delay, c.virtual))
			measured := testing.Benchmark(func(b *testing.B) { speed.Requests(b, speed.Case{Candidates: c.candidates}) })
			ours = max(ours, measured.Extra["requests/s"])
			bare = max(bare, perSecond(false, 0, c.virtual))
			slow = max(slow, perSecond(true, 0, c.fake))
		}
		out.row(c.candidates, ours, same, ours/same, bare, ours/bare, slow, ours/slow)
		require.Positive(t, ours)
		if *figures { // without the flag client-go runs for a minute, too short to judge
			assert.GreaterOrEqual(t, ours, budget*same, "%d candidates", c.candidates)
		}
	}
}
