package electiontest

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
)

// watch waits for the end of the bubble and returns its result. If virtual time does not pass, watch names the
// goroutine that blocks it. Then it abandons the bubble, because nothing can end a goroutine from outside.
func (b *bubble) watch() *Result {
	select {
	case <-b.began:
	case <-b.ended:
		return b.result
	}
	c := b.cluster
	ticker := time.NewTicker(max(b.patience/20, time.Millisecond))
	defer ticker.Stop()
	turns, since := c.of.Turns(), time.Now()
	for {
		select {
		case <-b.ended:
			return b.result
		case now := <-ticker.C:
			if t := c.of.Turns(); t != turns {
				turns, since = t, now
				continue
			}
			if now.Sub(since) < b.patience {
				continue
			}
			c.abandoned.Store(true)
			return &Result{Seed: c.scenario.Seed, report: fmt.Sprintf(
				"electiontest: virtual time has stopped for %s, because a goroutine of the program does not wait for "+
					"virtual time. It runs without a pause, or waits for "+
					"something outside the bubble: a socket, a mutex, a channel made before Run, such as the test's "+
					"own context.\n%s", b.patience, blocking(b.id),
			)}
		}
	}
}

// goroutines returns the stacks of the goroutines in a bubble.
func goroutines(bubble string) (stacks []string) {
	for size := 1 << 16; ; size *= 4 {
		text := make([]byte, size)
		n := runtime.Stack(text, true)
		if n == size && size < 1<<26 {
			continue
		}
		for stack := range strings.SplitSeq(string(text[:n]), "\n\n") {
			if bubbleOf(stack) == bubble {
				stacks = append(stacks, stack)
			}
		}
		return stacks
	}
}

// bubbleOf returns the number of the bubble in the header of a stack, or "".
func bubbleOf(stack string) string {
	header, _, _ := strings.Cut(stack, "\n")
	_, rest, inside := strings.Cut(header, "synctest bubble ")
	if !inside {
		return ""
	}
	return strings.TrimRight(strings.TrimSuffix(rest, ":"), "]")
}

func ownStack() string {
	text := make([]byte, 1<<12)
	return string(text[:runtime.Stack(text, false)])
}

// blocking returns the goroutines that keep a bubble's time from passing.
func blocking(bubble string) string {
	return strings.Join(elements.If(goroutines(bubble), func(stack string) bool {
		header, _, _ := strings.Cut(stack, "\n")
		return !strings.Contains(header, "(durable)") && !strings.Contains(header, "synctest.Run")
	}), "\n\n")
}

// own lists the functions of the goroutines that belong to the test itself.
var own = []string{"testing/synctest.Test.func1(", "electiontest.(*bubble).drive", "internal/synctest.Run("}

// remaining returns the goroutines that the program has left in a bubble.
func remaining(bubble string) string {
	return strings.Join(elements.If(goroutines(bubble), func(stack string) bool {
		stack, _, _ = strings.Cut(stack, "created by")
		return !slices.ContainsFunc(own, func(name string) bool { return strings.Contains(stack, name) })
	}), "\n\n")
}
