package apiserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

// A long list in parts equals the list in one piece, in every form that has parts, and no part is long.
func TestListInParts(t *testing.T) {
	whole := newClient(t)
	inParts := newClient(t, func(c *apiserver.Config) { c.InParts = true })
	for i := range 1001 {
		for _, c := range []*client{whole, inParts} {
			c.make(leasesA, fmt.Sprintf(`{"metadata":{"name":"x%d","annotations":{"a":"<%d>"}},"spec":{"holderIdentity":"é"}}`, i, i))
		}
		if n := i + 1; n != 100 && n != 101 && n != 600 && n != 1001 {
			continue
		}
		for _, query := range []string{"", "?pretty=true", "?limit=600", "?limit=600&pretty=true"} {
			want := whole.do("GET", leasesA+query, "")
			got := inParts.do("GET", leasesA+query, "")
			var body []byte
			if got.Parts == nil {
				require.LessOrEqual(t, i, 99)
				body = got.Body
			} else {
				require.Empty(t, got.Body)
				for part := range got.Parts {
					require.Less(t, len(part), 400_000)
					body = append(body, part...)
				}
			}
			require.Equal(t, string(want.Body), string(body), "%d objects, %s", i+1, query)
			require.Equal(t, want.Status, got.Status)
			require.Equal(t, want.Header, got.Header)
		}
	}
	require.Nil(t, inParts.do("HEAD", leasesA, "").Parts)
	for part := range inParts.do("GET", leasesA, "").Parts {
		require.True(t, bytes.HasPrefix(part, []byte(`{"kind":"LeaseList"`)))
		break // the client never reads the rest
	}
}

// A poll ends after about a megabyte even if more frames wait. It neither loses nor repeats frames.
func TestPollsAreShort(t *testing.T) {
	c := newClient(t)
	w := c.watch(leasesA + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
	c.pollText(w)
	fill := strings.Repeat("x", 200_000)
	for i := range 20 {
		c.make(leasesA, fmt.Sprintf(`{"metadata":{"name":"x%d","annotations":{"a":%q}}}`, i, fill))
	}
	initial := c.watch(leasesA + "?watch=1")
	for _, w := range []*apiserver.Watch{w, initial} {
		polls, frames := 0, 0
		for frames < 20 {
			told, _ := c.server.Poll(c.now, w)
			require.NotEmpty(t, told)
			require.LessOrEqual(t, len(told), 6)
			frames, polls = frames+len(told), polls+1
			if frames < 20 {
				require.Zero(t, c.server.NextDeadline(w), "the next poll is due at once")
			}
		}
		require.Equal(t, 20, frames)
	}
}

// The server deletes a large collection page by page and can answer other requests in between. The answer is still the
// complete list.
func TestDeletionOfACollectionInPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it creates 20,001 Leases: runs without -short")
	}
	c := newClient(t, func(c *apiserver.Config) { c.InParts = true })
	const all = 20_001
	for i := range all {
		c.make(leasesA, fmt.Sprintf(`{"metadata":{"name":"x%05d"}}`, i))
	}
	left := []int{10_001, 1}
	r := c.do("DELETE", leasesA, "")
	for _, n := range left {
		require.NotNil(t, r.Resume)
		require.Len(t, strings.Fields(names(t, c.do("GET", leasesA, ""))), n)
		r = r.Resume()
	}
	require.Nil(t, r.Resume)
	require.Equal(t, 200, r.Status)
	require.Len(t, strings.Fields(names(t, r)), all)
	require.Empty(t, names(t, c.do("GET", leasesA, "")))
}

// names returns the names in a list, in parts or in one piece.
func names(t *testing.T, r apiserver.Response) string {
	t.Helper()
	body := r.Body
	if r.Parts != nil {
		for part := range r.Parts {
			body = append(body, part...)
		}
	}
	var a answer
	require.NoError(t, json.Unmarshal(body, &a))
	return a.names()
}
