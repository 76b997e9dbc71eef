package advise

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/words"
)

// A proof follows from client-go's own rules, so it is true even for settings without any run. Example, for
// survive=60s and takeover=30s: to survive, renewDeadline must exceed 60 s. client-go requires a leaseDuration longer
// than that, so leaseDuration > 60 s. Another candidate waits for leaseDuration after the last renewal, so every
// takeover takes more than 60 s.
//
// Each goal gives a bound on renewDeadline or retryPeriod, with sentences that explain the bound. The function
// contradicts combines two bounds. All errors are on the safe side: for a random figure, the proof uses the value
// that is best for the goal.

// bound is the shortest duration that the goals allow, with the sentences that prove it.
type bound struct {
	ns      float64
	retryNs float64 // shortest retryPeriod, or 0 if the goals allow any
	proof   []string
}

// ground contains the facts about the scenario and the runs that a proof uses.
type ground struct {
	latencyNs  float64 // the scenario's latency, both ways together
	candidates int     // number of candidates from the first second on
	runs       int     // number of runs that must meet a goal
	plain      bool    // all candidates are usual
}

// ground collects these facts from the scenario. The latency is the first candidate's. If some candidates are not
// usual, the function overlapping proves nothing.
func (a *Adviser) ground() ground {
	r := scenario.Resolve(a.base)
	g := ground{runs: proofRuns}
	n := &r.Candidates[0].Network
	for _, leg := range []*scenario.Duration{n.RequestLatency, n.ResponseLatency} {
		if leg != nil {
			g.latencyNs += float64(*leg)
		}
	}
	g.plain = true
	for i := range r.Candidates {
		c := &r.Candidates[i]
		g.plain = g.plain && usual(c)
		if int64(r.Candidates[i].StartAt) <= second {
			g.candidates++
		}
	}
	return g
}

// `usual` reports whether a candidate behaves like client-go's default. A usual candidate draws its waits, its clock
// runs at the true rate, all answers take the same time, and nothing delays the candidate's lead or makes the
// candidate give up sooner.
func usual(c *scenario.ResolvedCandidate) bool {
	e := &c.Elector
	isZero := func(d *scenario.Duration) bool { return d == nil || *d == 0 }
	is := func(v *float64, usual float64) bool { return v == nil || *v == usual }
	return len(e.Dialect) == 0 && is(e.JitterFactor, elector.JitterFactor) && is(e.ExpiryFactor, 1) &&
		isZero(e.CallbackDelay) && isZero(e.LockDelay) &&
		len(c.JitterDraws) == 0 && (c.RatePpm == 0 || c.RatePpm == 1_000_000) && c.Process.WatchdogTolerance == nil &&
		is(c.Client.QPS, 0) &&
		c.Network.RequestDistribution == nil && c.Network.ResponseDistribution == nil && isZero(c.Network.ReadLag)
}

const z99 = 2.3263478740408408

// spread returns the sigma of the log-normal response times for a latency goal.
func spread(latency int64) float64 {
	return study.Log(float64(latency)/float64(typical(latency))) / z99
}

// meanLatencyNs returns the mean of the response times for a latency goal, or 0 without such a goal.
func meanLatencyNs(goals []Goal) float64 {
	latency := boundOf(goals, Latency)
	if latency == 0 {
		return 0
	}
	sigma := spread(latency)
	return float64(typical(latency)) * study.Exp(sigma*sigma/2)
}

// `contradicts` returns the reasons why no setting meets the goals, or nil if it finds no proof.
func contradicts(goals []Goal, known ground) []string {
	known.latencyNs += meanLatencyNs(goals)
	if proof := overlapping(goals, known); proof != nil {
		return proof
	}
	renew := leastRenew(goals, known)
	for i := range goals {
		g := &goals[i]
		if g.Name != Takeover || renew.ns == 0 {
			continue
		}
		// A crash may come at any time between two renewals, and the slowest takeovers follow the crashes right after
		// a renewal. A p99 goal may ignore 1 % of the takeovers. So in the slowest takeover that counts, the last
		// renewal is at most 1 % of a retryPeriod old. retryPeriod is less than renewDeadline / 1.2.
		age := 1 - g.Share
		least := renew.ns - age*(renew.ns*jitterDen/jitterNum+known.latencyNs)
		if least < float64(g.Bound) {
			continue
		}
		short := words.WholeSeconds(int64(renew.ns))
		proof := append(renew.proof,
			fmt.Sprintf(
				"client-go refuses a leaseDuration that is not longer than renewDeadline: leaseDuration > "+
					"renewDeadline > %s.", short))
		return append(proof, g.tooLate(least))
	}
	return nil
}

// tooLate returns a sentence: a takeover takes longer than the goal allows.
func (g *Goal) tooLate(leastNs float64) string {
	since := "the last renewal"
	if age := 100 * (1 - g.Share); g.Share < 1 {
		since = fmt.Sprintf("the last renewal, and %.0f %% of crashes follow a renewal within %.0f %% of a retryPeriod",
			age, age)
	}
	return fmt.Sprintf(
		"No other candidate takes the lock before leaseDuration has passed since %s: at %s the takeover takes more "+
			"than %s, but your goal is %s.",
		since, g.quantile(), words.Seconds(int64(leastNs)), g.value(g.Bound))
}

// leastRenew returns the lower bound on renewDeadline: the longest renewDeadline that any one of the goals needs.
func leastRenew(goals []Goal, known ground) bound {
	var b bound
	for _, one := range bounds(goals, known) {
		if one.ns > b.ns {
			b = one
		}
	}
	return b
}

// `bounds` returns the bound of each kind of goal. If no goal has the kind, the bound is zero, which allows everything.
func bounds(goals []Goal, known ground) []bound {
	return []bound{surviving(boundOf(goals, Survive)), writing(boundOf(goals, Writes), known),
		asking(boundOf(goals, Requests), known), waiting(boundOf(goals, Latency), known.runs)}
}

// `surviving` returns the renewDeadline that the survive goal needs.
func surviving(survive int64) bound {
	length := words.WholeSeconds(survive)
	return bound{ns: float64(survive), proof: []string{fmt.Sprintf(
		"To survive %s without the API at every phase of its renewals, the leader needs a renewDeadline longer than "+
			"%s: if the API goes away just before a renewal, the leader gives up one renewDeadline later.", length,
		length)}}
}

// `writing` returns the renewDeadline that a limit on writes per minute needs.
func writing(perMinute int64, known ground) bound {
	if perMinute == 0 {
		return bound{}
	}
	retry := 60e9*thousand/float64(perMinute) - known.latencyNs
	return retrying(retry,
		fmt.Sprintf(
			"The leader writes once every retryPeriod plus the time of its request: at most %s writes a minute need "+
				"a retryPeriod of at least %s.", count(perMinute), words.Seconds(int64(retry))))
}

// drawn is the lowest share of the average number of requests that a proof takes into account. Candidates draw their
// waits, so in some runs they send fewer requests than on average.
const drawn = 0.97

// `asking` returns the renewDeadline that a limit on all candidates' requests per minute needs. The leader asks once
// every retryPeriod; the others wait 1 to 2.2 retryPeriods, 1.6 on average. No formula gives the retryPeriod for a
// sum of such rates, so the function `asking` finds that retryPeriod by bisection. After sixty steps the error is less
// than a nanosecond.
func asking(perMinute int64, known ground) bound {
	if perMinute == 0 {
		return bound{}
	}
	most := float64(perMinute) / thousand / drawn
	others := float64(known.candidates - 1)
	low, high := 0.0, 60e9*(1+others)/most
	for range 60 {
		retry := (low + high) / 2
		if 60e9*(1/(retry+known.latencyNs)+others/(1.6*retry+known.latencyNs)) > most {
			low = retry
		} else {
			high = retry
		}
	}
	rivals := fmt.Sprintf("each of the %d others", known.candidates-1)
	if known.candidates == 2 {
		rivals = "the other one"
	}
	return retrying(low,
		fmt.Sprintf(
			"The leader asks once every retryPeriod, %s once every 1.6 retryPeriods on average, plus the time of the "+
				"request: at most %s requests a minute need a retryPeriod of at least %s.",
			rivals, count(perMinute), words.Seconds(int64(low))))
}

func count(perMinute int64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(perMinute)/thousand), ".0")
}

// `retrying` returns the bound on renewDeadline that follows from a retryPeriod.
func retrying(retryNs float64, why string) bound {
	renew := retryNs * jitterNum / jitterDen
	return bound{renew, retryNs, []string{why,
		fmt.Sprintf("client-go refuses a renewDeadline that is not longer than 1.2 × retryPeriod: renewDeadline > %s.",
			words.Seconds(int64(renew)))}}
}

// The constant chance is −ln(10⁻⁶). A goal counts as impossible if its probability is less than one in a million. If
// a run has 13.8 losses on average, the probability of a run without any is e^−13.8, which is one in a million.
const chance = 13.8

// electedNs is an upper limit for the length of a run's first election, with a wide margin.
const electedNs = 60 * second

// `waiting` returns the renewDeadline that a latency goal with a p99 needs. A request times out after half of
// renewDeadline. If both the first and the second answer take longer than that, a renewal fails. A run without a fault
// has at least one renewal in each span of retryPeriod plus renewDeadline.
func waiting(latency int64, runs int) bound {
	if latency == 0 {
		return bound{}
	}
	late := func(ns float64) float64 {
		return study.Tail(study.Log(ns/float64(typical(latency))) / spread(latency))
	}
	losses := func(renew float64) float64 {
		renewals := float64(calmNs-electedNs) / (renew * (1 + float64(jitterDen)/jitterNum))
		p := late(renew/2 + 1e6)
		return float64(runs) * renewals * p * p
	}
	low, high := 0.0, 4*float64(latency) // below this, the adviser's requests time out after half of renewDeadline
	if losses(high) > chance {
		low = high
	}
	for range 60 {
		if middle := (low + high) / 2; losses(middle) > chance {
			low = middle
		} else {
			high = middle
		}
	}
	p := late(low/2 + 1e6)
	length := words.Seconds(int64(low))
	return bound{ns: low, proof: []string{
		fmt.Sprintf(
			"With a renewDeadline of %s a request times out after %s, so a renewal has two tries. %.2g %% of answers "+
				"take longer than that, and in one renewal in %s both tries fail.",
			length, words.Seconds(int64(low/2)), 100*p, words.Thousands(int64(1/(p*p)))),
		fmt.Sprintf(
			"With a shorter renewDeadline more renewals fail: the odds of keeping the lock in all of %s ten-minute "+
				"runs are below one in a million. So renewDeadline > %s.", words.Thousands(int64(runs)), length),
	}}
}
