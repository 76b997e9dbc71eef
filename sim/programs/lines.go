package programs

import (
	"strings"

	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/trace"
)

// A program may print thousands of lines a second, and few of them explain anything. So a node keeps only the last few
// lines. They get into the record when one of them speaks of leader election, when a leader changes, and when the
// process ends.

// keptLines is how many lines a node keeps, and keptBytes how many bytes of each.
const (
	keptLines = 3
	keptBytes = 300
)

// NotePrint tells the cluster a line that the program has printed now.
func (n *Node) NotePrint(line string) {
	line = strings.TrimSpace(strings.ToValidUTF8(line[:min(len(line), keptBytes)], "?"))
	if line == "" {
		return
	}
	n.c.mu.Lock()
	n.lines = append(n.lines, conduct.Fact{AtNs: n.c.nowNs(), Node: n.index, Line: line})
	n.lines = n.lines[max(0, len(n.lines)-keptLines):]
	n.c.mu.Unlock()
	if conduct.SpeaksOfElection(line) {
		n.c.post(n, n.keepLines)
	}
}

// keepLines puts the node's last lines into the record. They do nothing to the world.
func (n *Node) keepLines() {
	for _, k := range n.lines {
		n.c.conduct.Hear(k)
		if n.c.options.Record != nil {
			n.c.options.Record(&replay.Call{AtNs: k.AtNs, Do: replay.CallPrints, Node: k.Node, Line: k.Line})
		}
	}
	n.lines = nil
}

// keepLines keeps the last lines of all nodes if a leader has changed.
func (c *Cluster) keepLines(records []trace.Record) {
	for i := range records {
		switch records[i].Kind {
		case trace.StartedLeading, trace.LeadingDone, trace.WorkDone, trace.Crashed:
			for n := range c.processes() {
				n.keepLines()
			}
		}
	}
}

// slackNs returns conduct.Fold.SlackNs: work in pieces counts for a while after the last piece.
func (o *Options) slackNs() int64 { return o.pieceLastsNs() + conduct.DefaultSlack/3 }

// Conduct returns what the programs have done wrong up to now, and what they have shown. Call it inside Judge.
func (c *Cluster) Conduct() *conduct.Fold { return &c.conduct }
