package rebuild

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/scenario"
)

// seedsMost limits the seeds that Scenario tries for the same leaders at the same instants.
const seedsMost = 400

// Fit says how much a scenario's run differs from the evidence. ChangeNs is the largest difference between a term's
// start in the run and in the evidence. If SameLeaders is false, the other fields mean nothing.
type Fit struct {
	SameLeaders bool // the same candidates lead in the same order
	ChangeNs    int64
	StopNs      int64 // largest difference between the end of a leader's work in its log and in the run
	Stops       int   // ends that the logs show
	WriteNs     int64 // largest time between an observed write and the model's nearest write by the same candidate
	Writes      int
	Renamed     []string // a sentence for each candidate that has another name in the scenario
}

// Scenario builds a scenario from a Lease's report. If it cannot, the error says what the evidence lacks.
func Scenario(l *evidence.LeaseReport) (scenario.Scenario, Fit, error) { return ScenarioAs(l, l.Cause) }

// ScenarioAs builds the scenario of another cause that the evidence cannot tell from the likeliest one.
func ScenarioAs(l *evidence.LeaseReport, cause string) (scenario.Scenario, Fit, error) {
	terms := l.Terms()
	for i := range terms {
		if t := &terms[i]; t.Cause == l.Cause && slices.Contains(l.Alternatives, cause) {
			t.Cause = cause
		}
	}
	if len(terms) == 0 || len(terms) == 1 && len(terms[0].WritesNs) < 2 {
		return scenario.Scenario{}, Fit{},
			fmt.Errorf("the evidence of %s shows too little to run again: it needs at least two writes", l.Name)
	}
	renamed := alias(terms)
	f := fitter{left: requestsMost, lease: l, terms: terms, startNs: terms[0].FromNs}
	first := f.draft()
	if err := scenario.Validate(first); err != nil {
		return scenario.Scenario{}, Fit{}, fmt.Errorf("cannot run the evidence of %s again: %w", l.Name, err)
	}
	if requestsOf(&first) > requestsMostOne {
		return scenario.Scenario{}, Fit{},
			fmt.Errorf("the evidence of %s spans %s, too long to run again: narrow it with --around TIME --within 10m",
				l.Name, first.Duration)
	}
	s := f.draftAligned()
	best := f.pin(s)
	fit := f.fitOf(best)
	for seed := uint64(1); seed <= seedsMost && !fit.SameLeaders && f.left > 0; seed++ {
		s.Seed = seed
		if got := f.fitOf(s); got.SameLeaders {
			best = f.pin(s)
			fit = f.fitOf(best)
		}
	}
	fit.Renamed = renamed
	return best, fit, scenario.Validate(best)
}

// draftAligned drafts the scenario so that its first write happens at the same instant as the first write in the
// evidence.
func (f *fitter) draftAligned() scenario.Scenario {
	for range 2 {
		if led := f.watch(f.draft()); len(led.writes) > 0 {
			f.startNs -= led.writes[0].ns - f.terms[0].FromNs
		}
	}
	return f.draft()
}

// `draft` makes a scenario with the candidates and the faults. No file shows renewDeadline, so it takes two thirds of
// leaseDuration. Candidates start 0.7 s apart, in the order in which they first led, so that the scenario has the
// same first holder as the evidence.
func (f *fitter) draft() (s scenario.Scenario) {
	terms, startNs := f.terms, f.startNs
	lease, retry := f.lease.Durations()
	latency := latencyOf(terms, retry)
	end := startNs
	for i := range terms {
		end = max(end, terms[i].LastNs, terms[i].FromNs+int64(lease), terms[i].ResumedNs+int64(lease))
	}
	s = scenario.Scenario{
		APIVersion: scenario.APIVersion, Kind: scenario.Kind, Name: "run-it-again", Title: "Run it again: " +
			f.lease.Name,
		Seed:     1,
		Duration: scenario.Duration(roundUp(end-startNs, int64(time.Second)) + int64(5*time.Second)),
	}
	s.Elector.LeaseDuration, s.Elector.RetryPeriod = pointer(lease), pointer(retry)
	s.Elector.RenewDeadline = pointer(lease * 2 / 3)
	on := true
	if f.lease.Releases() || slices.ContainsFunc(terms, func(t evidence.Term) bool { return t.Cause == "release" }) {
		s.Elector.ReleaseOnCancel = &on
	}
	s.Network.RequestLatency, s.Network.ResponseLatency = pointer(latency), pointer(latency)
	var names []string
	for i := range terms {
		if !slices.Contains(names, terms[i].Holder) {
			names = append(names, terms[i].Holder)
		}
	}
	for i, name := range names {
		s.Candidates = append(s.Candidates,
			scenario.Candidate{Name: name, StartAt: scenario.Duration(i) * scenario.Duration(700*time.Millisecond)})
	}
	for _, b := range f.lease.Bystanders() {
		if b.Name = nameOf(b.Name); !slices.Contains(names, b.Name) {
			names = append(names, b.Name)
			s.Candidates = append(s.Candidates, f.bystander(b, retry, latency))
		}
	}
	for i := 0; i < len(terms)-1; i++ {
		back := slices.IndexFunc(terms[i+1:], func(t evidence.Term) bool { return t.Holder == terms[i].Holder })
		backNs := int64(0)
		if back >= 0 {
			backNs = terms[i+1+back].FromNs - startNs
		}
		s.Actions = append(s.Actions, f.ending(&s, i, backNs)...)
	}
	slices.SortStableFunc(s.Actions, func(a, b scenario.Action) int { return cmp.Compare(a.At/1000, b.At/1000) })
	return s
}

// bystander makes a candidate that reads the Lease when the log says: the waits between its reads are in the log.
func (f *fitter) bystander(b evidence.Bystander, retry, latency time.Duration) scenario.Candidate {
	c := scenario.Candidate{Name: b.Name, StartAt: f.after(b.ReadsNs[0] - int64(2*latency))}
	for i := 1; i < len(b.ReadsNs) && len(c.JitterDraws) < drawsMost; i++ {
		wait := b.ReadsNs[i] - b.ReadsNs[i-1] - int64(2*latency)
		c.JitterDraws = append(c.JitterDraws, drawOf(wait, int64(retry)))
	}
	return c
}

// drawsMost limits the waits of a bystander in a scenario.
const drawsMost = 1000

func pointer(d time.Duration) *scenario.Duration {
	v := scenario.Duration(d)
	return &v
}

func roundUp(ns, unit int64) int64 { return (ns + unit - 1) / unit * unit }

// latencyOf estimates the latency of one direction. A typical renewal comes retryPeriod plus one round trip after the
// previous one. So the average latency is half of the time beyond retryPeriod. latencyOf uses the mean because errors
// add up over a term.
func latencyOf(terms []evidence.Term, retry time.Duration) time.Duration {
	over, n := time.Duration(0), time.Duration(0)
	for i := range terms {
		for k := 2; k < len(terms[i].WritesNs); k++ { // the first renewal follows at once
			if d := time.Duration(terms[i].WritesNs[k]-terms[i].WritesNs[k-1]) - retry; d > -retry/10 && d < retry/5 {
				over, n = over+d, n+1
			}
		}
	}
	if n == 0 {
		return time.Millisecond
	}
	return min(max(over/n/2, 100*time.Microsecond), 200*time.Millisecond).Round(time.Microsecond)
}

// `after` converts an instant on the timeline to an instant in the scenario.
func (f *fitter) after(ns int64) scenario.Duration {
	return scenario.Duration(time.Duration(max(0, ns-f.startNs)).Round(time.Millisecond))
}

// ending returns the acts that end a term. The candidate leads again at backNs; 0 means that it never leads again.
// Faults begin half a retryPeriod after the last renewal. If they began later, the next renewal might succeed; if
// they began earlier, the last one might fail.
func (f *fitter) ending(s *scenario.Scenario, term int, backNs int64) []scenario.Action {
	t, next := &f.terms[term], &f.terms[term+1]
	lease, retry := int64(*s.Elector.LeaseDuration), int64(*s.Elector.RetryPeriod)
	last := t.LastNs
	if t.WritesNs == nil {
		last = max(t.FromNs, next.FromNs-lease-retry)
	}
	at := f.after(last + retry/2)
	span := func(untilNs int64) scenario.Duration { return max(f.after(untilNs)-at, scenario.Duration(time.Second)) }
	var acts []scenario.Action
	switch t.Cause {
	case "pause":
		until := cmp.Or(t.ResumedNs, next.FromNs+retry)
		return []scenario.Action{{At: at, Act: "pause", Target: t.Holder, For: span(until)}}
	case "slow":
		if t.WritesNs == nil {
			last -= retry // the server answers one more request, and only that answer is slow
		}
		return f.slow(s, term, last)
	case "deleted":
		return []scenario.Action{{At: f.after(t.WroteNs), Act: scenario.ActWrite, Op: scenario.OpDelete}}
	case "edited", "early":
		at, left := t.WroteNs, t.Left
		if at == 0 {
			at, left = next.FromNs, next.Holder
		}
		return []scenario.Action{{At: f.after(at), Act: scenario.ActWrite, Op: scenario.OpPatch,
			Spec: &scenario.LeaseSpec{HolderIdentity: &left}}}
	case "control plane":
		until := cmp.Or(t.HealedNs, next.FromNs-lease)
		acts = []scenario.Action{{At: at, Act: scenario.ActFail, Target: "*", Error: "http500", For: span(until)}}
		if t.LoggedNs != 0 && backNs > 0 {
			acts = append(acts, scenario.Action{At: f.after(t.LoggedNs + retry/2), Act: scenario.ActRestart,
				Target: t.Holder})
		}
		return acts
	case "partition":
		return []scenario.Action{{At: at, Act: "cut", Target: t.Holder, For: span(next.FromNs + retry)}}
	case "release":
		stopNs := cmp.Or(t.StopNs, next.FromNs-retry/2)
		acts = []scenario.Action{{At: f.after(stopNs), Act: "stop", Target: t.Holder}}
	default:
		acts = []scenario.Action{{At: at, Act: "crash", Target: t.Holder}}
	}
	if backNs > 0 {
		acts = append(acts, scenario.Action{At: max(acts[0].At+scenario.Duration(time.Second),
			scenario.Duration(backNs-lease*2)), Act: "restart", Target: t.Holder})
	}
	return acts
}

// `slow` delays the answers to a leader: first by as much as the leader's last renewals were late, then by more than
// its timeout.
func (f *fitter) slow(s *scenario.Scenario, term int, lastNs int64) (acts []scenario.Action) {
	t := &f.terms[term]
	lease, retry := int64(*s.Elector.LeaseDuration), int64(*s.Elector.RetryPeriod)
	usual := retry + 2*int64(*s.Network.RequestLatency)
	slow := func(fromNs int64, answer int64) {
		d := scenario.Duration(time.Duration(answer).Round(time.Millisecond))
		acts = append(acts, scenario.Action{At: f.after(fromNs - retry/4), Act: "latency", Target: t.Holder,
			Request: s.Network.RequestLatency, Response: &d})
	}
	// The answer before a late renewal was slow: an elector waits for the answer and then for retryPeriod.
	for k := 1; k < len(t.WritesNs); k++ {
		if late := t.WritesNs[k] - t.WritesNs[k-1] - usual; late > retry/5 {
			slow(t.WritesNs[k-1], late)
		} else if len(acts) > 0 {
			acts = nil // the answer was fast again
		}
	}
	slow(lastNs, lease)
	for i := range acts {
		if i+1 < len(acts) {
			acts[i].For = acts[i+1].At - acts[i].At
		}
	}
	last := &acts[len(acts)-1]
	last.For = max(f.after(f.terms[term+1].FromNs+retry)-last.At, scenario.Duration(time.Second))
	return acts
}

type modelWrite struct {
	holder string
	ns     int64
}

// fitOf runs the scenario and compares its writes with the writes in the evidence.
func (f *fitter) fitOf(s scenario.Scenario) Fit {
	terms, o := f.terms, f.watch(s)
	writes, led, starts := o.writes, o.acquisitions(), starts(terms)
	var fit Fit
	if len(led) != len(starts) {
		return fit
	}
	for i, t := range starts {
		if led[i].holder != t.holder {
			return fit
		}
		fit.ChangeNs = max(fit.ChangeNs, led[i].ns-t.ns, t.ns-led[i].ns)
	}
	for i := range terms {
		if ns := terms[i].LoggedNs; ns != 0 && i+1 < len(terms) {
			fit.Stops++
			fit.StopNs = max(fit.StopNs, nearest(o.stops, terms[i].Holder, ns))
		}
		for _, ns := range terms[i].WritesNs {
			fit.Writes++
			fit.WriteNs = max(fit.WriteNs, nearest(writes, terms[i].Holder, ns))
		}
	}
	fit.SameLeaders = true
	return fit
}

func nearest(writes []modelWrite, holder string, ns int64) int64 {
	least := int64(math.MaxInt64)
	for _, w := range writes {
		if w.holder == holder {
			least = min(least, max(w.ns-ns, ns-w.ns))
		}
	}
	return least
}
