package flowcontrol_test

import (
	"math/rand/v2"
	"testing"

	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	ms   = int64(1_000_000)
	none = int64(1<<63 - 1)
)

// With client-go's default of 5 a second and 10 at once, ten go at once and the eleventh waits 200 ms. A second later
// the bucket has five tokens, not ten. The library cuts waits to whole nanoseconds.
func TestBucket(t *testing.T) {
	l := flowcontrol.NewTokenBucket(5, 10)
	for range 10 {
		wait, ok := l.Wait(0, none)
		require.True(t, ok)
		require.Zero(t, wait)
	}
	for n := range int64(3) {
		wait, _ := l.Wait(0, none)
		require.InDelta(t, (n+1)*200*ms, wait, 1)
	}
	l = flowcontrol.NewTokenBucket(5, 10)
	l.Take(10, 0)
	for range 5 {
		wait, _ := l.Wait(1000*ms, none)
		require.Zero(t, wait)
	}
	wait, _ := l.Wait(1000*ms, none)
	assert.Equal(t, 200*ms, wait)
}

// The bucket refuses a wait beyond the deadline at once and takes nothing.
func TestBeyondTheDeadline(t *testing.T) {
	l := flowcontrol.NewTokenBucket(5, 1)
	l.Take(51, 0) // the burst and fifty more: 10 s of debt
	_, ok := l.Wait(0, 10_199*ms)
	assert.False(t, ok)
	wait, ok := l.Wait(0, 10_200*ms)
	assert.True(t, ok)
	assert.InDelta(t, 10_200*ms, wait, 1)
}

// A full bucket stays full however long no request comes.
func TestNoMoreThanFull(t *testing.T) {
	l := flowcontrol.NewTokenBucket(5, 10)
	assert.Equal(t, 200*ms, l.Take(11, 3_600_000*ms))
}

// Another request can take a token that came back before its wait ended.
func TestReturn(t *testing.T) {
	l := flowcontrol.NewTokenBucket(5, 1)
	l.Take(1, 0)
	due, _ := l.Wait(0, none)
	l.Return(100*ms, due)
	wait, _ := l.Wait(200*ms, none)
	assert.Zero(t, wait)
}

// Steady is one Take after the other, but for rounding.
func TestSteady(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		qps, burst, every, n := float32(1+r.Float64()*100), 1+r.Int64N(12), ms*(1+r.Int64N(300)), r.Int64N(60)
		one := flowcontrol.NewTokenBucket(qps, burst)
		from := ms * r.Int64N(1000)
		one.Take(r.Int64N(40), from/2)
		all := one
		for k := range n {
			one.Take(1, from+(k+1)*every)
		}
		all.Steady(n, from, every)
		end := from + n*every + r.Int64N(100*ms)
		require.InDelta(t, one.Take(1, end), all.Take(1, end), 10, "qps %g burst %d every %d n %d", qps, burst, every, n)
	}
}
