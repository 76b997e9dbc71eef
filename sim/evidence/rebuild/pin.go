package rebuild

import (
	"slices"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// `splits` lists the points at which the candidate may have seen the last renewal, in tenths of the possible range. The
// evidence rarely shows the real point. The range begins at the renewal and ends one leaseDuration before the takeover.
// A whole number of waits fits some of these points but not others.
var splits = []int64{0, 5, 3, 7, 1, 9, 2, 8, 4, 6}

// jitterWait is a candidate's wait before its next attempt.
type jitterWait struct{ atNs, delayNs int64 }

// runTimes contains the times of a run that pinning needs.
type runTimes struct {
	writes []modelWrite
	stops  []modelWrite            // when each leader's work ended
	waits  map[string][]jitterWait // waits by candidate, in order
}

// fitter runs scenarios of a Lease until it has used up its budget of requests. Without a budget, evidence that spans
// days would take minutes.
type fitter struct {
	left    int64
	lease   *evidence.LeaseReport
	terms   []evidence.Term
	startNs int64 // an instant on the timeline minus startNs is the instant in the scenario
}

// Limits on the requests of all runs together, and of one run. They allow a few seconds of work.
const (
	requestsMost    = 1_500_000
	requestsMostOne = 200_000
)

// requestsOf estimates how many requests a run of the scenario makes.
func requestsOf(s *scenario.Scenario) int64 {
	return 100 + int64(len(s.Candidates))*int64(s.Duration)/max(1, int64(*s.Elector.RetryPeriod))
}

// `watch` runs a scenario and records its writes and waits, on the timeline of the report. The run's requests count
// against the budget.
func (f *fitter) watch(s scenario.Scenario) (o runTimes) {
	f.left -= requestsOf(&s)
	o.waits = map[string][]jitterWait{}
	w := world.New(compile.Scenario(s))
	for w.Step(int64(s.Duration)) {
		for i := range w.Records() {
			record := &w.Records()[i]
			switch {
			case record.Kind == trace.JitterDrawn:
				name := w.Node(record.Candidate).Name()
				o.waits[name] = append(o.waits[name], jitterWait{f.startNs + record.At, record.Jitter().DelayNs})
			case record.Kind == trace.StoppedLeading || record.Kind == trace.Crashed:
				o.stops = append(o.stops, modelWrite{w.Node(record.Candidate).Name(), f.startNs + record.At})
			case record.Kind == trace.RequestServed &&
				(record.Outcome == storage.Created || record.Outcome == storage.Updated):
				if _, lease, ok := w.Holder(); ok && lease.Spec.HolderIdentity != 0 {
					o.writes = append(o.writes,
						modelWrite{w.Setup().Symbols.Text(lease.Spec.HolderIdentity), f.startNs + record.At})
				}
			}
		}
	}
	return o
}

// `acquisitions` returns when the model's holders acquired the Lease, in order.
func (o *runTimes) acquisitions() (all []modelWrite) {
	for _, w := range o.writes {
		if len(all) == 0 || all[len(all)-1].holder != w.holder {
			all = append(all, w)
		}
	}
	return all
}

// pin gives each candidate jitter draws with which it acquires the Lease at the instants that the evidence shows. If
// no draws fit a change, `pin` keeps the closest ones.
func (f *fitter) pin(s scenario.Scenario) scenario.Scenario {
	s = s.Clone()
	terms := f.terms
	for i := 1; i < len(terms); i++ {
		if terms[i].Holder == terms[i-1].Holder || f.left < 0 {
			continue
		}
		best, leastNs := s, f.missedBy(s, i)
		for _, tenths := range splits {
			tried := s
			aimNs := terms[i].FromNs
			for range 3 { // a request's duration shifts the attempt; the second and third try take it into account
				next, ok := f.aim(tried, i, aimNs, tenths)
				if !ok {
					break
				}
				tried = next
				missed := f.missedBy(tried, i)
				if abs(missed) < abs(leastNs) {
					best, leastNs = tried, missed
				}
				if missed == never {
					break
				}
				aimNs -= missed
			}
			if abs(leastNs) < 1000 || f.left < 0 {
				break
			}
		}
		s = best
	}
	return s
}

// `never` is the value for a run whose leaders are not the evidence's.
const never = int64(1) << 62

func abs(ns int64) int64 { return max(ns, -ns) }

// missedBy returns how much later than in the evidence a term begins in the model. It returns the value `never` if the
// terms up to that one have other holders.
func (f *fitter) missedBy(s scenario.Scenario, term int) int64 {
	o := f.watch(s)
	led, starts := o.acquisitions(), starts(f.terms[:term+1])
	if len(led) < len(starts) {
		return never
	}
	for i, t := range starts {
		if led[i].holder != t.holder {
			return never
		}
	}
	return led[len(starts)-1].ns - f.terms[term].FromNs
}

// starts returns when the holders of some terms acquired the Lease, in order. A holder that follows itself counts once.
func starts(terms []evidence.Term) (all []modelWrite) {
	for i := range terms {
		if i == 0 || terms[i].Holder != terms[i-1].Holder {
			all = append(all, modelWrite{terms[i].Holder, terms[i].FromNs})
		}
	}
	return all
}

// aim spaces the waits of a term's new holder evenly. Then an attempt begins just in time for a write at aimNs, and
// the new holder sees the old holder's last renewal early enough.
//
//	last renewal     b sees it                                 b writes, at aimNs
//	     |   ~~~~~~~~~~~|------- leaseDuration or more ------------|
//	   waits: w, w, w, w   w,  w,  w,  w,  w,  w                     each 1 to 2.2 retryPeriods
func (f *fitter) aim(s scenario.Scenario, term int, aimNs, tenths int64) (scenario.Scenario, bool) {
	terms, o := f.terms, f.watch(s)
	holder := terms[term].Holder
	waits := o.waits[holder]
	first := slices.IndexFunc(waits, func(d jitterWait) bool { return d.atNs > sinceNs(terms, term) })
	k := slices.IndexFunc(s.Candidates, func(c scenario.Candidate) bool { return c.Name == holder })
	if first < 0 || k < 0 {
		return s, false
	}
	retry, latency := int64(*s.Elector.RetryPeriod), int64(*s.Network.RequestLatency)
	readNs := 2 * latency
	target := aimNs - readNs - latency // start of the attempt that writes
	delays, ok := []int64(nil), false
	lastNs := terms[term-1].LastNs
	if expiry := target - int64(*s.Elector.LeaseDuration); terms[term-1].Cause != "release" && expiry > lastNs {
		seen := lastNs + (expiry-lastNs)*max(tenths, 1)/10 - readNs/2
		var before, after []int64
		if before, ok = spread(seen-waits[first].atNs, readNs, retry); ok {
			after, ok = spread(target-seen-readNs, readNs, retry)
			delays = append(before, after...)
		}
	}
	if !ok {
		if delays, ok = spread(target-waits[first].atNs, readNs, retry); !ok {
			return s, false
		}
	}
	draws := elements.Of(waits[:first], func(d jitterWait) float64 { return drawOf(d.delayNs, retry) })
	for _, d := range delays {
		draws = append(draws, drawOf(d, retry))
	}
	s = s.Clone()
	s.Candidates[k].JitterDraws = draws
	return s, true
}

// sinceNs returns when a term's holder last lost the Lease, or 0 if it never held it.
func sinceNs(terms []evidence.Term, term int) (ns int64) {
	for i := range term - 1 {
		if terms[i].Holder == terms[term].Holder {
			ns = terms[i].LastNs
		}
	}
	return ns
}

// jitterFactor is client-go's: a wait is retryPeriod plus up to 1.2 times retryPeriod.
const jitterFactor = 1.2

func drawOf(delayNs, retryNs int64) float64 {
	return min(max((float64(delayNs)/float64(retryNs)-1)/jitterFactor, 0), 0.999999)
}

// spread divides a duration into equal waits with a read between them. It returns false if no number of waits fits, for
// example for a time shorter than retryPeriod.
func spread(totalNs, readNs, retryNs int64) ([]int64, bool) {
	most := int64(float64(retryNs) * (1 + jitterFactor*0.999))
	for n := (totalNs + readNs) / (most + readNs); n <= (totalNs+readNs)/(retryNs+readNs); n++ {
		if n < 1 {
			continue
		}
		each := (totalNs - (n-1)*readNs) / n
		if each < retryNs || each > most {
			continue
		}
		delays := make([]int64, n)
		for i := range delays {
			delays[i] = each
		}
		delays[n-1] += totalNs - (n-1)*readNs - each*n
		return delays, true
	}
	return nil, false
}
