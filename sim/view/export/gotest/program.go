package gotest

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// programText contains the code for what a scenario's processes do besides running their electors. Settings that
// differ between candidates become a switch over the node's name.
type programText struct {
	drains            []drain // drains by candidate
	limits            []limit
	releasesAfterWork bool
}

type drain struct {
	name                   string
	afterCancel, afterLoss time.Duration
	onLoss                 string
}

type limit struct {
	name  string
	qps   float64
	burst int
}

// programOf reads the settings of all candidates, including candidates that join later.
func programOf(s scenario.Scenario) *programText {
	p := &programText{}
	all := scenario.Resolve(s).Candidates
	for i := range s.Actions {
		if c := s.Actions[i].Candidate; c != nil {
			all = append(all, scenario.ResolveCandidate(s, *c)...)
		}
	}
	for i := range all {
		c := &all[i]
		d := drain{c.Name, length(c.Process.DrainAfterCancel), length(c.Process.DrainAfterLoss), c.Process.OnLoss}
		if d.afterCancel > 0 || d.afterLoss > 0 || d.onLoss != "" {
			p.drains = append(p.drains, d)
		}
		if c.Client.QPS != nil && *c.Client.QPS > 0 {
			p.limits = append(p.limits, limit{c.Name, *c.Client.QPS, *c.Client.Burst})
		}
		p.releasesAfterWork = p.releasesAfterWork || is(c.Elector.ReleaseAfterWork)
	}
	return p
}

// `options` returns the other arguments of electiontest.Run, each on a separate line. A program may break the allowed
// rules.
func (p *programText) options(allowed []string, indent string) string {
	var b strings.Builder
	if len(allowed) > 0 {
		fmt.Fprintf(&b, ",\n\t\t%selectiontest.Allow(%s)", indent, quoted(allowed))
	}
	if longest := p.longest(); longest >= time.Minute {
		fmt.Fprintf(&b, ",\n\t\t%selectiontest.Grace(%d*time.Minute)", indent, int(longest/time.Minute)+3)
	}
	return b.String()
}

// longest returns how long the work may go on after its context has ended.
func (p *programText) longest() (longest time.Duration) {
	for _, d := range p.drains {
		longest = max(longest, d.afterCancel, d.afterLoss)
	}
	return longest
}

// programCode is the program. Some lines are only for work after which the elector releases the Lease, and some only
// for other work.
//
//go:embed program.txt
var programCode string

// text returns the program as a variable of the test. node is the type of a process.
func (p *programText) text(node string) string {
	var limits strings.Builder
	if len(p.limits) > 0 {
		limits.WriteString("\t\tswitch n.Name() {\n")
		for _, l := range p.limits {
			fmt.Fprintf(&limits, "\t\tcase %q:\n\t\t\tconfig.QPS, config.Burst = %v, %d\n", l.name, l.qps, l.burst)
		}
		limits.WriteString("\t\t}\n")
	}
	text := programCode
	for _, place := range []string{"begin", "work"} {
		text = keepIf(keepIf(text, place+"-releases", p.releasesAfterWork), place+"-plain", !p.releasesAfterWork)
	}
	return strings.NewReplacer("NODE", node, "LIMITS\n", limits.String(), "DRAINS\n", p.drainText()).Replace(text)
}

// keepIf removes the two marks of a part from a text, and the part itself if the text should not have it.
func keepIf(text, part string, keep bool) string {
	before, rest, _ := strings.Cut(text, "//+"+part+"\n")
	inside, after, _ := strings.Cut(rest, "//-"+part+"\n")
	if keep {
		before += inside
	}
	return before + after
}

// drainText returns the code of work that continues after its context ends.
func (p *programText) drainText() string {
	if len(p.drains) == 0 {
		return ""
	}
	var b strings.Builder
	const in = "\t\t\t\t\t"
	line := func(tabs int, format string, args ...any) {
		b.WriteString(in + strings.Repeat("\t", tabs) + fmt.Sprintf(format, args...) + "\n")
	}
	line(0, "switch n.Name() { // the work goes on for a while")
	for _, d := range p.drains {
		line(0, "case %q:", d.name)
		switch {
		case d.onLoss == scenario.OnLossIgnore:
			line(1, "<-ctx.Done()")
			line(1, "time.Sleep(%s)", goDuration(d.afterCancel))
		case d.onLoss == scenario.OnLossExit || d.afterLoss == 0:
			line(1, "if ctx.Err() != nil { // cancelled, not lost")
			line(2, "time.Sleep(%s)", goDuration(d.afterCancel))
			line(1, "}")
		case d.afterCancel == d.afterLoss:
			line(1, "time.Sleep(%s)", goDuration(d.afterLoss))
		default:
			line(1, "if ctx.Err() != nil { // cancelled")
			line(2, "time.Sleep(%s)", goDuration(d.afterCancel))
			line(1, "} else { // lost")
			line(2, "time.Sleep(%s)", goDuration(d.afterLoss))
			line(1, "}")
		}
	}
	line(0, "}")
	return b.String()
}

// goDuration formats a duration as Go code.
func goDuration(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "time.Hour"}, {time.Minute, "time.Minute"}, {time.Second, "time.Second"},
		{time.Millisecond, "time.Millisecond"}} {
		if d != 0 && d%unit.length == 0 {
			return fmt.Sprintf("%d * %s", d/unit.length, unit.name)
		}
	}
	return fmt.Sprintf("%d", d)
}
