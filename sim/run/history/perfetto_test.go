package history_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/scenario"
)

// traceEvent has every member of the events that the format allows for the phases that leaselab writes.
type traceEvent struct {
	Name, Cat, Ph string
	Ts            json.Number
	Dur           *json.Number
	Pid, Tid      *int
	ID            int
	Bp, S         string
	Args          map[string]any
	at, end       int64 // nanoseconds
}

// checkTrace is a strict reader of the Trace Event Format:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU, "JSON Object Format", "Complete
// Events", "Instant Events", "Counter Events", "Metadata Events" and "Flow Events". To the rules of the format it adds
// those whose breach Perfetto's trace_processor counts as an error (src/trace_processor/storage/stats.h): slices of a
// thread nest or do not touch (misplaced_end_event), a flow lies in a slice of its thread (flow_no_enclosing_slice), an
// id begins once and ends (flow_duplicate_id, flow_end_without_start).
func checkTrace(t *testing.T, file string) []traceEvent { t.Helper(); return checkTraceWith(t, file) }

func checkTraceWith(t require.TestingT, file string) []traceEvent {
	d := json.NewDecoder(strings.NewReader(file))
	d.DisallowUnknownFields()
	d.UseNumber()
	var whole struct {
		TraceEvents     []traceEvent
		DisplayTimeUnit string
		OtherData       map[string]string
	}
	require.NoError(t, d.Decode(&whole))
	require.False(t, d.More())
	assert.Contains(t, []string{"ms", "ns"}, whole.DisplayTimeUnit)
	members := map[string][]string{
		"X": {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"},
		"i": {"name", "cat", "ph", "ts", "pid", "tid", "s", "args"},
		"C": {"name", "ph", "ts", "pid", "tid", "args"}, "M": {"name", "ph", "ts", "pid", "tid", "args"},
		"s": {"name", "cat", "ph", "ts", "pid", "tid", "id"},
		"f": {"name", "cat", "ph", "ts", "pid", "tid", "id", "bp"},
	}
	var raw struct{ TraceEvents []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(file), &raw))
	for i := range whole.TraceEvents {
		e := &whole.TraceEvents[i]
		allowed, known := members[e.Ph]
		require.True(t, known, "phase %q", e.Ph)
		for member := range raw.TraceEvents[i] {
			require.Contains(t, allowed, member, e.Name)
		}
		require.NotEmpty(t, e.Name)
		require.NotNil(t, e.Pid)
		require.NotNil(t, e.Tid)
		e.at = nanos(t, e.Ts)
		if e.Ph == "X" {
			require.NotNil(t, e.Dur, e.Name)
			e.end = e.at + nanos(t, *e.Dur)
			require.Greater(t, e.end, e.at, e.Name)
		}
		if e.Ph == "i" {
			require.Contains(t, []string{"g", "p", "t"}, e.S)
		}
	}
	checkSlicesAndFlows(t, whole.TraceEvents)
	checkNames(t, whole.TraceEvents)
	return whole.TraceEvents
}

func nanos(t require.TestingT, micros json.Number) int64 {
	f, err := micros.Float64()
	require.NoError(t, err)
	ns := math.Round(f * 1000)
	require.InDelta(t, ns, f*1000, 0.01, "a whole number of nanoseconds")
	return int64(ns)
}

func checkSlicesAndFlows(t require.TestingT, all []traceEvent) {
	open := map[[2]int][]*traceEvent{}
	began, ended := map[string]*traceEvent{}, map[string]bool{}
	var last int64
	for i := range all {
		e := &all[i]
		if e.Ph == "M" {
			continue
		}
		require.GreaterOrEqual(t, e.at, last, "in order of time, so that a flow never stands before its slice")
		last = e.at
		track := [2]int{*e.Pid, *e.Tid}
		stack := open[track]
		for len(stack) > 0 && stack[len(stack)-1].end <= e.at {
			stack = stack[:len(stack)-1]
		}
		switch e.Ph {
		case "X":
			if len(stack) > 0 {
				require.LessOrEqual(t, e.end, stack[len(stack)-1].end, "%s of %v crosses the end of %s", e.Name, track,
					stack[len(stack)-1].Name)
			}
			stack = append(stack, e)
		case "s", "f":
			require.NotEmpty(t, stack, "a flow lies in a slice: %s at %d of %v", e.Ph, e.at, track)
			id := fmt.Sprint(e.Cat, " ", e.ID)
			require.NotZero(t, e.ID)
			if e.Ph == "s" {
				require.Nil(t, began[id], "one beginning")
				began[id] = e
			} else {
				require.Equal(t, "e", e.Bp)
				require.NotNil(t, began[id], "an end has its beginning before it")
				require.Equal(t, began[id].Name, e.Name)
				require.LessOrEqual(t, began[id].at, e.at)
				require.False(t, ended[id])
				ended[id] = true
			}
		}
		open[track] = stack
	}
	assert.Len(t, ended, len(began), "every flow ends")
}

// checkNames demands a name for every process and thread with events, once.
func checkNames(t require.TestingT, all []traceEvent) {
	named := map[string]bool{}
	for i := range all {
		if e := &all[i]; e.Ph == "M" && strings.HasSuffix(e.Name, "_name") {
			key := fmt.Sprint(e.Name, *e.Pid, *e.Tid)
			require.False(t, named[key], key)
			named[key] = true
			require.NotEmpty(t, e.Args["name"])
		}
	}
	for i := range all {
		if e := &all[i]; e.Ph != "M" {
			require.True(t, named[fmt.Sprint("process_name", *e.Pid, 0)], e.Name)
			require.True(t, e.Ph == "C" || named[fmt.Sprint("thread_name", *e.Pid, *e.Tid)], e.Name)
		}
	}
}

func perfettoOf(t *testing.T, h *history.History) string {
	return text(t, func(b *bytes.Buffer) error { return h.Perfetto(b) })
}

// The trace of every run is what the format and trace_processor accept, with a slice for each request and each holder.
func TestPerfetto(t *testing.T) {
	eachHistory(t, func(t *testing.T, _ scenario.Scenario, h history.History) {
		all := checkTrace(t, perfettoOf(t, &h))
		count := func(ph, cat string) (n int) {
			for i := range all {
				if all[i].Ph == ph && all[i].Cat == cat {
					n++
				}
			}
			return n
		}
		served, flows := 0, 0
		for _, q := range h.Requests {
			if q.ServedNs != history.Open {
				served++
				flows++
				if q.EndedNs > q.ServedNs {
					flows++
				}
			}
		}
		assert.Equal(t, len(h.Requests), count("X", "request"))
		assert.Equal(t, served, count("X", "served"))
		assert.LessOrEqual(t, count("s", "message"), flows)
		assert.GreaterOrEqual(t, count("s", "message"), served/2)
		assert.Equal(t, len(h.Holders), count("X", "holder"))
		assert.Equal(t, len(h.Roles), count("X", "role"))
	})
}

// A checker that accepts anything proves nothing: it must find each broken rule.
func TestTheCheckerFindsBrokenTraces(t *testing.T) {
	good := `{"traceEvents":[{"name":"process_name","ph":"M","ts":0,"pid":1,"tid":0,"args":{"name":"p"}},{"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":2,"args":{"name":"t"}},` +
		`{"name":"a","cat":"c","ph":"X","ts":1,"dur":5,"pid":1,"tid":2},{"name":"b","cat":"c","ph":"X","ts":2,"dur":1.5,"pid":1,"tid":2},` +
		`{"name":"m","cat":"c","ph":"s","ts":3,"pid":1,"tid":2,"id":1},{"name":"m","cat":"c","ph":"f","ts":4,"pid":1,"tid":2,"id":1,"bp":"e"}],"displayTimeUnit":"ms","otherData":{}}`
	checkTrace(t, good)
	for _, change := range [][2]string{
		{`"dur":1.5`, `"dur":9`}, {`"ph":"f","ts":4`, `"ph":"f","ts":7`}, {`"id":1,"bp"`, `"id":2,"bp"`},
		{`"bp":"e"`, `"bp":"x"`}, {`"dur":5`, `"dur":-5`},
		{`"ph":"X","ts":2`, `"ph":"Q","ts":2`}, {`"displayTimeUnit":"ms"`, `"displayTimeUnit":"h"`},
		{`"ts":3`, `"ts":0.5`}, {`"otherData":{}`, `"other":{}`},
		{`"name":"thread_name"`, `"name":"thread_sort_index"`}, {`"ts":1,"dur":5`, `"ts":1,"dur":5,"scope":"t"`},
	} {
		require.Contains(t, good, change[0])
		inner := &failing{}
		inner.run(func() { checkTraceWith(inner, strings.Replace(good, change[0], change[1], 1)) })
		assert.True(t, inner.failed, change[1])
	}
}

// failing is a test that must fail.
type failing struct{ failed bool }

func (f *failing) Errorf(string, ...any) { f.failed = true }

func (f *failing) FailNow() { f.failed = true; panic(f) }

func (f *failing) run(test func()) {
	defer func() {
		if ended := recover(); ended != nil && ended != any(f) {
			panic(ended)
		}
	}()
	test()
}

// Names of nodes do not break a text.
func TestHostileNames(t *testing.T) {
	names := []string{"a b", "a_b", `"quoted"`, "{x}", "two\nlines", "API server", "日本語", "<b>", "", "a,b"}
	h := history.History{Title: "x\ny", Lease: "d/\"e\"", ToNs: 10e9, Nodes: names}
	for i := range names {
		at := int64(i+1) * 1e8
		h.Requests = append(h.Requests, history.Request{Node: i, Verb: "update", Result: "success", SentNs: at,
			ServedNs: at + 5, EndedNs: at + 9})
		h.Roles = append(h.Roles, history.Span{Node: i, Says: "leads", FromNs: at, ToNs: history.Open})
		h.Events = append(h.Events, history.Event{Node: names[i], Kind: "lead", Events: []string{"startedLeading"},
			Text: "starts\nleading {\"x\":1}"})
	}
	h.Holders = []history.Span{{Node: history.APIServer, Says: "two\nlines", FromNs: 0, ToNs: history.Open}}
	checkTrace(t, perfettoOf(t, &h))
}
