package evidence

import (
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// sentences.txt holds what a report says: first the conclusions about the end of a term, then what else the files show,
// or cannot show. Each entry begins with its name. The cause with its confidence may follow, and then other causes that
// fit. A confidence is a judgment that ranks conclusions; it does not come from measured frequencies. The lines below
// have the sentence. A finding needs the lines of the files that prove it, so that a reader can check it.
//
// In a conclusion, $old and $new are the holders, $last is the last renewal of the old one, $begins is when the new one
// began, and $at is the instant that the sentence is about.
//
//go:embed sentences.txt
var sentenceLines string

// conclusion is an entry of sentences.txt.
type conclusion struct {
	says, cause  string
	confidence   float64
	alternatives []string
}

var conclusions = sync.OnceValue(func() map[string]conclusion {
	all := map[string]conclusion{}
	for _, entry := range strings.Split(sentenceLines, "\n\n") {
		head, says, _ := strings.Cut(entry, "\n")
		name, verdict, concludes := strings.Cut(head, ": ")
		one := conclusion{says: strings.Join(strings.Fields(says), " ")}
		if concludes {
			first, others, _ := strings.Cut(verdict, ", ")
			at := strings.LastIndexByte(first, ' ')
			one.cause = first[:at]
			one.confidence, _ = strconv.ParseFloat(first[at+1:], 64)
			if others != "" {
				one.alternatives = strings.Split(others, ", ")
			}
		}
		all[name] = one
	}
	return all
})

// conclude takes the cause of an entry of sentences.txt.
func (g *change) conclude(name string) {
	one := conclusions()[name]
	g.cause, g.confidence, g.alternatives = one.cause, one.confidence, one.alternatives
}

// tell adds the sentence of an entry of sentences.txt to the findings, and takes its cause if it has one. The values
// are pairs, as for sentence.
func (g *change) tell(name string, ns int64, places []Place, values ...string) {
	says := sentence(name, append(values, "old", g.old.holder, "new", g.next.holder, "last", clock(g.old.lastNs),
		"begins", clock(g.next.fromNs), "at", clock(ns))...)
	g.findings = append(g.findings, finding{says: says, ns: ns, places: places})
	if conclusions()[name].cause != "" {
		g.conclude(name)
	}
}

// sentence returns the sentence of an entry of sentences.txt. The values are pairs of a name in it and a text.
func sentence(name string, values ...string) string {
	return os.Expand(conclusions()[name].says, func(name string) string {
		for i := 0; ; i += 2 {
			if values[i] == name {
				return values[i+1]
			}
		}
	})
}

// secondsText formats a length for a sentence.
func secondsText(ns int64) string { return fmt.Sprintf("%.3f", seconds(ns)) }
