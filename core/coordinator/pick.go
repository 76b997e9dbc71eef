package coordinator

import (
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
)

// conflict names two candidates whose strategies contradict each other. Both are -1 if the lists as a whole
// contradict each other.
type conflict struct{ a, b int32 }

// strategyOf returns the strategy that a list of candidates asks for. With one strategy each, it also returns the
// candidate that decides.
func (m *Machine) strategyOf(list []int32) (strategy coordination.Symbol, decider int32, c conflict, ok bool) {
	if m.config.Lists {
		strategy, ok = m.strategyOfLists(list)
		return strategy, -1, conflict{-1, -1}, ok
	}
	decider = list[0]
	for _, i := range list[1:] {
		best, other := &m.cache.candidates[decider], &m.cache.candidates[i]
		switch order := best.binary.Compare(other.binary.Version); {
		case order < 0:
			decider = i
		case order == 0 && other.Spec.Strategy != best.Spec.Strategy:
			return 0, decider, conflict{decider, i}, false
		}
	}
	return m.cache.candidates[decider].Spec.Strategy, decider, conflict{-1, -1}, true
}

// strategyOfLists is the older rule, for lists of preferredStrategies. A name supersedes every name that comes after it
// in any list. The result is the one name that supersedes all others. If no name does, or if a name supersedes itself,
// the lists have no result. So [X] and [Y, X] give Y. But [X, Y] and [Y, X] have no result, and [X] and [Y] have none
// either.
// Source: kubernetes 7a4c962 election.go pickBestStrategy, topologicalSortWithOneRoot.
func (m *Machine) strategyOfLists(list []int32) (coordination.Symbol, bool) {
	var names []string
	var edges [][2]int
	number := func(name string) int {
		if i := slices.Index(names, name); i >= 0 {
			return i
		}
		names = append(names, name)
		return len(names) - 1
	}
	for _, i := range list {
		wanted := strings.Split(m.config.Symbols.Text(m.cache.candidates[i].Spec.Strategy), ",")
		for k := range wanted {
			n := number(wanted[k])
			if k > 0 {
				edges = append(edges, [2]int{number(wanted[k-1]), n})
			}
		}
	}
	above := make([]int, len(names)) // number of edges that lead to a name
	for _, e := range edges {
		above[e[1]]++
	}
	var sorted []int
	for i := range names {
		if above[i] == 0 {
			sorted = append(sorted, i)
		}
	}
	if len(sorted) != 1 {
		return 0, false
	}
	for next := 0; next < len(sorted); next++ {
		for _, e := range edges {
			if e[0] != sorted[next] {
				continue
			}
			if above[e[1]]--; above[e[1]] == 0 {
				sorted = append(sorted, e[1])
			}
		}
	}
	if len(sorted) != len(names) {
		return 0, false
	}
	return m.config.Symbols.Intern(names[sorted[0]]), true
}

// electeeOf returns the best candidate of a list by OldestEmulationVersion, or -1 if none has two readable versions.
// It ignores the strategy that a candidate asks for. Source: kubernetes v1.36.2 election.go
// pickBestLeaderOldestEmulationVersion.
func (m *Machine) electeeOf(list []int32) int32 {
	best := int32(-1)
	for _, i := range list {
		c := &m.cache.candidates[i]
		if c.emulation.bad || c.binary.bad {
			continue
		}
		if best < 0 || m.compare(best, i).better < 0 {
			best = i
		}
	}
	return best
}

// comparison tells which of two candidates is better, and why. A positive number means that the first is better.
type comparison struct {
	better int
	by     Advantage
}

// compare compares two candidates, given in the order of the list. The older emulation version wins, then the older
// binary, then the earlier creation. Otherwise the first in the list wins: by its name, or by chance (Config.Flaps).
func (m *Machine) compare(first, second int32) comparison {
	a, b := &m.cache.candidates[first], &m.cache.candidates[second]
	if order := b.emulation.Compare(a.emulation.Version); order != 0 {
		return comparison{order, OlderEmulation}
	}
	if order := b.binary.Compare(a.binary.Version); order != 0 {
		return comparison{order, OlderBinary}
	}
	switch {
	case a.CreatedSeconds < b.CreatedSeconds:
		return comparison{1, CreatedEarlier}
	case a.CreatedSeconds > b.CreatedSeconds: // only if chance orders the list
		return comparison{-1, CreatedEarlier}
	case m.config.Flaps:
		return comparison{1, ByChance}
	}
	return comparison{1, NameBefore}
}
