package measured

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/figures"
)

// B05, kubernetes#132849: see figures.WipesSuccessor.
func TestReleaseWipesTheSuccessor(t *testing.T) {
	const perSecond = 500
	seed := uint64(0)
	for from := 10; from < 21; from++ {
		ours, theirs := 0, 0
		for k := range perSecond {
			heal := time.Duration(from)*time.Second + time.Duration(k)*time.Second/perSecond
			seed++
			wiped, err := figures.WipesSuccessor(heal, seed, false)
			require.NoError(t, err)
			if wiped {
				ours++
			}
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var mu sync.Mutex
				var holder *line
				wiped := false
				election{settings: figures.ByDefault, oneWay: scenario.DefaultRequestLatency, releaseOnCancel: true, written: func(l *line, lease *coordinationv1.Lease) {
					mu.Lock()
					defer mu.Unlock()
					if ptr.Deref(lease.Spec.HolderIdentity, "") != "" {
						holder = l
					} else if holder != l {
						wiped = true
					}
				}, watch: func(started, stopped <-chan *line) {
					old := <-started
					time.Sleep(time.Until(began.Add(figures.CutAt)))
					old.sever()
					time.Sleep(heal)
					old.heal()
					time.Sleep(60*time.Second - figures.CutAt - heal)
				}}.run(t, rand.New(rand.NewPCG(seed, 0)))
				if wiped {
					theirs++
				}
			})
		}
		p := figures.Fisher(ours, theirs, perSecond)
		t.Logf("heal %d to %d s after the cut: ours %d, client-go %d of %d (p = %.2f)", from, from+1, ours, theirs, perSecond, p)
		assert.Greater(t, p, figures.Unlikely, "the probability that two samples of one distribution differ this much")
	}
}
