package lesson

import (
	"slices"
	"strconv"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// Offer is a prediction that a run can answer, with everything that a lesson needs to ask for it. Its sentences are a
// first draft for the teacher.
type Offer struct {
	Name    string   `json:"name"`    // name of the choice: "When does the next leader take over?"
	Answer  string   `json:"answer"`  // the answer that the run gives: "b, at 34.039 s"
	Until   Length   `json:"until"`   // the run has shown the answer by then
	Explain int      `json:"explain"` // the leader change with the answer; 0 for none
	Numbers []Number `json:"numbers"` // the figures in the sentences
	Bet     Bet      `json:"bet"`
	Asks    StepText `json:"asks"`
	Tells   StepText `json:"tells"`
}

// mostOptions is the maximum number of answers that a choice may have.
const mostOptions = 8

// Offers returns the predictions that a run can answer after an instant. The run must have reached its end and
// settled. Offers includes only predictions with one clear answer after the instant. So the longest gap must not be
// the unfinished one at the end of the run. And a choice must have at most mostOptions answers, including the leader.
func Offers(s scenario.Scenario, judged *run.Run, after int64) []Offer {
	o := offering{s: s, run: judged, after: after, end: judged.EndNs()}
	changes := judged.Checks.Changes
	o.next = slices.IndexFunc(changes, func(c check.Change) bool { return c.AtNs > after })
	if o.next > 0 {
		o.nextLeader(changes[o.next])
		o.longestGap(changes)
	}
	o.longestOverlap()
	if o.next >= 0 {
		o.changes(len(changes))
	}
	if after < o.end {
		o.leaderThen()
	}
	return o.all
}

// offering collects the offers of one run.
type offering struct {
	s          scenario.Scenario
	run        *run.Run
	after, end int64
	next       int // the first leader change after the instant; -1 for none
	all        []Offer
}

// shownBy returns an instant, in whole seconds, by which the page has shown an event. It adds 2 to 3 s, so that the
// visitor sees what follows the answer.
func (o *offering) shownBy(atNs int64) int64 {
	return min(o.end, (atNs/1e9+3)*1e9)
}

func (o *offering) nextLeader(c check.Change) {
	said := "{winner} leads at {tookAt} s"
	if c.LeaderlessNs > 0 {
		said += ", {gap} s after {actor} stopped"
	}
	o.add(Offer{
		Name: "When does the next leader take over?", Answer: o.run.World.Node(c.To).Name() + ", at " +
			words.Seconds(c.AtNs),
		Until: Length(o.shownBy(c.AtNs)), Explain: o.next, Bet: Bet{Kind: Marker, Answer: "tookAt"},
	}, asked{"**When does the next leader take over?** Drag the marker, click the ruler, or type the instant.", said,
		"{off} s too {side}", []string{"early", "late"}})
}

// longestGap offers the longest gap of the run, if it ends with a change after the instant.
func (o *offering) longestGap(changes []check.Change) {
	longest := changes[0]
	for _, c := range changes {
		if c.LeaderlessNs > longest.LeaderlessNs {
			longest = c
		}
	}
	atEnd := int64(0)
	if len(o.run.Checks.Active()) == 0 {
		atEnd = o.end - o.run.Checks.SinceNs()
	}
	if longest.AtNs > o.after && longest.LeaderlessNs > atEnd {
		o.length(Number{Name: "gapLongest", Expect: &scenario.Expect{Measure: "leaderlessLongest"}},
			asked{question: "How long is the cluster without a leader?", said: "it is without one for {gapLongest} s"},
			longest.LeaderlessNs, longest.AtNs)
	}
}

// longestOverlap offers the longest time with two leaders, if it begins after the instant.
func (o *offering) longestOverlap() {
	longest, from, until := int64(0), int64(0), int64(0)
	for _, v := range o.run.Checks.Violations {
		to := v.UntilNs
		if to < 0 {
			to = o.end
		}
		if v.Rule == rules.MoreThanOneActive && to-v.FromNs > longest {
			longest, from, until = to-v.FromNs, v.FromNs, to
		}
	}
	if longest > 0 && from >= o.after {
		o.length(Number{Name: "overlapLongest", Expect: &scenario.Expect{Measure: "doubleLeaderLongest"}},
			asked{question: "How long are two leaders active?", said: "two leaders are active for {overlapLongest} s"},
			longest, until)
	}
}

// length offers a prediction of a length of time. The limit of its field is twice the answer plus 10 s, because a
// limit close to the answer would give it away.
func (o *offering) length(n Number, a asked, answer, at int64) {
	offer := Offer{
		Name: a.question, Answer: words.Seconds(answer), Until: Length(o.shownBy(at)), Numbers: []Number{n},
		Bet: Bet{Kind: Seconds, Answer: n.Name, Most: int(answer/1e9)*2 + 10},
	}
	a.question = "**" + a.question + "** Type a length in seconds."
	a.off, a.sides = "{off} s too {side}", []string{"short", "long"}
	o.add(offer, a)
}

func (o *offering) changes(n int) {
	o.add(Offer{
		Name: "How many leader changes does the run have?", Answer: strconv.Itoa(n), Until: Length(o.end),
		Numbers: []Number{{Name: "changesInAll", Expect: &scenario.Expect{Measure: "leaderChanges"}}},
		Bet:     Bet{Kind: Count, Answer: "changesInAll", Most: 2*n + 5},
	}, asked{"**How many leader changes does the whole run have?** The first leader counts.",
		"the run has {changesInAll} leader changes", "{off} too {side}", []string{"few", "many"}})
}

// leaderThen offers the question of who leads: a moment after the next leader change or, if no change follows, half a
// minute later.
func (o *offering) leaderThen() {
	at := min(o.end, o.after+30e9)
	if o.next >= 0 {
		at = o.shownBy(o.run.Checks.Changes[o.next].AtNs)
	}
	leader := o.leaderAt(at)
	options := elements.Of(scenario.Resolve(o.s).Candidates, func(one scenario.ResolvedCandidate) string {
		return one.Name
	})
	options = append(options, scenario.LeaderNobody)
	if len(options) > mostOptions || !slices.Contains(options, leader) {
		return
	}
	instant := scenario.Duration(at)
	question := "Who leads at " + words.WholeSeconds(at) + "?"
	offer := Offer{
		Name: question, Answer: leader, Until: Length(at), Asks: StepText{Options: map[string]string{}},
		Numbers: []Number{{Name: "leaderThen", Expect: &scenario.Expect{Leader: leader, At: &instant}}},
		Bet:     Bet{Kind: Choice, Answer: "leaderThen", Right: leader},
	}
	for _, name := range options {
		offer.Bet.Options = append(offer.Bet.Options, Option{Name: name, Is: name})
		offer.Asks.Options[name] = name
	}
	o.add(offer, asked{question: "**" + question + "**", said: "{leaderThen} leads"})
}

// leaderAt runs the scenario again, up to an instant.
func (o *offering) leaderAt(at int64) string {
	instant := scenario.Duration(at)
	all, err := outcomes(o.s, []scenario.Expect{{Leader: scenario.LeaderNobody, At: &instant}})
	if err != nil {
		return ""
	}
	return all[0].Measured
}

// `asked` contains the sentences of an offer: the question, the run's answer, and how far and in which direction a
// prediction was off.
type asked struct {
	question, said, off string
	sides               []string
}

// add completes an offer's sentences.
func (o *offering) add(offer Offer, a asked) {
	said, off := a.said, a.off
	offer.Asks.Title, offer.Asks.Text = "Your prediction.", []string{a.question}
	offer.Tells.Title, offer.Tells.Outcome = "See.", "**The answer: "+said+".**"
	if off != "" {
		you := "You said {bet} s"
		if offer.Bet.Kind == Count {
			you = "You said {bet}"
		}
		offer.Tells.Missed = "**The answer: " + said + ". " + you + ": " + off + ".**"
		offer.Tells.Exact = "**The answer: " + said + ". " + you + ": right.**"
		offer.Tells.Sides = a.sides
	}
	o.all = append(o.all, offer)
}
