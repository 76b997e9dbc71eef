package explore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// Plan says what to explore. The JSON of a Plan has everything that the schedules depend on.
type Plan struct {
	Scenario scenario.Scenario // the scenario, including its acts
	Sets     []string          // fields with the values to choose from, as PATH=VALUES like a sweep's
	Draws    []float64         // draws of jitter (see Low), the default first; empty for the scenario's draws
	// extra times that each request and answer may take; taking no extra time is always an option; empty for no
	// delays
	DelaysNs []int64
	// try every order of simultaneous acts, requests and answers; two acts always keep the scenario's order
	Order   bool
	FromNs  int64  // choices start here
	ToNs    int64  // choices end here; 0 for UntilNs
	UntilNs int64  // schedules end here; 0 for the scenario's end
	Rules   []Rule // rules to check; empty for the safety rules
	Depth   int    // maximum number of choices per schedule; after these, defaults apply; 0 for any number
	States  int    `json:"-"` // stop at this many states; 0 for DefaultStates

	// Variants of the search, for comparison in tests.
	everyOrder bool // search without partial-order reduction
	exact      bool // include the observed records in a state even if nothing depends on them
	apart      bool // treat all states as different
	keepEnds   bool // keep the states at the end of schedules
}

// Limits of a plan.
const (
	DefaultStates = 5_000_000
	MaxStates     = 200_000_000 // about 12 GB
	MaxCandidates = 16
	MaxDraws      = 9
	MaxDelays     = 9
)

// Named draws of jitter. The wait is retryPeriod, 1.6 times retryPeriod, or just under 2.2 times. A search may
// shorten the middle and the high wait by up to 1 ns, so that two middle waits together are exactly as long as a low
// and a high one. Then many more states are identical.
const (
	Low    = 0
	Middle = 0.5
	High   = 1 - 0x1p-53
)

// ParseDraws parses "low,middle,high", or numbers from 0 up to 1. If the list has the middle draw, that draw is the
// default, and otherwise the first draw is.
func ParseDraws(text string) ([]float64, error) {
	if text == "none" || text == "" {
		return nil, nil
	}
	var all []float64
	for word := range strings.SplitSeq(text, ",") {
		draw, known := map[string]float64{"low": Low, "middle": Middle, "high": High}[word]
		if !known {
			var err error
			if draw, err = strconv.ParseFloat(word, 64); err != nil || !(draw >= 0 && draw < 1) {
				return nil,
					fmt.Errorf(
						"%q must be low, middle, high or a draw from 0 to below 1, or several of them with commas, "+
							"or none", word)
			}
		}
		if slices.Contains(all, draw) {
			return nil, fmt.Errorf("%q appears twice", word)
		}
		all = append(all, draw)
	}
	if len(all) > MaxDraws {
		return nil, fmt.Errorf("%d draws; the limit is %d", len(all), MaxDraws)
	}
	if k := slices.Index(all, Middle); k > 0 {
		all = slices.Insert(slices.Delete(all, k, k+1), 0, Middle)
	}
	return all, nil
}

// ParseDelays parses durations separated by commas, such as "500ms,2s". They must be above 0, because "no delay" is
// always one of the options.
func ParseDelays(text string) ([]int64, error) {
	if text == "none" || text == "" {
		return nil, nil
	}
	values, err := grid.Values(text)
	if err != nil {
		return nil, err
	}
	var all []int64
	for _, word := range values {
		d, err := time.ParseDuration(word)
		if err != nil || d < 0 {
			return nil,
				fmt.Errorf("%q must be a length such as 500ms, a list with commas, FROM..TO/STEP, or none",
					word)
		}
		if d > 0 && !slices.Contains(all, int64(d)) {
			all = append(all, int64(d))
		}
	}
	if len(all) > MaxDelays {
		return nil, fmt.Errorf("%d lengths; the limit is %d", len(all), MaxDelays)
	}
	return all, nil
}

// BoundError says that a bound of a plan is invalid. The page shows the error beside the field of that bound.
type BoundError struct {
	Bound string // name of the bound's flag and form field, such as "window"
	error        // a sentence that begins with the bound's name
}

// refuse returns an error. The error is a sentence of the bound's name and the given text.
func refuse(bound, format string, values ...any) error {
	return &BoundError{bound, fmt.Errorf(bound+format, values...)}
}

// Read parses the bounds that flags and forms give as text. Its errors are of type BoundError. An empty text leaves
// the bound at its default, and "none" allows no draws or delays.
func (p *Plan) Read(jitter, delay, window string, rules []string) (err error) {
	if p.Draws, err = ParseDraws(jitter); err != nil {
		return refuse("jitter", ": %w", err)
	}
	if p.DelaysNs, err = ParseDelays(delay); err != nil {
		return refuse("delay", ": %w", err)
	}
	for _, text := range rules {
		rule, err := ParseRule(text)
		if err != nil {
			return refuse("rule", ": %w", err)
		}
		p.Rules = append(p.Rules, rule)
	}
	if window == "" {
		return nil
	}
	from, to, _ := strings.Cut(window, "..")
	first, errFrom := time.ParseDuration(from)
	last, errTo := time.ParseDuration(to)
	if errFrom != nil || errTo != nil || last <= first {
		return refuse("window", " %q must be FROM..TO, such as 20s..45s", window)
	}
	p.FromNs, p.ToNs = int64(first), int64(last)
	return nil
}

// `prepare` checks a plan and fills in its defaults.
func (p *Plan) prepare() error {
	p.Scenario = compile.Pin(p.Scenario)
	end := int64(p.Scenario.Duration)
	p.UntilNs = cmp.Or(p.UntilNs, end)
	p.ToNs = cmp.Or(p.ToNs, p.UntilNs)
	switch {
	case p.UntilNs < 0 || p.UntilNs > end:
		return refuse("until", " %s must lie between 0 and the scenario's duration, %s", time.Duration(p.UntilNs),
			p.Scenario.Duration)
	case p.FromNs < 0 || p.ToNs > p.UntilNs || p.FromNs > p.ToNs:
		return refuse("window", " %s..%s must lie between 0 and the end of the schedules, %s", time.Duration(p.FromNs),
			time.Duration(p.ToNs), time.Duration(p.UntilNs))
	case p.Depth < 0:
		return refuse("depth", " %d must be 0 (no bound) or more", p.Depth)
	case p.States < 0 || p.States > MaxStates:
		return refuse("states", " %d must be 1 to %d", p.States, MaxStates)
	case len(p.Draws) == 0 && len(p.DelaysNs) == 0 && !p.Order && len(p.Sets) == 0:
		return errors.New(
			"nothing to choose: allow jitter, order or delay, or give a field values to choose from")
	}
	p.States = cmp.Or(p.States, DefaultStates)
	if len(p.Rules) == 0 {
		p.Rules = DefaultRules()
	}
	return p.covers()
}

// `covers` refuses a scenario with more state than the search compares. Otherwise claims might be wrong. For example,
// if states did not include the tokens of a rate limiter, a follower with 0 tokens would look like one with 10, and
// the search would skip its future.
func (p *Plan) covers() error {
	s := &p.Scenario
	switch {
	case len(s.APIServers) > 0 || s.Controllers != nil:
		return errors.New("apiServers: " + coordinated + wayOn)
	case s.Heartbeats != nil:
		return errors.New("heartbeats: node monitors have more state than explore compares" + wayOn)
	case s.Server != nil:
		return errors.New("server: the load of an API server is state that explore does not compare" + wayOn)
	}
	r := scenario.Resolve(*s)
	if len(r.Candidates) > MaxCandidates {
		return fmt.Errorf("candidates: %d; the limit of explore is %d", len(r.Candidates), MaxCandidates)
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		field := "candidate " + c.Name + ": "
		if err := p.coversSettings(field, &c.Elector, &c.Network); err != nil {
			return err
		}
		switch {
		case c.Client.QPS != nil && *c.Client.QPS > 0:
			return errors.New(field +
				"client.qps: the tokens of a rate limiter are state that explore does not compare" + wayOn)
		case c.BinaryVersion != "":
			return errors.New(field + coordinated + wayOn)
		}
	}
	return p.coversActs()
}

const (
	wayOn       = "; explore covers elections by Lease alone: leave this out"
	coordinated = "coordinated leader election has more state than explore compares"
)

// coversSettings refuses settings of a candidate or an act that add more state than the search compares.
func (p *Plan) coversSettings(field string, e *scenario.Elector, n *scenario.Network) error {
	switch {
	case n.RequestDistribution != nil || n.ResponseDistribution != nil:
		return errors.New(field +
			"network: a drawn latency has no bounds to explore; give requestLatency or responseLatency, and " +
			"let explore delay messages")
	case n.ReadLag != nil && *n.ReadLag > 0:
		return errors.New(field + "network.readLag" + wayOn)
	case e.Lock != "" && e.Lock != "leases":
		return errors.New(field + "elector.lock " + strconv.Quote(e.Lock) + wayOn)
	case e.Coordinated != nil && *e.Coordinated:
		return errors.New(field + coordinated + wayOn)
	case isZero(n.RequestLatency):
		return p.delaysNothing(field + "network.requestLatency")
	case isZero(n.ResponseLatency):
		return p.delaysNothing(field + "network.responseLatency")
	}
	return nil
}

func isZero(d *scenario.Duration) bool { return d != nil && *d == 0 }

// delaysNothing refuses delays if messages arrive at the instant at which they leave. Then no message is ever under
// way, and the claim would mention delays that cannot happen.
func (p *Plan) delaysNothing(field string) error {
	if len(p.DelaysNs) == 0 {
		return nil
	}
	return refuse("delay", " %s of a message that takes no time: %s is 0s; give it 1ns or more",
		time.Duration(p.DelaysNs[0]), field)
}

// coversActs refuses acts with more state than the search compares, and acts that draw from a random stream.
func (p *Plan) coversActs() error {
	sets := 0
	for i := range p.Scenario.Actions {
		if p.Scenario.Actions[i].Act == scenario.ActSet {
			sets++
		}
	}
	for i := range p.Scenario.Actions {
		a := &p.Scenario.Actions[i]
		field := fmt.Sprintf("actions[%d]: ", i)
		switch {
		case scenario.ActNamed(a.Act).Use.Explore != scenario.Yes:
			return errors.New(field + "act " + a.Act + " brings state that explore does not compare" + wayOn)
		case a.Probability != nil:
			return errors.New(field +
				"probability: explore makes no random draws; give the act a length, and let explore choose its instant")
		case a.RequestDistribution != nil || a.ResponseDistribution != nil:
			return errors.New(field + "a drawn latency has no bounds to explore; give request or response")
		case a.Message != "" && a.Message != scenario.MessageElector:
			return errors.New(field + "message " + a.Message + wayOn)
		case a.Act == scenario.ActSet && a.Target == scenario.TargetHolder && sets > 1:
			// States refer to settings by number, and the same number would mean different settings.
			return errors.New(field +
				"this act set has target holder and is not the only act set: explore does not compare which " +
				"candidate has which settings; name the candidate")
		}
		var err error
		switch {
		case a.Act == scenario.ActSet:
			err = p.coversSettings(field, cmp.Or(a.Elector, &scenario.Elector{}),
				cmp.Or(a.Network, &scenario.Network{}))
		case isZero(a.Request):
			err = p.delaysNothing(field + "request")
		case isZero(a.Response):
			err = p.delaysNothing(field + "response")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fixedSettings reports whether no act changes a candidate's settings.
func fixedSettings(s *scenario.Scenario) bool {
	return !slices.ContainsFunc(s.Actions, func(a scenario.Action) bool { return a.Act == scenario.ActSet })
}
