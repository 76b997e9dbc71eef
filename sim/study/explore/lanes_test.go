package explore

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/rules"
)

// A search whose rounds are made by other workers, which have the plan and nothing else, is the one that a single worker makes: what it
// keeps is the same bytes, in the middle of a round, too.
func TestLanesMakeTheSameSearch(t *testing.T) {
	p := models["a crash"].plan
	p.Scenario, p.Rules, p.FromNs = small(t, models["a crash"].scenario), []Rule{{Name: rules.LeaderlessTooLong, LongerNs: 15e9}}, 3e9
	saved := func(x *Explorer) string {
		var all bytes.Buffer
		require.NoError(t, x.Save(&all))
		return all.String()
	}
	begin := func() *Explorer {
		x, err := New(p)
		require.NoError(t, err)
		return x
	}
	one := begin()
	var way []string // what it keeps before each round
	for over := false; !over; over = one.Go(1) {
		way = append(way, saved(one))
	}
	require.Greater(t, len(way), 40)
	require.NotNil(t, one.found)
	for _, count := range []int{1, 2, 3} {
		x := begin()
		lanes := make([]*Lane, count)
		for i := range lanes {
			lanes[i] = begin().Lane()
		}
		work := x.Hand(count)
		made := make([]int, count+1)
		for round := 0; len(work) > 0; round++ {
			require.Equal(t, way[round], saved(x), "%d lanes, round %d", count, round)
			if round == 20 { // another worker goes on from its file
				again := begin()
				_, err := again.Resume(bytes.NewReader([]byte(saved(x))))
				require.NoError(t, err)
				x, work = again, again.Hand(count)
			}
			require.Empty(t, x.Hand(count), "the round is under way")
			for _, w := range work {
				result, err := lanes[w.Lane-1].Make(w.Data)
				require.NoError(t, err)
				made[w.Lane]++
				require.NoError(t, x.Put(w.Lane, result))
			}
			require.Error(t, x.Put(1, nil), "it has no work")
			work = x.Hand(count)
		}
		assert.Equal(t, saved(one), saved(x), "%d lanes", count)
		assert.Equal(t, one.found, x.found)
		for i := range lanes {
			assert.Greater(t, made[i+1], 10, "lane %d of %d has its share", i+1, count)
			assert.Less(t, len(lanes[i].frames), 600, "it forgets what is over")
		}
	}
}

// What is no work, or no result, is refused.
func TestStrangeWork(t *testing.T) {
	p := models["together"].plan
	p.Scenario = small(t, models["together"].scenario)
	x, err := New(p)
	require.NoError(t, err)
	work := x.Hand(1)
	require.Len(t, work, 1)
	lane := x.Lane()
	for size := range len(work[0].Data) {
		_, err := lane.Make(work[0].Data[:size])
		require.Error(t, err, "cut off at %d", size)
	}
	lane = x.Lane()
	result, err := lane.Make(work[0].Data)
	require.NoError(t, err)
	require.ErrorContains(t, x.Put(1, result[:len(result)-1]), "does not fit its work")
	require.ErrorContains(t, x.Put(2, result), "has no work")
	require.NoError(t, x.Put(1, result))
}
