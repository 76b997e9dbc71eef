package study

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxShards limits the shards of a study.
const MaxShards = 100_000

// Shard is one of several parts of a study's runs: the runs whose number modulo Of is Index. So each shard has both
// cheap and expensive runs. Shards of consecutive runs would not mix them, because the last combinations of a grid
// may have the longest durations. The zero value of Shard has all runs.
type Shard struct{ Index, Of int }

// ParseShard parses a shard such as "3/7", which is the fourth of seven shards. Like the pods of an Indexed Job,
// shards count from 0.
func ParseShard(text string) (Shard, error) {
	index, of, found := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, errOf := strconv.Atoi(of)
	if !found || err != nil || errOf != nil || i < 0 || n < 1 || i >= n || n > MaxShards {
		return Shard{}, fmt.Errorf("%q must be I/N with 0 <= I < N <= %d, such as 0/7, the first of seven shards", text,
			MaxShards)
	}
	return Shard{i, n}, nil
}

// String formats the shard the way ParseShard expects it. The zero value is "0/1".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, max(s.Of, 1)) }

// Runs returns how many runs of a study belong to the shard. The argument "of" is the number of runs in the study. Of
// 10 runs, shard 0/3 has 4 (0, 3, 6, 9) and shard 2/3 has 3 (2, 5, 8).
func (s Shard) Runs(of int) int {
	n := max(s.Of, 1)
	return max(0, (of-s.Index+n-1)/n)
}

// Number returns the number of the run at a place in the shard: in shard 2/3, place 1 has run 5.
func (s Shard) Number(place int) int { return s.Index + place*max(s.Of, 1) }

// place returns the place of a run in the shard, and reports whether the shard has the run.
func (s Shard) place(number int) (place int, has bool) {
	n := max(s.Of, 1)
	return number / n, number >= 0 && number%n == s.Index
}
