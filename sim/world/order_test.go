package world

import (
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/step"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The queue hands out the least event by (time, class, node, number), as sorting would, in whatever order events come.
func TestQueueAgainstSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var q queue
		var naive []event
		number := uint32(0)
		for range r.IntN(300) {
			if len(naive) > 0 && r.IntN(5) < 2 {
				sort.Slice(naive, func(i, j int) bool {
					a, b := naive[i], naive[j]
					switch {
					case a.at != b.at:
						return a.at < b.at
					case a.key>>56 != b.key>>56:
						return a.key>>56 < b.key>>56
					case a.candidate() != b.candidate():
						return a.candidate() < b.candidate()
					}
					return a.number() < b.number()
				})
				require.Equal(t, naive[0], q.pop())
				naive = naive[1:]
				continue
			}
			number++
			m := event{at: r.Int64N(20), key: orderKey(class(r.IntN(5)), int32(r.IntN(1<<24)), number),
				slot: int32(number), what: requestArrives}
			q.push(m)
			naive = append(naive, m)
		}
		require.Len(t, q, len(naive))
	}
}

// The timers against a plain list: set, moved both ways and cleared. The earliest comes first, of two at one instant
// the lower node; a clone does not change.
func TestTimersAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	least := func(at []int64) (int32, int64) {
		found := int32(-1)
		for i, a := range at {
			if a != never && (found < 0 || a < at[found]) {
				found = int32(i)
			}
		}
		if found < 0 {
			return -1, never
		}
		return found, at[found]
	}
	for range 100 {
		var h timers
		var at []int64
		for range 1 + r.IntN(40) {
			h.add()
			at = append(at, never)
		}
		frozen, frozenAt := h.clone(), append([]int64(nil), at...)
		for step := range 400 {
			i := r.IntN(len(at))
			at[i] = r.Int64N(15)
			if r.IntN(4) == 0 {
				at[i] = never
			}
			h.set(int32(i), at[i])
			if step == 200 {
				frozen, frozenAt = h.clone(), append([]int64(nil), at...)
			}
			require.Equal(t, at[i], h.of(int32(i)))
			wantI, wantAt := least(at)
			gotI, gotAt := h.next()
			require.Equal(t, wantAt, gotAt)
			if wantI >= 0 {
				require.Equal(t, wantI, gotI)
			}
		}
		for {
			wantI, wantAt := least(frozenAt)
			gotI, gotAt := frozen.next()
			require.Equal(t, wantAt, gotAt)
			if wantI < 0 {
				break
			}
			require.Equal(t, wantI, gotI)
			frozenAt[wantI] = never
			frozen.set(wantI, never)
		}
	}
}

// The offset of a clock shifts only its wall reading. The rate stretches everything. A change makes no jump of the
// monotonic reading, and worldTime finds the instant of a reading.
func TestClock(t *testing.T) {
	assert.Equal(t, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano(), EpochUnixNs)
	plain := clock{ratePpm: trueRatePpm, offsetNs: -int64(time.Hour)}
	assert.Equal(t, step.Reading{Now: 7, Mono: 7, Wall: EpochUnixNs + 7 - int64(time.Hour)}, plain.read(7))
	slow := clock{ratePpm: 600_000}
	assert.Equal(t, int64(6*time.Second), slow.mono(int64(10*time.Second)))
	assert.Equal(t, int64(10*time.Second), slow.timer(int64(6*time.Second)),
		"a timer of 6 s of a slow clock takes 10 s")
	assert.Equal(t, int64(10*time.Second), slow.worldTime(int64(6*time.Second)))

	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		c := clock{ratePpm: 100_000 + r.Int64N(9_900_001)}
		now, last := int64(0), int64(0)
		for range 20 {
			now += r.Int64N(int64(24 * time.Hour))
			before := c.mono(now)
			require.GreaterOrEqual(t, before, last, "monotonic")
			c.set(now, r.Int64N(int64(time.Hour)), 100_000+r.Int64N(9_900_001))
			require.Equal(t, before, c.mono(now), "no jump")
			require.Equal(t, EpochUnixNs+before+c.offsetNs, c.read(now).Wall)
			last = before
			later := now + r.Int64N(int64(time.Hour))
			require.InDelta(t, later, c.worldTime(c.mono(later)), float64(trueRatePpm/c.ratePpm)+1, "there and back")
			require.Equal(t, before, c.mono(c.worldTime(before)))
		}
	}
}
