package coordinated

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
)

// decisionLines returns a decision in words: a headline, then the steps. The parameter "when" is a function that formats
// instants.
func decisionLines(d *coordinator.Decision, symbols *coordination.Symbols, when func(coordination.MicroTime) string) []string {
	text := symbols.Text
	head := fmt.Sprintf("%s: %s", text(d.Key.Name), d.Outcome)
	if d.RequeueNs > 0 {
		head += fmt.Sprintf("; again in %s", time.Duration(d.RequeueNs))
	}
	lines := []string{head}
	if d.Need != coordinator.NeedUnknown {
		word := "no election"
		if d.Need.Needed() {
			word = "election"
		}
		lines = append(lines, fmt.Sprintf("  %s: %s", word, d.Need))
	}
	for i := range d.Considered {
		lines = append(lines, "  "+consideredLine(&d.Considered[i], d, symbols, when))
	}
	switch {
	case d.Conflict[0] != 0:
		lines = append(lines, fmt.Sprintf("  strategies of %s and %s differ", text(d.Conflict[0]), text(d.Conflict[1])))
	case d.Outcome == coordinator.StrategiesDiffer:
		lines = append(lines, "  no strategy supersedes all others")
	case d.Decider != 0:
		lines = append(lines, fmt.Sprintf("  strategy %s (asked for by %s)", text(d.Strategy), text(d.Decider)))
	case d.Strategy != 0:
		lines = append(lines, "  strategy "+text(d.Strategy))
	}
	for i, r := range d.Ranking {
		if i == 0 {
			lines = append(lines, "  electee "+text(r.Name))
		} else {
			lines = append(lines, fmt.Sprintf("  before %s: %s", text(r.Name), r.Behind))
		}
	}
	if d.Change != coordinator.NoChange {
		lines = append(lines, "  "+d.Change.String())
	}
	for _, w := range d.Writes {
		lines = append(lines, fmt.Sprintf("  %s %s: %s", w.Verb, text(w.Name), w.Result))
	}
	return lines
}

func consideredLine(c *coordinator.Considered, d *coordinator.Decision, symbols *coordination.Symbols, when func(coordination.MicroTime) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s emulation %s binary %s", symbols.Text(c.Name), symbols.Text(c.Spec.EmulationVersion),
		symbols.Text(c.Spec.BinaryVersion))
	if c.Spec.Has(coordination.HasRenew) {
		b.WriteString(" renewed " + when(c.Spec.RenewTime))
	}
	if c.Spec.Has(coordination.HasPing) {
		b.WriteString(" pinged " + when(c.Spec.PingTime))
	}
	b.WriteString(": " + standingText(d, c.Standing))
	if c.Silent {
		b.WriteString("; silent for " + length(d.ValidNs/2) + ": forces an election")
	}
	if !c.Readable {
		b.WriteString("; unreadable versions")
	}
	return b.String()
}

// standingText says in words how a candidate stands, with the durations of the controller.
func standingText(d *coordinator.Decision, s coordinator.Standing) string {
	within := length(d.ElectionNs)
	switch s {
	case coordinator.NeverRenewed:
		return "has no renewTime: does not count"
	case coordinator.Expired:
		return "renewTime is older than " + length(d.ValidNs) + ": does not count"
	case coordinator.AwaitingAck:
		return "pinged within " + within + ", no ack yet: the controller waits"
	case coordinator.Fresh:
		return "renewed within " + within + ": counts as an ack"
	case coordinator.Stale:
		return "renewed more than " + within + " ago: must be pinged before an election"
	}
	return "did not answer its ping within " + within + ": left out"
}

// length formats a duration in words: 1.5 s, 90 s, 30 min.
func length(ns int64) string {
	if minutes := ns / int64(time.Minute); minutes >= 2 && ns%int64(time.Minute) == 0 {
		return strconv.FormatInt(minutes, 10) + " min"
	}
	return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64) + " s"
}
