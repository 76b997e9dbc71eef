package apiserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire/yaml"
)

// listForms are queries and Accept headers of lists.
var listForms = []string{
	" application/json", "?pretty=true application/json", "?limit=600 application/json", "?limit=600&pretty=true application/json",
	" application/yaml", "?limit=600 application/yaml", " application/json;as=Table;v=v1;g=meta.k8s.io",
	"?includeObject=Object&limit=600 application/json;as=Table;v=v1;g=meta.k8s.io", " application/yaml;as=Table;v=v1;g=meta.k8s.io",
	" application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", "?pretty=1 application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
}

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
		for _, form := range listForms {
			query, accept, _ := strings.Cut(form, " ")
			want := whole.do("GET", leasesA+query, "", "accept", accept)
			got := inParts.do("GET", leasesA+query, "", "accept", accept)
			if got.Parts == nil {
				require.LessOrEqual(t, i, 99, form)
			} else {
				require.Empty(t, got.Body)
				for part := range got.Parts {
					require.Less(t, len(part), 100_000)
				}
			}
			body := got.Whole().Body
			require.Equal(t, string(want.Body), string(body), "%d objects, %s", i+1, form)
			if again := whole.do("GET", leasesA+query, "", "accept", strings.Replace(accept, "yaml", "json", 1)); strings.Contains(accept, "yaml") {
				require.Equal(t, string(yaml.Print(again.Body)), string(body), form)
			}
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
	r, turns := c.do("DELETE", leasesA, ""), 1
	for left := all; r.Resume != nil; turns++ {
		remain := len(strings.Fields(names(t, c.do("GET", leasesA, ""))))
		require.LessOrEqual(t, left-remain, 200)
		left, r = remain, r.Resume()
	}
	require.Equal(t, 102, turns, "two pages of 50 turns, and what remains")
	require.Equal(t, 200, r.Status)
	require.Len(t, strings.Fields(names(t, r)), all)
	require.Empty(t, names(t, c.do("GET", leasesA, "")))
}

// names returns the names in a list, in parts or in one piece.
func names(t *testing.T, r apiserver.Response) string {
	t.Helper()
	var a answer
	require.NoError(t, json.Unmarshal(r.Whole().Body, &a))
	return a.names()
}
