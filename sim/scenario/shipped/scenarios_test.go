package shipped

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/testsupport/recorded"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/elector"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every file is in the list, opens with its intent, carries its own name and says what to watch.
func TestEveryFileIsShipped(t *testing.T) {
	entries, err := files.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, entries, len(strings.Fields(order))+1, "and the folder of the museum")
	for i, s := range List() {
		source := Source(names()[i])
		assert.True(t, bytes.HasPrefix(source, []byte("# ")), "%s opens with a comment", s.Name)
		assert.Equal(t, names()[i], s.Name)
		assert.NotEmpty(t, s.Title, s.Name)
		if i < len(strings.Fields(order)) {
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

// The opening story is a recorded run, with the recording's numbers.
func TestALeaderDiesIsTheRecordedSchedule(t *testing.T) {
	s, ok := ByName("a-leader-dies")
	require.True(t, ok)
	data, err := recorded.Read("../../testsupport/recorded/elector/testdata/04-crash-failover.json.gz")
	require.NoError(t, err)
	schedule, _, err := elector.Parse(data)
	require.NoError(t, err)
	r := scenario.Resolve(s)
	assert.Equal(t, schedule.JitterSeed, r.Seed)
	assert.GreaterOrEqual(t, int64(r.Duration), schedule.DurationNs, "the story goes on after it")
	assert.Equal(t, scenario.StreamsRecorded, r.Streams)
	require.NotEmpty(t, schedule.Candidates)
	require.Len(t, r.Candidates, len(schedule.Candidates))
	for i, c := range r.Candidates {
		want := schedule.Candidates[i]
		assert.Equal(t, strings.ToLower(want.Name), c.Name)
		assert.Equal(t, c.Name, c.Identity)
		assert.Equal(t, want.StartNs, int64(c.StartAt))
		assert.Equal(t, want.ReqLatencyNs, int64(*c.Network.RequestLatency))
		assert.Equal(t, want.RespLatencyNs, int64(*c.Network.ResponseLatency))
		assert.Equal(t, want.LeaseDurationNs, int64(*c.Elector.LeaseDuration))
		assert.Equal(t, want.RenewDeadlineNs+1, int64(*c.Elector.RenewDeadline), "see TestTheNanosecondOfTheRecording")
		assert.Equal(t, want.RetryPeriodNs, int64(*c.Elector.RetryPeriod))
		assert.Equal(t, want.ClientTimeoutNs, int64(*c.Elector.RequestTimeout))
	}
	require.Len(t, schedule.Crashes, 1)
	require.Len(t, r.Actions, 1)
	assert.Equal(t, schedule.Crashes[0].AtNs, int64(r.Actions[0].At))
	assert.Equal(t, strings.ToLower(schedule.Crashes[0].Cand), r.Actions[0].Target)
}

// The recording has a renewDeadline of 10 s less a nanosecond, because it could not break the tie between a deadline
// and a tick; the story has 10 s. The run is the same, record by record, but for the margin of each term, which is a
// nanosecond longer.
func TestTheNanosecondOfTheRecording(t *testing.T) {
	s, ok := ByName("a-leader-dies")
	require.True(t, ok)
	recorded, err := scenario.Set(s, "elector.renewDeadline", "9.999999999s")
	require.NoError(t, err)
	records := func(s scenario.Scenario) (all []trace.Record) {
		world.New(compile.Scenario(s)).Run(int64(s.Duration), func(some []trace.Record) { all = append(all, some...) })
		return all
	}
	want, terms := records(recorded), 0
	for i := range want {
		if want[i].Kind == trace.StartedLeading {
			term := want[i].Term()
			term.MarginNs--
			want[i].Payload = term.Payload()
			terms++
		}
	}
	assert.Equal(t, 2, terms)
	assert.Equal(t, want, records(s))
}
