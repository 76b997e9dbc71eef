package apiserver_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

func (c *client) many(n int) {
	c.t.Helper()
	for i := range n {
		c.make(leasesA, fmt.Sprintf(`{"metadata":{"name":"lease-%05d"},"spec":{"holderIdentity":"h","leaseDurationSeconds":15,"renewTime":"2026-01-01T00:00:00.000000Z"}}`, i))
	}
}

// pollAfter advances the clock and polls the watch.
func (c *client) pollAfter(d time.Duration, w *apiserver.Watch) string {
	c.t.Helper()
	c.now = c.now.Add(d)
	return c.pollText(w)
}

// A watch begins with the current state, after a revision, or now.
func TestWatchBegins(t *testing.T) {
	c := newClient(t)
	c.lease("b", "a") // revisions 4 and 5
	for query, want := range map[string]string{
		"":                       "ADDED a 5, ADDED b 4",
		"&resourceVersion=0":     "ADDED a 5, ADDED b 4",
		"&resourceVersion=4":     "ADDED a 5",
		"&resourceVersion=99":    "",
		"&allowWatchBookmarks=1": "ADDED a 5, ADDED b 4, BOOKMARK 5 initial-end",
		"&resourceVersion=4&allowWatchBookmarks=1":                                 "ADDED a 5",
		"&sendInitialEvents=true&resourceVersionMatch=NotOlderThan":                "ADDED a 5, ADDED b 4",
		"&sendInitialEvents=false&resourceVersionMatch=NotOlderThan":               "",
		"&sendInitialEvents=0&resourceVersionMatch=NotOlderThan&resourceVersion=0": "",
		"&sendInitialEvents=0&resourceVersionMatch=NotOlderThan&resourceVersion=4": "ADDED a 5",
		"&fieldSelector=metadata.name%3Da":                                         "ADDED a 5",
		"&timeoutSeconds=-1":                                                       "ERROR context deadline exceeded, end",
		"&timeoutSeconds=-1&resourceVersion=0":                                     "end",
	} {
		assert.Equal(t, want, c.pollText(c.watch(leasesA+"?watch=1"+query)), query)
	}
	// The legacy paths do not support the bookmark that ends the initial state.
	assert.Equal(t, "ADDED a 5, ADDED b 4", c.pollText(c.watch("/apis/coordination.k8s.io/v1/watch/leases?allowWatchBookmarks=1")))
}

func TestWatchFollows(t *testing.T) {
	c := newClient(t)
	w := c.watch(leasesA + "?watch=1&labelSelector=k")
	assert.Empty(t, c.pollText(w))
	c.make(leasesA, `{"metadata":{"name":"a","labels":{"k":""}}}`)
	c.make(leasesB, `{"metadata":{"name":"elsewhere","labels":{"k":""}}}`)
	c.lease("other")
	assert.Equal(t, "ADDED a 4", c.pollText(w))
	c.do("PUT", leasesA+"/a", `{"metadata":{"name":"a","resourceVersion":"4"}}`)
	assert.Equal(t, "DELETED a 7", c.pollText(w), "it left the selection")
	c.do("PUT", leasesA+"/a", `{"metadata":{"name":"a","resourceVersion":"7","labels":{"k":"x"}}}`)
	c.do("PUT", leasesA+"/a", `{"metadata":{"name":"a","resourceVersion":"8","labels":{"k":"y"}}}`)
	c.do("DELETE", leasesA+"/a", "")
	copied := *w
	assert.Equal(t, "ADDED a 8, MODIFIED a 9, DELETED a 10", c.pollText(w))
	assert.Equal(t, "ADDED a 8, MODIFIED a 9, DELETED a 10", c.pollText(&copied), "a copy continues independently")
	assert.Empty(t, c.pollText(w))
}

func TestWatchEnds(t *testing.T) {
	c := newClient(t)
	w := c.watch(leasesA + "?watch=1&timeoutSeconds=5")
	assert.Empty(t, c.pollText(w))
	assert.Equal(t, c.now.Add(5*time.Second), c.server.NextDeadline(w))
	assert.Empty(t, c.pollAfter(5*time.Second-1, w))
	assert.Equal(t, "end", c.pollAfter(1, w))
	assert.Equal(t, "end", c.pollText(w))

	w = c.watch(leasesA + "?watch=1")
	assert.Empty(t, c.pollText(w))
	end := c.server.NextDeadline(w).Sub(c.now)
	assert.True(t, end >= 30*time.Minute && end < time.Hour, "%s", end)
}

// The server sends bookmarks every minute and two seconds before the end, but only if the revision has changed.
func TestBookmarks(t *testing.T) {
	c := newClient(t)
	w := c.watch(leasesA + "?watch=1&resourceVersion=3&allowWatchBookmarks=1&timeoutSeconds=72")
	assert.Empty(t, c.pollText(w))
	start := c.now
	for _, want := range []string{"1m0s BOOKMARK 4", "1m10s BOOKMARK 4", "1m11s BOOKMARK 4", "1m12s end"} {
		c.now = c.server.NextDeadline(w)
		if want == "1m0s BOOKMARK 4" {
			c.make(leasesB, `{"metadata":{"name":"elsewhere"}}`)
		}
		assert.Equal(t, want, c.now.Sub(start).String()+" "+c.pollText(w))
	}

	idle := c.watch(leasesA + "?watch=1&resourceVersion=4&allowWatchBookmarks=1&timeoutSeconds=72")
	for said := ""; !strings.HasSuffix(said, "end"); {
		said = c.pollText(idle)
		assert.NotContains(t, said, "BOOKMARK")
		c.now = c.server.NextDeadline(idle)
	}

	list := c.watch(leasesA + "?watch=1&allowWatchBookmarks=1")
	assert.Equal(t, "BOOKMARK 4 initial-end", c.pollText(list))
	c.lease("a")
	assert.Equal(t, "ADDED a 5", c.pollText(list))
	assert.Equal(t, "BOOKMARK 5", c.pollAfter(time.Second, list), "the client waits for the first bookmark, so the next one comes soon")
	assert.Equal(t, c.now.Add(time.Minute), c.server.NextDeadline(list))
}

// A watch in place of a list waits for its revision.
func TestWatchWaits(t *testing.T) {
	c := newClient(t)
	const query = "?watch=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan&resourceVersion=5"
	reached := c.watch(leasesA + query)
	c.lease("a")
	assert.Empty(t, c.pollText(reached))
	c.lease("b")
	assert.Equal(t, "ADDED a 4, ADDED b 5", c.pollText(reached))

	missed := c.watch(leasesA + strings.TrimSuffix(query, "5") + "9")
	assert.Equal(t, c.now.Add(3*time.Second), c.server.NextDeadline(missed))
	assert.Equal(t, "ERROR Timeout: Too large resource version: 9, current: 5, end", c.pollAfter(3*time.Second, missed))
}

// A client that is too slow for the kept events gets an error, and costs nothing meanwhile.
func TestSlowWatch(t *testing.T) {
	c := newClient(t, func(config *apiserver.Config) { config.KeptEvents = 8 })
	slow, fast := c.watch(leasesA+"?watch=1"), c.watch(leasesA+"?watch=1")
	for i := range 40 {
		c.lease(fmt.Sprintf("l%02d", i))
		require.Equal(t, fmt.Sprintf("ADDED l%02d %d", i, i+4), c.pollText(fast))
	}
	assert.Regexp(t, `^ERROR too old resource version: 3 \(\d+\), end$`, c.pollText(slow))
	assert.Regexp(t, `^ERROR too old resource version: 4 \(\d+\), end$`, c.pollText(c.watch(leasesA+"?watch=1&resourceVersion=4")))
}

// A large initial state comes in several polls, all of one revision.
func TestLargeState(t *testing.T) {
	c := newClient(t)
	c.many(2500)
	w := c.watch(leasesA + "?watch=1&allowWatchBookmarks=1")
	c.lease("z")
	sizes := []int{}
	for c.server.NextDeadline(w).IsZero() {
		frames, ended := c.server.Poll(c.now, w)
		require.False(t, ended)
		sizes = append(sizes, len(frames))
	}
	assert.Equal(t, []int{1024, 1024, 452 + 1 + 1}, sizes)
}

// BenchmarkWatchers polls 1,000 watches, each of one Lease in the form of some client, after one write.
func BenchmarkWatchers(b *testing.B) {
	c := newClient(b, func(config *apiserver.Config) { config.KeptEvents = 1000 })
	c.many(1)
	var watches []*apiserver.Watch
	for range 1000 {
		watches = append(watches, c.watch(leasesA+"?watch=1&resourceVersion=4"))
	}
	revision := 4
	for b.Loop() {
		r := c.do("PUT", leasesA+"/lease-00000", fmt.Sprintf(`{"metadata":{"name":"lease-00000","resourceVersion":"%d"},"spec":{"leaseTransitions":%d}}`, revision, revision))
		if r.Status != 200 {
			b.Fatal(string(r.Body))
		}
		revision++
		for _, w := range watches {
			if frames, _ := c.server.Poll(c.now, w); len(frames) != 1 {
				b.Fatal(len(frames))
			}
		}
	}
}
