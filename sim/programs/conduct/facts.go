package conduct

import (
	"fmt"
	"regexp"
)

// Fact is something that a process shows besides its requests: a line that it has printed, or its own end.
type Fact struct {
	AtNs int64
	Node int32
	Line string
	Exit *Exit // its end; nil for a line
}

// Exit is how a process has ended by itself: with an exit code or, if Signal is not "", by a signal.
type Exit struct {
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
}

var (
	aboutElection = regexp.MustCompile(`(?i)\blead(er|s|ing)|elect(ion|ed)|\blease`)
	aboutLoss     = regexp.MustCompile(`(?i)\blost\b.*(lead|lease|elect)|(lead|lease|elect).*\blost\b|` +
		`(stopped|stops) leading|no longer (the )?lead`)
)

// SpeaksOfElection reports whether a line of a program is about leader election.
func SpeaksOfElection(line string) bool { return aboutElection.MatchString(line) }

func saysLost(line string) bool { return aboutLoss.MatchString(line) }

// Text says what a fact is about. The name is the candidate's, and the instant is the fact's.
func (k *Fact) Text(name, instant string) string {
	switch {
	case k.Exit == nil:
		return fmt.Sprintf("%s printed `%s` at %s.", name, k.Line, instant)
	case k.Exit.Signal != "":
		return fmt.Sprintf("%s's process ended at %s: a signal killed it (%s).", name, instant, k.Exit.Signal)
	}
	return fmt.Sprintf("%s's process ended at %s with exit code %d.", name, instant, k.Exit.Code)
}

// Around returns the facts about some nodes between two instants that a story tells: each end of a process, the last
// line before it, and the last lines that speak of leader election.
func (f *Fold) Around(fromNs, toNs int64, nodes ...int32) (told []Fact) {
	const most = 3 // lines of a node
	for _, node := range nodes {
		lines, ends := 0, false
		for i := len(f.facts) - 1; i >= 0; i-- {
			k := &f.facts[i]
			switch {
			case k.Node != node:
				continue
			case k.AtNs > toNs || k.AtNs < fromNs:
			case k.Exit != nil:
				told = append(told, *k)
			case lines < most && (ends || SpeaksOfElection(k.Line)):
				told = append(told, *k)
				lines++
			}
			ends = k.Exit != nil
		}
	}
	return told
}
