package export

import (
	"sort"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/words"
)

const (
	servedNs       = 5_000_000 // with this much time per pixel, a timeline says when the server served a request
	mostLinesWhole = 60        // a longer diagram combines the requests that change nothing
	mostLines      = 300       // the longest readable diagram; GitHub draws at most 50,000 characters
	mostNodes      = 24
)

// step is a line of a sequence diagram. A quiet request has no line; a note counts it together with others.
type step struct {
	atNs  int64
	order int    // order among steps at the same instant
	line  string // "" for a quiet request
	node  int    // which node sent the quiet request
	write bool   // the quiet request is a write
}

// The order of steps at the same instant.
const (
	// An answer comes before what it causes, and a request comes after what causes it: a follower that reads an
	// expired Lease gets the answer, becomes leader, and sends its write, all in one instant.
	answered = iota
	happened
	lasted
	violated
	sent
)

// diagram collects the steps of a sequence diagram.
type diagram struct {
	t            *protocol.Timeline
	fromNs, toNs int64
	nodes        []int // the nodes in the diagram
	steps        []*step
}

// Mermaid writes the requests of a span as a sequence diagram, with other events as notes. Mermaid returns an error
// if an instant is outside the run, or if a diagram would be too large. If a span has more than mostLinesWhole lines,
// Mermaid combines routine requests into notes such as "a reads the Lease 3 times". It keeps the arrows of requests
// that led to a leader, and of every failed request. If the diagram still exceeds mostLines or mostNodes, the error
// asks for a shorter span.
func Mermaid(look timeline.Look, o Options) (string, error) {
	if err := o.check(look); err != nil {
		return "", err
	}
	d := diagram{fromNs: o.FromNs, toNs: min(o.ToNs, look.Live.T)}
	d.t = view.Timeline(look, d.fromNs, d.toNs, int((d.toNs-d.fromNs)/servedNs)+1)
	d.requests(false)
	d.notes()
	if len(d.steps) > mostLinesWhole {
		d.steps, d.nodes = nil, nil
		d.requests(true)
		d.notes()
	}
	sort.SliceStable(d.steps, func(i, k int) bool {
		a, b := d.steps[i], d.steps[k]
		return a.atNs < b.atNs || a.atNs == b.atNs && a.order < b.order
	})
	lines := d.lines()
	if !d.t.Detail || len(lines) > mostLines || len(d.nodes) > mostNodes {
		return "", &scenario.FieldError{Path: "to", Rule: "a shorter span",
			Message: "this span has more requests than a readable diagram; choose a shorter one"}
	}
	w := writer{}
	w.line("sequenceDiagram")
	w.line("  %% ", forComment(title(look)), " · ", forComment(smallPrint(look, o)))
	if o.Link != "" {
		w.line("  %% ", address(o.Link))
	}
	for _, node := range d.nodes {
		w.line("  participant ", participant(node), " as ", forMermaid(d.t.Lanes[node].Node))
	}
	w.line("  participant api as API server")
	for _, line := range lines {
		w.line("  ", line)
	}
	return string(w.out), nil
}

func participant(node int) string { return "n" + words.Number(int64(node)) }

// add adds a line at an instant of the span.
func (d *diagram) add(atNs int64, order int, line, text string) {
	if atNs >= d.fromNs && atNs <= d.toNs {
		d.steps = append(d.steps, &step{atNs: atNs, order: order, line: line + ": " + words.Instant(atNs) + " " +
			forMermaid(text)})
	}
}

// noteOverAll returns the beginning of a note over all nodes.
func (d *diagram) noteOverAll() string {
	if len(d.nodes) == 0 {
		return "Note over api"
	}
	return "Note over " + participant(d.nodes[0]) + ",api"
}

// `notes` adds everything except requests: landmarks, gaps, overlaps and violations.
func (d *diagram) notes() {
	over := d.noteOverAll()
	for i := range d.t.Landmarks {
		if m := &d.t.Landmarks[i]; m.Kind != "violation" {
			d.add(m.T, happened, over, m.Text)
		}
	}
	for i := range d.t.Bands {
		b := &d.t.Bands[i]
		what := "nobody leads for "
		switch b.Kind {
		case "two":
			what = "2 active leaders for "
		case "idle":
			what = "the leader is paused and does no work for "
		}
		what += words.Seconds(b.To - b.From)
		if b.Open {
			what += " so far"
		}
		d.add(b.From, lasted, over, what)
	}
	for i := range d.t.Violations {
		d.add(d.t.Violations[i].From, violated, over, "violation: "+d.t.Violations[i].Rule)
	}
}

// `requests` adds the requests of all nodes. With fold, requests that change nothing are quiet.
func (d *diagram) requests(fold bool) {
	for node := range d.t.Lanes {
		occurs := false
		for i := range d.t.Lanes[node].Ticks {
			k := &d.t.Lanes[node].Ticks[i]
			if k.T < d.fromNs || k.T > d.toNs {
				continue
			}
			occurs = true
			if fold && k.Outcome == "ok" && !d.leadsAt(k.End) {
				d.steps = append(d.steps, &step{atNs: k.T, order: sent, node: node, write: k.Write})
			} else {
				d.exchange(participant(node), k)
			}
		}
		if occurs {
			d.nodes = append(d.nodes, node)
		}
	}
}

// exchange adds a request and its answer. The arrow of a request that the server never received ends in a cross at
// the API server. The arrow of a lost answer ends in a cross at the client. The client cannot tell the two apart, but
// the diagram shows where the message got lost.
func (d *diagram) exchange(client string, k *timeline.Tick) {
	verb, answer := "GET", k.Outcome
	switch k.Verb {
	case "create":
		verb = "POST"
	case "update":
		verb = "PUT"
	}
	arrow, back := "->>api", "api-->>"
	switch {
	case answer == "lost":
		answer = "no answer"
		if k.Served == 0 {
			arrow = "-xapi"
		} else {
			back = "api--x"
		}
	case k.Error != "":
		answer = k.Error
	case k.Version > 0:
		answer += ", version " + words.Number(int64(k.Version))
	}
	d.add(k.T, sent, client+arrow, verb)
	if answer != "open" {
		d.add(k.End, answered, back+client, answer)
	}
}

// leadsAt reports whether a node starts leading at an instant.
func (d *diagram) leadsAt(ns int64) bool {
	for i := range d.t.Landmarks {
		if m := &d.t.Landmarks[i]; m.Kind == "leader" && m.T == ns {
			return true
		}
	}
	return false
}

// `lines` writes the steps. Consecutive quiet requests become one note. A note counts the requests of each node, in the
// order of the lanes.
func (d *diagram) lines() []string {
	var lines []string
	reads, writes := make([]int, len(d.t.Lanes)), make([]int, len(d.t.Lanes))
	for i, s := range d.steps {
		if s.line != "" {
			lines = append(lines, s.line)
			continue
		}
		if s.write {
			writes[s.node]++
		} else {
			reads[s.node]++
		}
		if i+1 < len(d.steps) && d.steps[i+1].line == "" {
			continue
		}
		said := ""
		for _, node := range d.nodes {
			for _, one := range [...]struct {
				counts []int
				verb   string
			}{{writes, " writes the Lease "}, {reads, " reads the Lease "}} {
				if n := one.counts[node]; n > 0 {
					said += ", " + d.t.Lanes[node].Node + one.verb + words.Times(n)
					one.counts[node] = 0
				}
			}
		}
		lines = append(lines, d.noteOverAll()+": "+forMermaid(said[2:]))
	}
	return lines
}
