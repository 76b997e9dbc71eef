package hunt_test

import (
	"flag"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/study/hunt"
)

var (
	figures = flag.Bool("figures", false, "measure hunts against blind ones")
	only    = flag.String("only", "", "measure only these planted bugs, separated by commas")
	seeds   = flag.Int("seeds", 30, "measure with so many seeds")
	most    = flag.Int("most", 3000, "give up after so many runs")
)

// shows reports whether a failure that a hunt reports is the planted bug: client-go does not break the rule under the same acts, neither
// with the failure's seed nor with four others.
func (p *planted) shows(f *hunt.Failure) bool {
	if f.Rule != p.rule {
		return false
	}
	s := f.Scenario.Clone()
	s.Elector.Dialect = nil
	for range 5 {
		if breaks(s, p.rule) {
			return false
		}
		s.Seed++
	}
	return true
}

// runsTo is the number of the run in which a hunt finds the bug, and more than most if it does not.
func (p *planted) runsTo(t *testing.T, seed uint64, blind bool) int {
	h := newHunt(t, hunt.Plan{Scenario: p.with(base(t, "[]")), Seed: seed, Runs: *most, Blind: blind})
	for known := 0; round(h, 1<<40, false); {
		all := h.Outcome().Failures
		for ; known < len(all); known++ {
			if p.shows(&all[known]) {
				return all[known].Run
			}
		}
	}
	return *most + 1
}

// medians are of the runs to a planted bug, over the seeds.
func (p *planted) median(t *testing.T, blind bool) (median int, never int) {
	all := make([]int, *seeds)
	var group sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i := range all {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			all[i] = p.runsTo(t, uint64(1000+i), blind)
		})
	}
	group.Wait()
	slices.Sort(all)
	for _, n := range all {
		if n > *most {
			never++
		}
	}
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2, never
}

// Guided hunts need at most half as many runs as blind ones, by the geometric mean over the planted bugs of the ratio of medians.
func TestFigures(t *testing.T) {
	if !*figures {
		t.Skip("minutes: with -figures")
	}
	t.Logf("%-22s %8s %8s %7s   (never within %d: guided, blind; %d seeds)", "planted bug", "guided", "blind", "ratio", *most, *seeds)
	logs, found, count := 0.0, 0, 0
	for i := range plantedBugs {
		p := &plantedBugs[i]
		if *only != "" && !slices.Contains(strings.Split(*only, ","), p.dialect) {
			continue
		}
		guided, neverGuided := p.median(t, false)
		blind, neverBlind := p.median(t, true)
		ratio := float64(guided) / float64(blind)
		logs += math.Log(ratio)
		count++
		if guided <= *most {
			found++
		}
		t.Logf("%-22s %8d %8d %7.2f   (%d, %d)", p.dialect, guided, blind, ratio, neverGuided, neverBlind)
	}
	mean := math.Exp(logs / float64(count))
	t.Logf("geometric mean of the ratios: %.2f; %d of %d are found", mean, found, count)
	if *only == "" {
		assert.LessOrEqual(t, mean, 0.5)
		assert.GreaterOrEqual(t, found, 9)
	}
}
