package flowcontrol

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/step"
)

func got[K comparable](t *testing.T, q *Queue[K]) K {
	t.Helper()
	key, ok := q.Get()
	assert.True(t, ok)
	return key
}

// A key waits once, does not come out while it is in progress, and comes again if an Add came meanwhile.
func TestOneAtATime(t *testing.T) {
	var q Queue[string]
	q.Add("a")
	q.Add("b")
	q.Add("a")
	assert.Equal(t, 2, q.Len())
	assert.Equal(t, "a", got(t, &q))
	q.Add("a")
	q.Add("a")
	assert.Equal(t, 1, q.Len(), "a is being worked on: it does not wait yet")
	q.Done("a")
	assert.Equal(t, "b", got(t, &q))
	assert.Equal(t, "a", got(t, &q))
	q.Done("a")
	q.Done("b")
	_, ok := q.Get()
	assert.False(t, ok, "nothing was added in the meantime")
}

// Of several delays of one key the earliest counts, whatever comes later; a new one begins when it has ended.
func TestEarliestDelayCounts(t *testing.T) {
	var q Queue[string]
	assert.Equal(t, step.Never, q.NextDueNs())
	q.AddAt("a", 50)
	q.AddAt("a", 70)
	assert.Equal(t, int64(50), q.DueNs("a"))
	q.AddAt("a", 30)
	assert.Equal(t, int64(30), q.NextDueNs())
	q.Due(29)
	assert.Zero(t, q.Len())
	q.Due(30)
	assert.Equal(t, "a", got(t, &q))
	q.Done("a")
	q.Due(1000)
	assert.Zero(t, q.Len(), "the later delays are gone")
	q.AddAt("a", 70)
	assert.Equal(t, int64(70), q.NextDueNs())
}

func TestDelaysOfOneInstant(t *testing.T) {
	var q Queue[string]
	q.AddAt("z", 50)
	q.AddAt("a", 50)
	q.AddAt("m", 40)
	q.Due(60)
	for _, want := range []string{"m", "z", "a"} {
		assert.Equal(t, want, got(t, &q))
	}
}

// A clone shares nothing, whichever of the two goes on first.
func TestClone(t *testing.T) {
	var q Queue[int]
	for i := range 4 {
		q.Add(i)
		q.AddAt(i, int64(10+i))
	}
	got(t, &q)
	c := q.Clone()
	for c.Len() > 0 {
		c.Done(got(t, &c))
	}
	c.Due(100)
	assert.Equal(t, 3, q.Len())
	assert.Equal(t, int64(10), q.NextDueNs())
}

// naive is the queue as client-go writes it down: two sets, a list, and a map of delays.
type naive struct {
	list              []int
	dirty, processing map[int]bool
	delays            map[int]int64
}

func (n *naive) add(k int) {
	if n.dirty[k] {
		return
	}
	n.dirty[k] = true
	if !n.processing[k] {
		n.list = append(n.list, k)
	}
}

// Random operations leave the queue and its dumb twin alike.
func TestAgainstNaive(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var q Queue[int]
		n := naive{dirty: map[int]bool{}, processing: map[int]bool{}, delays: map[int]int64{}}
		now := int64(0)
		for range 200 {
			k := random.IntN(6)
			switch random.IntN(5) {
			case 0:
				q.Add(k)
				n.add(k)
			case 1:
				key, ok := q.Get()
				assert.Equal(t, len(n.list) > 0, ok)
				if ok {
					assert.Equal(t, n.list[0], key)
					n.list = n.list[1:]
					n.processing[key], n.dirty[key] = true, false
				}
			case 2:
				if !n.processing[k] {
					continue
				}
				q.Done(k)
				n.processing[k] = false
				if n.dirty[k] {
					n.list = append(n.list, k)
				}
			case 3:
				due := now + 1 + int64(random.IntN(1000))*10 + int64(k) // no two keys at one instant
				q.AddAt(k, due)
				if old, has := n.delays[k]; !has || due < old {
					n.delays[k] = due
				}
			case 4:
				now += int64(random.IntN(2000))
				for {
					first, at := -1, now+1
					for k, due := range n.delays {
						if due < at {
							first, at = k, due
						}
					}
					if first < 0 {
						break
					}
					delete(n.delays, first)
					n.add(first)
				}
				q.Due(now)
			}
			assert.Equal(t, append([]int{}, n.list...), append([]int{}, q.waiting...))
		}
	}
}
