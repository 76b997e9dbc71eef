package shrink

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// `cycle` makes the passes that repeat as long as the shrink keeps one of their proposals. Passes for large parts come
// first, then passes for values.
func (s *Shrink) cycle() {
	s.dropActs()
	for _, edits := range []func(*scenario.Scenario) []edit{candidates, settings, fieldsOfActs, seeds} {
		s.edit(edits(&s.now))
	}
	for _, n := range numbers(&s.now) {
		s.lower(n)
	}
}

// `round` makes the instants of the acts and the duration rounder.
func (s *Shrink) round() {
	s.edit(roundInstants(&s.now))
	s.lower(duration())
}

// dropActs leaves acts out: all of them, then halves, quarters, and so on down to single acts. If a part is gone, the
// next part is already in its place.
func (s *Shrink) dropActs() {
	for size := len(s.now.Actions); size > 0; size /= 2 {
		for at := 0; at < len(s.now.Actions); {
			end := min(at+size, len(s.now.Actions))
			what := fmt.Sprintf("without acts %d to %d", at+1, end)
			if end == at+1 {
				what = fmt.Sprintf("without act %d, %s", end, s.now.Actions[at].Phrase())
			}
			gone := s.try(what, func(s *scenario.Scenario) bool {
				s.Actions = slices.Delete(s.Actions, at, end)
				return true
			})
			if !gone {
				at += size
			}
		}
	}
}

// edit is a single change to a scenario. It identifies its target by name, so it still fits after the shrink has kept
// another change.
type edit struct {
	what string
	do   func(s *scenario.Scenario) bool // returns false if the scenario stays the same
}

func (s *Shrink) edit(all []edit) {
	for _, one := range all {
		s.try(one.what, one.do)
	}
}

// `candidates` proposes to leave out each candidate, last to first, with its acts. Then it proposes to leave out API
// servers.
func candidates(s *scenario.Scenario) []edit {
	var all []edit
	for _, c := range slices.Backward(s.Candidates) {
		all = append(all, edit{"without candidate " + c.Name, func(s *scenario.Scenario) bool {
			left := len(s.Candidates)
			s.Candidates = slices.DeleteFunc(s.Candidates, func(o scenario.Candidate) bool { return o.Name == c.Name })
			s.Actions = slices.DeleteFunc(s.Actions, func(a scenario.Action) bool {
				return a.Target == c.Name || strings.HasPrefix(a.Target, c.Name+"-")
			})
			return len(s.Candidates) < left && len(s.Candidates) > 0
		}})
	}
	for _, a := range slices.Backward(s.APIServers) {
		all = append(all, edit{"without API server " + a.Name, func(s *scenario.Scenario) bool {
			s.APIServers = slices.DeleteFunc(s.APIServers, func(o scenario.APIServer) bool { return o.Name == a.Name })
			s.Actions = slices.DeleteFunc(s.Actions, func(o scenario.Action) bool { return o.Target == a.Name })
			return true
		}})
	}
	return all
}

// `settings` proposes to reset fields to their defaults: every field with a value in the scenario, its candidates and
// its API servers. Whole groups come first.
func settings(s *scenario.Scenario) []edit {
	return defaults(s, func(name string) bool { return name != "Actions" }, func(of reflect.Type, name string) bool {
		return of == reflect.TypeFor[scenario.Scenario]() &&
			slices.Contains([]string{"APIVersion", "Kind", "Name", "Seed", "Duration", "Actions", "Candidates",
				"APIServers"}, name)
	})
}

// fieldsOfActs proposes to leave out the optional fields of acts.
func fieldsOfActs(s *scenario.Scenario) []edit {
	return defaults(s, func(name string) bool { return name == "Actions" }, func(of reflect.Type, name string) bool {
		return of == reflect.TypeFor[scenario.Scenario]() || of == reflect.TypeFor[scenario.Action]() &&
			slices.Contains([]string{"At", "Act", "Target", "For"}, name)
	})
}

// `defaults` builds an edit for each field that has a value, with some exceptions. Groups come before their members.
// The function enters selects the top-level fields of the scenario that `defaults` descends into.
func defaults(s *scenario.Scenario, enters func(name string) bool,
	keeps func(of reflect.Type, name string) bool) []edit {
	var all []edit
	var enter func(v reflect.Value, path []int, name string)
	enter = func(v reflect.Value, path []int, name string) {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Slice:
			for i := range v.Len() {
				if v.Index(i).Kind() == reflect.Struct {
					enter(v.Index(i), append(slices.Clip(path), i), name+"["+strconv.Itoa(i)+"]")
				}
			}
		case reflect.Struct:
			for i := range v.NumField() {
				field := v.Type().Field(i)
				if v.Field(i).IsZero() || len(path) == 0 && !enters(field.Name) {
					continue
				}
				inner, label := append(slices.Clip(path), i), strings.TrimPrefix(name+"."+lower(field.Name), ".")
				if field.Name != "Name" && !keeps(v.Type(), field.Name) {
					all = append(all, edit{"without " + label,
						func(s *scenario.Scenario) bool { return zero(s, inner) }})
				}
				enter(v.Field(i), inner, label)
			}
		}
	}
	enter(reflect.ValueOf(*s), nil, "")
	return all
}

func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// `zero` sets the field at a path of indexes to its default, and reports whether that changed anything. It also removes
// a group that becomes empty, because files have no empty groups.
func zero(s *scenario.Scenario, path []int) bool {
	v := reflect.ValueOf(s).Elem()
	var groups []reflect.Value
	for _, i := range path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return false
			}
			groups = append(groups, v)
			v = v.Elem()
		}
		if v.Kind() == reflect.Slice {
			if i >= v.Len() {
				return false
			}
			v = v.Index(i)
			continue
		}
		v = v.Field(i)
	}
	if v.IsZero() {
		return false
	}
	v.SetZero()
	for _, group := range slices.Backward(groups) {
		if group.Elem().IsZero() {
			group.SetZero()
		}
	}
	return true
}

// `seeds` proposes the smallest seeds.
func seeds(s *scenario.Scenario) []edit {
	var all []edit
	for seed := range uint64(4) {
		all = append(all, edit{fmt.Sprintf("with seed %d", seed+1), func(s *scenario.Scenario) bool {
			smaller := seed+1 < s.Seed
			s.Seed = seed + 1
			return smaller
		}})
	}
	return all
}

// instantGrids lists the steps to round instants to, the coarsest first.
var instantGrids = []scenario.Duration{10e9, 5e9, 1e9, 500e6, 100e6, 10e6, 1e6}

// mostLaterNs is the coarsest step for rounding an instant up. With a coarser step, 2 s would become 10 s. The next
// cycle would turn 10 s into 2 s again, and so on until the last cycle.
const mostLaterNs = 1e9

// roundInstants moves each act to a rounder instant, which is earlier or a little later.
func roundInstants(s *scenario.Scenario) []edit {
	var all []edit
	for i := range s.Actions {
		for k, grid := range instantGrids {
			for _, up := range []scenario.Duration{0, grid} {
				all = append(all, edit{fmt.Sprintf("act %d at a multiple of %s", i+1, grid),
					func(s *scenario.Scenario) bool {
						if i >= len(s.Actions) || up > mostLaterNs ||
							slices.ContainsFunc(instantGrids[:k+1],
								func(g scenario.Duration) bool { return s.Actions[i].At%g == 0 }) {
							return false
						}
						a := &s.Actions[i]
						a.At = a.At/grid*grid + up
						return true
					}})
			}
		}
	}
	return all
}
