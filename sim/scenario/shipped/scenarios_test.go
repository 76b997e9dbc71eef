package shipped

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every file is in the list, opens with its intent, carries its own name and says what to watch.
func TestEveryFileIsShipped(t *testing.T) {
	entries, err := files.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, entries, len(order)+1, "and the folder of the museum")
	for i, s := range List() {
		source := Source(names()[i])
		assert.True(t, bytes.HasPrefix(source, []byte("# ")), "%s opens with a comment", s.Name)
		assert.Equal(t, names()[i], s.Name)
		assert.NotEmpty(t, s.Title, s.Name)
		if i < len(order) {
			assert.NotEmpty(t, s.Summary, s.Name)
		} else {
			assert.Empty(t, s.Summary, "%s is an exhibit: what to watch is museum.watch, and without a summary it stays out of the menu", s.Name)
			assert.NotNil(t, s.Museum, s.Name)
		}
		assert.NotEmpty(t, s.Expect, "%s is a test", s.Name)
	}
}

// What is true of a file is true of its canonical forms.
func TestCanonicalFormsAreEqual(t *testing.T) {
	for _, s := range List() {
		viaJSON, err := scenario.Decode(scenario.Encode(s))
		require.NoError(t, err, s.Name)
		assert.Equal(t, s, viaJSON)
		viaYAML, err := yaml.Decode(yaml.Encode(s))
		require.NoError(t, err, s.Name)
		assert.Equal(t, s, viaYAML)
	}
}

func TestJSONIsAnArrayOfScenarios(t *testing.T) {
	var each []json.RawMessage
	require.NoError(t, json.Unmarshal(JSON(), &each))
	require.Len(t, each, len(names()))
	for i, text := range each {
		s, err := scenario.Decode(text)
		require.NoError(t, err)
		assert.Equal(t, List()[i], s)
	}
}

func TestByName(t *testing.T) {
	s, ok := ByName("many")
	require.True(t, ok)
	assert.Len(t, scenario.Resolve(s).Candidates, 100)
	s.Candidates[0].Name = "changed"
	again, _ := ByName("many")
	assert.Equal(t, "node", again.Candidates[0].Name, "a caller's change must not reach the next caller")
	_, ok = ByName("nope")
	assert.False(t, ok)
	assert.Nil(t, Source("nope"))
}

// The opening story is a recorded run: these are the numbers of its schedule.
func TestALeaderDiesIsTheRecordedSchedule(t *testing.T) {
	s, ok := ByName("a-leader-dies")
	require.True(t, ok)
	r := scenario.Resolve(s)
	assert.Equal(t, uint64(1004), r.Seed)
	assert.Equal(t, scenario.StreamsRecorded, r.Streams)
	require.Len(t, r.Candidates, 3)
	want := []struct{ start, request, response time.Duration }{
		{11, 2000001, 3000003}, {137000018, 2001004, 3000780}, {274000025, 2002007, 3001557},
	}
	for i, c := range r.Candidates {
		assert.Equal(t, want[i].start, c.StartAt)
		assert.Equal(t, want[i].request, time.Duration(*c.Network.RequestLatency))
		assert.Equal(t, want[i].response, time.Duration(*c.Network.ResponseLatency))
		assert.Equal(t, 10*time.Second, time.Duration(*c.Elector.RenewDeadline))
		assert.Equal(t, 5*time.Second, time.Duration(*c.Elector.RequestTimeout))
		assert.Equal(t, c.Name, c.Identity)
		assert.Equal(t, strings.ToLower(c.Name), c.Name)
	}
	assert.Equal(t, scenario.Duration(20_000_000_013), r.Actions[0].At)
}

// The recording has a renewDeadline of 10 s less a nanosecond, because it could not break the tie between a deadline and
// a tick; the story has 10 s. The run is the same, record by record.
func TestTheNanosecondOfTheRecording(t *testing.T) {
	s, ok := ByName("a-leader-dies")
	require.True(t, ok)
	recorded, err := scenario.Set(s, "elector.renewDeadline", "9.999999999s")
	require.NoError(t, err)
	hash := func(s scenario.Scenario) trace.Hash {
		w := world.New(compile.Scenario(s))
		w.Run(int64(s.Duration), func([]trace.Record) {})
		return w.Hash()
	}
	assert.Equal(t, hash(recorded), hash(s))
}
