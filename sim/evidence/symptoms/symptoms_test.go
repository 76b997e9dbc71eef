package symptoms

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

func ids(text string) (found []string) {
	for _, m := range Find(text).Matches {
		found = append(found, m.ID)
	}
	return found
}

// excerpt is what a user wrote, and the pages that a maintainer would send the user to.
type excerpt struct {
	ID, Source, Text string
	Right            []string
}

func excerptsOf(t *testing.T, file string) (all []excerpt) {
	data, err := os.ReadFile(filepath.Join("testdata", file))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &all))
	return all
}

// The excerpts come from the threads that expected.json names. A right page is among the matches of each.
func TestExcerpts(t *testing.T) {
	for _, e := range excerptsOf(t, "expected.json") {
		text, err := os.ReadFile(filepath.Join("testdata", e.ID+".txt"))
		require.NoError(t, err)
		assert.True(t, overlap(ids(string(text)), e.Right), "%s %s: %v, want one of %v", e.ID, e.Source, ids(string(text)), e.Right)
	}
}

// Of 84 more excerpts, written without knowledge of the clues, at most three miss the right page. Before any clue came
// from them, the first 48 had 29 right, and then the other 36 had 33.
func TestMoreExcerpts(t *testing.T) {
	var missed []string
	all := excerptsOf(t, "excerpts.json")
	for _, e := range all {
		if found := ids(e.Text); !overlap(found, e.Right) {
			missed = append(missed, fmt.Sprintf("%s: %v, want one of %v", e.Source, found, e.Right))
		}
	}
	assert.Len(t, all, 84)
	assert.LessOrEqual(t, len(missed), 3, "%s", strings.Join(missed, "\n"))
}

func overlap(a, b []string) bool {
	for _, one := range a {
		for _, other := range b {
			if one == other {
				return true
			}
		}
	}
	return false
}

// Every incident of the museum and every question has a record whose address is that of its page, and nothing else has.
func TestEveryPageHasARecord(t *testing.T) {
	pages := map[string][]string{}
	for _, e := range shipped.Catalogue() {
		if e.Catalogue != "" && e.Variant != "fixed" {
			name := e.Name
			if number := strings.ToLower(e.Catalogue) + "-"; !strings.HasPrefix(name, number) {
				name = number + name
			}
			pages[e.Catalogue] = append(pages[e.Catalogue], "incident/"+name)
		}
	}
	files, err := filepath.Glob("../../../web/docs/q/*.md")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		_, after, found := strings.Cut(string(data), "\nid: ")
		require.True(t, found, file)
		id, _, _ := strings.Cut(after, "\n")
		pages[id] = append(pages[id], "q/"+strings.TrimSuffix(filepath.Base(file), ".md"))
	}
	seen := map[string]bool{}
	for _, r := range load() {
		assert.False(t, seen[r.ID], "%s twice", r.ID)
		seen[r.ID] = true
		assert.Contains(t, pages[r.ID], r.Address)
		assert.NotEmpty(t, r.Title, r.ID)
		assert.NotEmpty(t, r.If, r.ID)
		assert.NotEmpty(t, r.phrases, r.ID)
		assert.NotEmpty(t, r.words, r.ID)
	}
	for id := range pages {
		assert.True(t, seen[id], "%s has no record", id)
	}
}

func TestNothingFits(t *testing.T) {
	for _, text := range []string{"", "\n\n", "hello", "panic: runtime error: index out of range [3] with length 3",
		"GET /index.html 200", strings.Repeat("x", 1<<16), "\x00\xff\xfe"} {
		a := Find(text)
		assert.Empty(t, a.Matches, text)
		assert.Empty(t, a.Question)
		assert.NotNil(t, a.Matches, "JSON has a list")
	}
}

// The question that tells matches apart names each of them; a single match needs none.
func TestQuestion(t *testing.T) {
	two := Find("client rate limiter Wait returned an error: context deadline exceeded; client-side throttling")
	require.Greater(t, len(two.Matches), 1)
	for _, m := range two.Matches {
		assert.Contains(t, two.Question, m.ID+" if "+m.If)
	}
	one := Find("loop_wait retry_timeout patroni")
	require.Len(t, one.Matches, 1)
	assert.Equal(t, "B31", one.Matches[0].ID)
	assert.Empty(t, one.Question)
}

// What a match says of the text stands in the text, and a word does not repeat a phrase.
func TestBecause(t *testing.T) {
	m := Find("E0506 Failed to release lock: Put https://x: the object has been modified").Matches[0]
	assert.Equal(t, "B33", m.ID)
	assert.Equal(t, "failed to release lock", m.Because[0])
	assert.NotContains(t, m.Because, "release")
}

// A standby that needs more than ten seconds for a Lease waits for the old one; one that gets it at once does not.
func TestWaitForTheOldLease(t *testing.T) {
	log := func(until string) string {
		return "I1205 23:59:55.1 leaderelection.go:245] attempting to acquire leader lease a/b...\n" +
			"I1205 " + until + ".2 leaderelection.go:255] successfully acquired lease a/b\n"
	}
	assert.Equal(t, "Q5", ids(log("00:00:20"))[0])
	slow, quick := Find(log("00:00:20")).Matches[0].score, 0.0
	for _, m := range Find(log("23:59:56")).Matches {
		if m.ID == "Q5" {
			quick = m.score
		}
	}
	assert.Greater(t, slow, quick)
	assert.False(t, waitsLong("attempting to acquire leader lease\nsuccessfully acquired lease"))
}

func TestStems(t *testing.T) {
	for a, b := range map[string]string{"releases": "released", "releasing": "release", "stopped": "stop", "retries": "retry",
		"renewing": "renewed", "throttling": "throttle", "classes": "class"} {
		assert.Equal(t, stem(a), stem(b), a)
	}
	assert.NotEqual(t, stem("lease"), stem("release"))
	assert.Equal(t, []string{"fail", "to", "renew", "leas"}, stemsOf("Failed to renew lease 1f2e3d4c5b6a"))
	assert.True(t, read("a b c d").has(pattern("a * d")))
	assert.False(t, read("a 1 2 3 4 5 6 7 d").has(pattern("a * d")), "seven words are too far apart")
	assert.True(t, read("a 1 2 3 4 5 6 7 d").has(pattern("a ** d")))
}

func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"title x":             "line 1: title comes before the first record",
		"B01 incident/x\nfoo": `line 2: "foo" is not an id, title, if, = or +`,
	} {
		_, err := parse(text)
		assert.EqualError(t, err, says)
	}
}

// Any text has an answer within the time of a keystroke, and no text makes Find fail.
func FuzzFind(f *testing.F) {
	f.Add("E0506 error retrieving resource lock: 12:34:56 * ** ~waits")
	f.Fuzz(func(t *testing.T, text string) {
		a := Find(text)
		assert.LessOrEqual(t, len(a.Matches), most)
		assert.Equal(t, len(a.Matches) < 2, a.Question == "")
	})
}
