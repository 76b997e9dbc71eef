package advise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
)

// Goal is a figure with the bound that the user wants. Whether the bound is a minimum or a maximum depends on the kind.
type Goal struct {
	*Kind
	Share float64 // share of runs within the bound; only for kinds with quantiles
	Bound int64   // in nanoseconds, or in thousandths of a count
}

// Kind is a kind of goal that users can ask for. To add a kind, add a probe, or measure another figure in an existing
// probe's runs.
type Kind struct {
	Name      string
	Help      string
	length    bool // the bound is a duration; otherwise it is a number
	quantiles bool // NAME-p50, NAME-p95 and NAME-max also exist
	atLeast   bool // the bound is a minimum
	probe     probe
}

// The names of the kinds.
const (
	Survive  = "survive"
	Takeover = "takeover"
	Writes   = "writes"
	Requests = "requests"
	Latency  = "latency"
	Overlap  = "overlap"
)

var kinds = []Kind{
	{Name: Survive, Help: "the leader keeps its lock while the API is away for this long", length: true, atLeast: true,
		probe: outage},
	{Name: Takeover, Help: "after a crash of the leader another one leads within this time, at p99", length: true,
		quantiles: true, probe: crash},
	{Name: Writes, Help: "at most this many writes a minute for the lock", probe: calm},
	{Name: Requests, Help: "at most this many requests a minute by all candidates", probe: calm},
	{Name: Latency, Help: "the leader keeps its lock at this p99 of the API's latency", length: true, probe: calm},
	{Name: Overlap, Help: "two lead for at most this time when the leader is cut off", length: true, probe: cut},
}

// Kinds lists the kinds of goals that users can ask for.
func Kinds() []Kind { return slices.Clone(kinds) }

// `shares` lists the quantiles that a goal may name.
var shares = []struct {
	name  string
	share float64
}{{"p99", 0.99}, {"p50", 0.5}, {"p95", 0.95}, {"max", 1}}

// Limits of the bounds.
const (
	minLength = int64(time.Millisecond)
	maxLength = int64(10 * time.Minute)
	minNumber = 0.5
	maxNumber = 100_000
	thousand  = 1000
)

// ParseGoals parses goals such as survive=60s, takeover=30s, takeover-p50=20s and writes=10. Each goal may appear
// only once, but takeover and takeover-p50 are different goals.
func ParseGoals(texts []string) ([]Goal, error) {
	if len(texts) == 0 {
		return nil, fmt.Errorf("a goal is missing, such as takeover=30s; %s", knownGoals())
	}
	var goals []Goal
	for _, text := range texts {
		g, err := parseGoal(text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(goals, func(have Goal) bool { return have.Label() == g.Label() }) {
			return nil, fmt.Errorf("%s: the goal appears twice", g.Label())
		}
		goals = append(goals, g)
	}
	return goals, nil
}

// Wish returns the sentence that states what the goals ask for.
func Wish(goals []Goal) string {
	return "You want to " + strings.Join(elements.Of(goals, func(one Goal) string { return one.Says() }), ", ") + "."
}

func parseGoal(text string) (Goal, error) {
	name, bound, found := strings.Cut(text, "=")
	base, quantile, _ := strings.Cut(name, "-")
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == base })
	if i < 0 {
		near := ""
		if word := scenario.Nearest(base, names()); word != "" {
			near = fmt.Sprintf("; did you mean %q?", word)
		}
		return Goal{}, fmt.Errorf("unknown goal %q%s; %s", name, near, knownGoals())
	}
	g := Goal{Kind: &kinds[i]}
	if g.quantiles {
		g.Share = shares[0].share
	}
	if quantile != "" {
		k := slices.IndexFunc(shares, func(s struct {
			name  string
			share float64
		}) bool {
			return s.name == quantile
		})
		if k < 0 || !g.quantiles {
			return Goal{},
				fmt.Errorf(
					"unknown goal %q: only takeover has quantiles: takeover-p50, -p95, -p99 and "+
						"-max", name)
		}
		g.Share = shares[k].share
	}
	if !found || bound == "" {
		return Goal{}, fmt.Errorf("%s: the bound is missing, such as %s", name, example(g.Kind))
	}
	if g.length {
		d, err := time.ParseDuration(bound)
		if err != nil || int64(d) > maxLength || (int64(d) < minLength && (d != 0 || g.Name != Overlap)) {
			return Goal{}, fmt.Errorf("%s: %q must be a length from 1ms to 10m with its unit, such as %s", name, bound,
				example(g.Kind))
		}
		g.Bound = int64(d)
		return g, nil
	}
	number, err := strconv.ParseFloat(bound, 64)
	if err != nil || !(number >= minNumber && number <= maxNumber) {
		return Goal{}, fmt.Errorf("%s: %q must be a number from %v to %d, such as %s", name, bound, minNumber,
			maxNumber, example(g.Kind))
	}
	g.Bound = int64(number*thousand + 0.5)
	return g, nil
}

func example(k *Kind) string {
	if k.length {
		return k.Name + "=30s"
	}
	return k.Name + "=10"
}

func names() []string {
	return elements.Of(kinds, func(k Kind) string { return k.Name })
}

// knownGoals lists the goals that the adviser can measure.
func knownGoals() string {
	return "use one of: " + strings.Join(names(), ", ") + " (takeover-p50, -p95 and -max, too)"
}

// Label returns the goal's name as users write it, without the bound.
func (g *Goal) Label() string {
	for i, s := range shares {
		if g.quantiles && s.share == g.Share && i > 0 {
			return g.Name + "-" + s.name
		}
	}
	return g.Name
}

// String formats the goal the way ParseGoals expects it.
func (g *Goal) String() string {
	if g.length {
		return g.Label() + "=" + strconv.FormatFloat(float64(g.Bound)/1e9, 'f', -1, 64) + "s"
	}
	return g.Label() + "=" + strconv.FormatFloat(float64(g.Bound)/thousand, 'f', -1, 64)
}

// quantile returns the word for the share.
func (g *Goal) quantile() string {
	for _, s := range shares {
		if s.share == g.Share {
			return s.name
		}
	}
	return ""
}

// `value` formats a measured value of the goal. Without a takeover, the text is "never".
func (g *Goal) value(v int64) string {
	switch {
	case g.length && v == never:
		return "never"
	case g.length:
		return words.WholeSeconds(v)
	}
	return strconv.FormatFloat(float64(v)/thousand, 'f', 1, 64)
}

// Says returns the goal as the second part of a sentence, after the subject.
func (g *Goal) Says() string {
	bound := g.value(g.Bound)
	switch g.Name {
	case Survive:
		return "survive " + bound + " without the API"
	case Takeover:
		return "take over within " + bound + " at " + g.quantile()
	case Writes:
		return "write the lock at most " + strings.TrimSuffix(bound, ".0") + " times a minute"
	case Requests:
		return "make at most " + strings.TrimSuffix(bound, ".0") + " requests a minute"
	case Latency:
		return "keep the lock with a p99 latency of " + bound
	}
	return "have two leaders for at most " + bound
}
