package link

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
)

// corpus is shared with the page's test, web/js/lib/share.test.js: each link with what both read in it. by says who
// wrote it.
type corpus []struct {
	By    string          `json:"by"`
	Link  string          `json:"link"`
	Share json.RawMessage `json:"share"`
}

func readCorpus(t *testing.T) corpus {
	text, err := os.ReadFile("testdata/links.json")
	require.NoError(t, err)
	var all corpus
	require.NoError(t, json.Unmarshal(text, &all))
	require.NotEmpty(t, all)
	return all
}

func TestReadsWhatThePageReads(t *testing.T) {
	for _, c := range readCorpus(t) {
		share, err := Read("https://example.com/lab/#" + c.Link)
		require.NoError(t, err, c.Link)
		want, err := readShare(c.Share)
		require.NoError(t, err)
		if text, isText := share.Scenario.(json.RawMessage); isText {
			assert.JSONEq(t, string(want.Scenario.(json.RawMessage)), string(text))
			share.Scenario, want.Scenario = nil, nil
		}
		assert.Equal(t, writeLink(t, &want.Share), writeLink(t, &share.Share), c.Link)
	}
}

func writeLink(t *testing.T, share *protocol.Share) string {
	text, err := canonical(share)
	require.NoError(t, err)
	return strings.NewReplacer(`"actions":[],`, "", `"patch":[],`, "", `"actions":null,`, "", `"patch":null,`,
		"").Replace(string(text))
}

func TestReadsWhatItWrites(t *testing.T) {
	whole := &protocol.Share{
		Scenario: json.RawMessage(`{"kind":"Scenario","title":"<a> & ü"}`),
		Patch:    []protocol.PatchEntry{{Path: "elector.retryPeriod", Value: "1s"}},
		Actions:  []json.RawMessage{json.RawMessage(`{"act":"crash","at":"20s","target":"b"}`)}, Seed: 1<<53 - 1,
		Engine: 2, Hash: "b16dd1e3f855a3f2",
		Cursor: timeline.Cursor{T: 40_000_000_001, N: -1}, Live: timeline.Cursor{T: 60e9, N: 3},
		Breakpoints: []protocol.Breakpoint{{Text: "active = 2"}},
	}
	text, err := Write(whole)
	require.NoError(t, err)
	assert.True(t, Is(text))
	again, err := Read("#" + text)
	require.NoError(t, err)
	assert.Equal(t, whole.Seed, *again.Seed)
	assert.Equal(t, writeLink(t, whole), writeLink(t, &again.Share))
}

func TestShortLinks(t *testing.T) {
	share, err := Read("http://127.0.0.1:8765/#a-leader-dies&t=40s&e=1m&seed=7")
	require.NoError(t, err)
	assert.Equal(t, "a-leader-dies", share.Scenario)
	assert.Equal(t, timeline.Cursor{T: 40e9, N: -1}, share.Cursor)
	assert.Equal(t, timeline.Cursor{T: 60e9, N: -1}, share.Live)
	assert.Equal(t, uint64(7), *share.Seed)
	share, err = Read("#s=crash&t=12.5")
	require.NoError(t, err)
	assert.Equal(t, "crash", share.Scenario)
	assert.Equal(t, int64(12_500_000_000), share.Live.T, "the live instant is never before the one shown")
	assert.Nil(t, share.Seed, "the scenario's own")
}

// A changed or cut link is an error, never another run.
func TestRefusesDamagedLinks(t *testing.T) {
	good := readCorpus(t)[0].Link
	for i := len(prefix); i < len(good); i++ {
		changed := []byte(good)
		changed[i] ^= 1
		_, err := Read(string(changed))
		assert.Error(t, err, "character %d", i)
		_, err = Read(good[:i])
		assert.Error(t, err, "cut at %d", i)
	}
	for _, text := range []string{"", "#", "#v1.", "#A B", "#a&t=x", "#a&t=-1s", "#a&seed=x", "#a&seed=-7",
		"#a&seed=9007199254740992", "v1.AAAA"} {
		_, err := Read(text)
		assert.Error(t, err, text)
	}
}

// A link with a part that leaselab does not know opens, and names that part.
func TestNamesWhatItDrops(t *testing.T) {
	short, err := Read("#crash&t=3s&speed=2&seed=4")
	require.NoError(t, err)
	assert.Equal(t, []string{"speed=2"}, short.Dropped)
	packed, err := readShare(
		[]byte(`{"scenario":"crash","seed":4,"rename":{"a":"b"},"compare":{},"edge":{"t":5,"n":0}}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"rename"}, packed.Dropped)
	assert.Equal(t, timeline.Cursor{T: 5}, packed.Live, "the live cursor of an earlier version")
}

func TestKnowsALinkFromAFile(t *testing.T) {
	for text, want := range map[string]bool{
		"http://127.0.0.1:8765/#a-leader-dies": true, "#crash&t=3s": true, "v1.abc": true, "crash": false,
		"a.yaml": false, "/tmp/a#b.yaml": false, "./a#b": false,
	} {
		assert.Equal(t, want, Is(text), text)
	}
}

// Any text is a link or an error.
func FuzzRead(f *testing.F) {
	f.Add("v1.abc")
	f.Add("#a-leader-dies&t=40s")
	f.Fuzz(func(t *testing.T, text string) {
		share, err := Read(text)
		if err == nil {
			require.NotNil(t, share.Scenario)
		}
	})
}
