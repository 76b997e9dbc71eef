package rebuild

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Exhibit is an exhibit of the museum that resembles a scenario.
type Exhibit struct{ Name, Title, Why string }

// `happenings` maps each act of a rebuilt scenario to what the act does to a leader, and to what a similar case
// teaches.
var happenings = []struct{ act, what, learn string }{
	{"pause", "the leader is paused past the end of its Lease",
		"a paused process cannot know that its Lease has expired: only the resource can refuse its writes"},
	{"cut", "the leader is cut off from the API",
		"it leads until its renewDeadline, and the others wait for leaseDuration: only the margin between the two " +
			"prevents two leaders"},
	{"latency", "answers reach the leader late",
		"the others count from the write, and the leader counts from the answer: a slow answer eats into the margin"},
	{"crash", "the leader dies without a release",
		"the others wait for leaseDuration from when each last saw a renewal, and then for their next attempt"},
	{"stop", "the leader is told to stop", "a release after the end of the work shortens the wait to one retry"},
}

// Alike returns up to three exhibits that resemble a scenario most, each with a reason. The reason of the first one
// also says what the exhibit teaches. An exhibit is similar if it shares an act with the scenario. The same outcome
// ranks it higher. Each act that only the exhibit has lowers its rank.
func Alike(s scenario.Scenario, exhibits []scenario.Scenario) []Exhibit {
	const most = 3
	two := totalsOf(s).TwoNs > 0
	type candidate struct {
		exhibit Exhibit
		learn   string
		score   int
	}
	var all []candidate
	for i := range exhibits {
		e := &exhibits[i]
		if e.Museum == nil || e.Museum.Variant != scenario.VariantFailing {
			continue
		}
		var what, learn []string
		score := 0
		for _, h := range happenings {
			switch mine, its := hasAct(&s, h.act), hasAct(e, h.act); {
			case mine && its:
				what, learn = append(what, h.what), append(learn, h.learn)
				score += 3
			case its:
				score -= 2
			}
		}
		if len(what) == 0 {
			continue
		}
		itsTwo := e.Museum.Class == "twoLeaders"
		outcome := ""
		switch {
		case two && itsTwo:
			outcome, score = ", and two lead at once", score+2
		case itsTwo:
			outcome = "; there two lead at once, which did not happen here"
		case two:
			outcome = "; here two lead at once, which does not happen there"
		case e.Museum.Class == "gap" || e.Museum.Class == "needlessChange":
			score += 2
		}
		why := fmt.Sprintf("there too, %s%s. %s", strings.Join(what, ", and "), outcome, sentence(e.Museum.Story))
		all = append(all, candidate{Exhibit{e.Name, e.Title, strings.TrimSpace(why)}, learn[0], score})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var out []Exhibit
	for i, c := range all[:min(most, len(all))] {
		if i == 0 {
			c.exhibit.Why += " What it teaches: " + c.learn + "."
		}
		out = append(out, c.exhibit)
	}
	return out
}

// sentence returns the first sentence of a text.
func sentence(text string) string {
	if at := strings.Index(text, ". "); at >= 0 {
		return text[:at+1]
	}
	return text
}

func hasAct(s *scenario.Scenario, act string) bool {
	return slices.ContainsFunc(s.Actions, func(a scenario.Action) bool { return a.Act == act })
}
