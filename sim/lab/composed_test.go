package lab

import (
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// The view that these tests read, composed as the bridge does. The tests of the view itself are in sim/view.

func (l *Lab) View() *protocol.View { return view.Of(l.Look(), l.Session()) }

func (l *Lab) Timeline(fromNs, toNs int64, widthPx int) *protocol.Timeline {
	return view.Timeline(l.Look(), fromNs, toNs, widthPx)
}

func (l *Lab) Events(around timeline.Cursor, from, count int, filter, node string) *protocol.Events {
	return view.Events(l.Look(), view.Rows{Around: around, From: from, Count: count, Filter: filter, Node: node})
}

func (l *Lab) Object(version int) (*protocol.ObjectView, error) {
	return view.Object(l.Look(), "", "", version)
}

func (l *Lab) ExplainChange(change int) (*protocol.Why, error) {
	return view.ExplainChange(l.Look(), change)
}

func (l *Lab) Cause(kind string, number int) (*protocol.Cause, error) {
	return view.Cause(l.Look(), kind, number)
}

func (l *Lab) PaceSpans(fromNs, toNs int64) []protocol.PaceSpan {
	return view.Pace(l.liveRun(), fromNs, toNs)
}

func (l *Lab) Comparison() *protocol.Comparison {
	c := l.TakeComparedRuns()
	if c == nil {
		return nil
	}
	return view.Compare(&c[0], &c[1])
}
