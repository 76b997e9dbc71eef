package evidence

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteStory writes the report as text: first how leaselab understood each file, then a section for each Lease with an
// incident, then a line for each other Lease. A section begins with the leaders and ends with what the files cannot
// show. Each finding comes with the lines that prove it.
func WriteStory(out io.Writer, r *Report) {
	for _, f := range r.Files {
		var kinds []string
		for _, kind := range []Kind{Audit, Watch, Lease, Klog, Trace, Events, Metrics} {
			if n := f.Records[string(kind)]; n > 0 {
				kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
			}
		}
		line := fmt.Sprintf("%s: %d lines", f.Name, f.Lines)
		if len(kinds) > 0 {
			line += ", records: " + strings.Join(kinds, ", ")
		}
		if f.Says != "" {
			line += "; " + f.Says
		}
		fmt.Fprintln(out, line+".")
		if r := f.Run; r != nil {
			fmt.Fprintln(out, r.Sentence(f.Name))
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(out, "%s:%d: %s\n", p.File, p.Line, p.Says)
	}
	if more := r.ProblemCount - len(r.Problems); more > 0 {
		fmt.Fprintf(out, "%d more lines are unreadable.\n", more)
	}
	brief := false
	for i := range r.Leases {
		l := &r.Leases[i]
		// A single Lease is what the reader asked for.
		if l.Incident() || len(r.Leases) == 1 {
			fmt.Fprintln(out)
			writeLease(out, l)
			continue
		}
		if !brief {
			fmt.Fprintln(out)
			brief = true
		}
		fmt.Fprintf(out, "Lease %s: %s\n", l.Name, l.Brief())
	}
	if len(r.Leases) == 0 {
		fmt.Fprintln(out, "\nThese files show no Lease.")
	}
}

func writeLease(out io.Writer, l *LeaseReport) {
	fmt.Fprintf(out, "Lease %s", l.Name)
	if l.FromTime != "" {
		fmt.Fprintf(out, ", %s to %s", l.FromTime, l.ToTime)
	}
	fmt.Fprintln(out)
	list := func(title string, n int, each func(i int) string) {
		if n > 0 {
			fmt.Fprintf(out, "  %s:\n", title)
		}
		for i := range n {
			fmt.Fprintln(out, "    "+each(i))
		}
	}
	list("Leaders", len(l.LeaderChanges), func(i int) string {
		c := &l.LeaderChanges[i]
		from := cmp.Or(c.From, "(none)")
		cause := ""
		if c.Cause != "" {
			cause = "  " + c.Causes() + ConfidenceText(c.Confidence)
		}
		before := map[bool]string{true: " or before"}[c.Earlier]
		return fmt.Sprintf("%s%s  %s → %s%s%s", c.At, before, from, c.To, cause, at(c.Lines))
	})
	list("Nobody renewed", len(l.Gaps), func(i int) string {
		return fmt.Sprintf("%s for %.3f s%s", l.Gaps[i].From, l.Gaps[i].Seconds, at(l.Gaps[i].Lines))
	})
	list("Nobody led", len(l.Leaderless), func(i int) string {
		g := &l.Leaderless[i]
		return fmt.Sprintf("%s for %.3f s%s", g.From, g.Seconds, at(g.Lines))
	})
	list("Several believed that they led", len(l.Overlaps), func(i int) string {
		o := &l.Overlaps[i]
		return fmt.Sprintf("%s %s: %s; %s%s", o.From, o.Length(), strings.Join(o.Who, " and "), o.Basis, at(o.Lines))
	})
	list("What happened", len(l.Evidence), func(i int) string { return l.Evidence[i].Says + at(l.Evidence[i].Lines) })
	list("Refused writes", len(l.Conflicts), func(i int) string {
		return fmt.Sprintf("%s  %s: HTTP %d%s", l.Conflicts[i].At, l.Conflicts[i].Who, l.Conflicts[i].Code,
			at(l.Conflicts[i].Lines))
	})
	list("Late renewals", len(l.NearExpiries), func(i int) string {
		n := &l.NearExpiries[i]
		return fmt.Sprintf("%s: %.3f s to the next renewal; %s%s", n.From, n.Seconds, l.expiry(n), at(n.Lines))
	})
	if n := l.Renewals; n.Count > 0 {
		fmt.Fprintf(out, "  %d renewals; intervals: median %.3f s, longest %.3f s\n", n.Count,
			n.P50Seconds, n.MaxSeconds)
	}
	list("Settings", len(l.Settings), func(i int) string {
		s := &l.Settings[i]
		return fmt.Sprintf("%s %s%s: %s", s.Name, s.Value, ConfidenceText(s.Confidence), s.By)
	})
	list("Clocks", len(l.Clocks), func(i int) string {
		c := &l.Clocks[i]
		if c.ErrorSeconds < 0 {
			return fmt.Sprintf("%s: offset unknown; by %s", c.Source, c.By)
		}
		return fmt.Sprintf("%s %+.3f s ± %.3f s: by %s", c.Source, c.Offset, c.ErrorSeconds, c.By)
	})
	list("What these files cannot show", len(l.Limits), func(i int) string { return l.Limits[i] })
}

func at(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "  [" + strings.Join(lines, " ") + "]"
}

// expiry says whether the Lease expired before a late renewal.
func (l *LeaseReport) expiry(n *Gap) string {
	if d := time.Duration(l.leaseNs); n.Seconds > d.Seconds() {
		return fmt.Sprintf("the Lease expired after %s", d)
	}
	return "the Lease nearly expired"
}

// ConfidenceText is the confidence of an inference. What a file says itself is not an inference.
func ConfidenceText(confidence float64) string {
	if confidence >= 1 {
		return ""
	}
	return fmt.Sprintf(" (confidence %.2f)", confidence)
}
