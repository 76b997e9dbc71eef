package study

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// squares is a plan whose run i gives i².
type squares int

func (p squares) Runs() int { return int(p) }

func (p squares) Run(number int) int { return number * number }

// takeAll returns all that a study gives.
func takeAll(t *testing.T, s *Study[int]) []int {
	var all []int
	for number, result, more := s.Take(); more; number, result, more = s.Take() {
		require.Equal(t, number*number, result)
		all = append(all, number)
	}
	return all
}

// Results come in the order of the numbers, in whatever order the runs finish, and each once.
func TestTakeInOrder(t *testing.T) {
	want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		s := New(squares(10), Shard{})
		var got []int
		for _, number := range random.Perm(10) {
			assert.True(t, s.Put(number, number*number))
			assert.False(t, s.Put(number, 7), "the run is done")
			got = append(got, takeAll(t, s)...)
		}
		require.Equal(t, want, got)
		assert.Equal(t, s.Of(), s.Done())
	}
}

// The study hands out each run of the shard once, and never a finished one.
func TestNext(t *testing.T) {
	s := New(squares(10), Shard{1, 3})
	assert.Equal(t, 3, s.Of())
	assert.True(t, s.Put(4, 16))
	assert.False(t, s.Put(5, 25), "a run of another shard")
	assert.False(t, s.Put(10, 100), "no run")
	assert.False(t, s.Put(-2, 4))
	var handed []int
	for number, more := s.Next(); more; number, more = s.Next() {
		handed = append(handed, number)
	}
	assert.Equal(t, []int{1, 7}, handed)
}

// After End the finished runs come out, without the missing ones.
func TestEndPassesOver(t *testing.T) {
	s := New(squares(6), Shard{})
	for _, number := range []int{4, 0, 2} {
		s.Put(number, number*number)
	}
	assert.Equal(t, []int{0}, takeAll(t, s))
	assert.Equal(t, 2, s.Waiting())
	s.End()
	assert.Equal(t, []int{2, 4}, takeAll(t, s))
}

// Slices of any size make all runs.
func TestGo(t *testing.T) {
	for slice := range 11 {
		s := New(squares(10), Shard{})
		for !s.Go(slice + 1) {
			assert.Less(t, s.Done(), 10)
		}
		assert.Len(t, takeAll(t, s), 10)
	}
	assert.True(t, New(squares(0), Shard{}).Go(1), "a plan without runs")
}

// Shards have every run once.
func TestShards(t *testing.T) {
	for runs := range 20 {
		for of := 1; of < 25; of++ {
			var all []int
			sum := 0
			for i := range of {
				s := New(squares(runs), Shard{i, of})
				sum += s.Of()
				s.Go(runs)
				all = append(all, takeAll(t, s)...)
			}
			assert.Equal(t, runs, sum)
			assert.Len(t, all, runs)
		}
	}
	for _, text := range []string{"", "3", "3/3", "-1/3", "1/0", "a/3", "1/b", "1/2/3", "0/100001"} {
		_, err := ParseShard(text)
		assert.ErrorContains(t, err, "must be I/N", text)
	}
	shard, err := ParseShard("2/3")
	require.NoError(t, err)
	assert.Equal(t, "2/3", shard.String())
	assert.Equal(t, "0/1", Shard{}.String())
}

func TestSpread(t *testing.T) {
	var values []int64
	for i := range int64(101) {
		values = append(values, 100-i)
	}
	assert.Equal(t, Spread{50, 95, 99, 100}, SpreadOf(values))
	assert.Equal(t, Spread{7, 7, 7, 7}, SpreadOf([]int64{7}))
	assert.Equal(t, Spread{}, SpreadOf(nil))
	assert.Equal(t, []int64{1, 5, 9}, []int64{Quantile([]int64{1, 5, 9}, 0), Quantile([]int64{1, 5, 9}, 0.5), Quantile([]int64{1, 5, 9}, 1)})
}

func TestWilson(t *testing.T) {
	low, high := Wilson(0, 200)
	assert.Zero(t, low)
	assert.InDelta(t, 0.0188, high, 0.0001)
	low, high = Wilson(100, 200)
	assert.InDelta(t, 0.4314, low, 0.0001)
	assert.InDelta(t, 0.5686, high, 0.0001)
	low, high = Wilson(0, 0)
	assert.Equal(t, []float64{0, 1}, []float64{low, high})
}
