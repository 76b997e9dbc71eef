package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/world"
)

// The recorded opening is the run that the page shows until its engine has loaded. It ends after the leader change at
// about 34 s, which is the first thing that a visitor should see.
const (
	openingScenario = "a-leader-dies"
	openingEnd      = int64(40 * time.Second)
)

// openingFile is the Opening of wasm/declare. Each frame contains the members that differ from the previous frame. A
// frame replaces whole arrays, and null deletes a member. With complete views, the file would be many times larger, and
// the visitor would wait longer for the first view.
type openingFile struct {
	Engine   int                    `json:"engine"`
	Hello    protocol.Hello         `json:"hello"`
	Frames   []map[string]any       `json:"frames"`
	Timeline *protocol.Timeline     `json:"timeline"`
	Events   *protocol.Events       `json:"events"`
	Objects  []*protocol.ObjectView `json:"objects"`
	Why      *protocol.Why          `json:"why"`
	Pace     []protocol.PaceSpan    `json:"pace"`
}

// openingCommand is the hidden `leaselab opening`: it prints the recorded opening as JSON to standard output, for `make
// site`. The page plays it with the same code as live views, so visitors do not notice the switch to the engine.
func openingCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "opening",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, err := recordOpening()
			if err != nil {
				return err
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(file)
		},
	}
}

// recordOpening plays the opening's scenario event by event and records a view at each event. It adds the engine's
// other answers for that span: timeline, events, versions of the Lease, the explanation of the last leader change,
// and the pace of playing. So the page can answer the first clicks without an engine.
func recordOpening() (*openingFile, error) {
	l := lab.New(shipped.List())
	if err := l.Open(lab.Opening{Name: openingScenario}); err != nil {
		return nil, err
	}
	file := &openingFile{Engine: world.Engine, Hello: protocol.NewHello(nil)}
	file.Hello.FieldHelp = slices.DeleteFunc(slices.Clone(file.Hello.FieldHelp), func(h protocol.FieldHelp) bool {
		return h.Kind != coordination.KindLease // leave out other objects, because every byte delays the first view
	})
	for _, s := range shipped.List() { // the engine brings the full list
		if s.Name == openingScenario {
			file.Hello.Scenarios = append(file.Hello.Scenarios, protocol.ScenarioInfo{Name: s.Name, Title: s.Title})
		}
	}
	var last map[string]any
	for t := int64(0); ; t = l.NextInstant(t) {
		if t > openingEnd {
			t = openingEnd
		}
		l.Show(t)
		frame := asMap(view.Of(l.Look(), l.Session()))
		file.Frames = append(file.Frames, difference(last, frame))
		last = frame
		if t == openingEnd {
			break
		}
	}
	file.Timeline = view.Timeline(l.Look(), 0, openingEnd, 1440)
	file.Events = view.Events(l.Look(), view.Rows{Around: timeline.Cursor{T: openingEnd, N: -1}, Count: 500})
	for version := 1; ; version++ {
		o, err := view.Object(l.Look(), "", "", version)
		if err != nil {
			break // that was the last event
		}
		file.Objects = append(file.Objects, o)
	}
	why, err := view.ExplainChange(l.Look(), len(file.Timeline.Changes)-1)
	if err != nil {
		return nil, err
	}
	file.Why = why
	file.Pace = view.Pace(l.Look().Run, 0, openingEnd)
	return file, nil
}

// asMap turns a view into its JSON tree, because differences between views are differences between their JSON.
func asMap(v any) map[string]any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: plain structs always encode
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		panic(err)
	}
	return m
}

// difference returns the patch that turns the map "before" into the map "after": changed members, and null for removed
// ones. It descends into objects but not into arrays. The format is RFC 7386, JSON Merge Patch, with its limitation: a
// member cannot become null.
func difference(before, after map[string]any) map[string]any {
	out := map[string]any{}
	for key, now := range after {
		was, had := before[key]
		nowMap, isMap := now.(map[string]any)
		wasMap, wasAMap := was.(map[string]any)
		switch {
		case had && isMap && wasAMap:
			if d := difference(wasMap, nowMap); len(d) > 0 {
				out[key] = d
			}
		case !had || !reflect.DeepEqual(was, now):
			out[key] = now
		}
	}
	for key := range before {
		if _, still := after[key]; !still {
			out[key] = nil
		}
	}
	return out
}
