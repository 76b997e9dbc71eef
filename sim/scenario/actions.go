package scenario

import (
	"reflect"
	"slices"
	"sort"
	"strings"
)

// actions are checked in the order in which they happen, since add, remove and set change what later ones may do.
func (v *validator) actions() *FieldError {
	order := make([]int, len(v.s.Actions))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return v.s.Actions[order[i]].At < v.s.Actions[order[j]].At })
	settings := newSettings(v.s)
	removed := map[string]Duration{}
	var faults faults
	for _, i := range order {
		a, path := v.s.Actions[i], index("actions", i)
		if err := checkAction(a, path); err != nil {
			return err
		}
		if a.At > v.s.Duration {
			return refuseDuration(join(path, "at"), a.At, "lies after the end of the run at "+v.s.Duration.String())
		}
		if err := v.target(a, path, removed); err != nil {
			return err
		}
		if err := faults.act(v.s, a, path); err != nil {
			return err
		}
		switch a.Act {
		case ActAdd:
			if err := v.candidate(*a.Candidate, join(path, "candidate"), a.At); err != nil {
				return err
			}
			settings.add(v.s, *a.Candidate)
		case ActRemove:
			removed[a.Target] = a.At
		case ActSet:
			if err := settings.set(a, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkAction checks the act's own fields against its rule.
func checkAction(a Action, path string) *FieldError {
	rule, known := actRule(a.Act)
	if !known { // only the empty word arrives here; checkWord refused the others
		return refuse(join(path, "act"), a.Act, "must be "+listWords(acts(), "or"))
	}
	v := reflect.ValueOf(a)
	given := map[string]bool{}
	for _, f := range fieldsOf(v.Type()) {
		if f.required || v.Field(f.index).IsZero() {
			continue
		}
		given[f.name] = true
		if !slices.Contains(rule.Takes, f.name) {
			return refuseField(join(path, f.name), "does not belong to act "+quote(a.Act)+", which takes "+listWords(rule.Takes, "and"))
		}
	}
	for _, name := range rule.Needs {
		if !given[name] {
			return refuseField(join(path, name), "missing; act "+quote(a.Act)+" needs it")
		}
	}
	if len(rule.OneOf) > 0 && !slices.ContainsFunc(rule.OneOf, func(name string) bool { return given[name] }) {
		return refuseField(path, "act "+quote(a.Act)+" needs "+listWords(rule.OneOf, "or"))
	}
	switch a.Act {
	case ActWrite:
		return checkWrite(a, path)
	case ActRequest:
		return checkRequest(a, path)
	case ActUpgrade:
		return checkVersions(join(path, "binaryVersion"), join(path, "emulationVersion"), a.BinaryVersion, a.EmulationVersion)
	}
	return nil
}

// checkRequest: only writes are acts, and a header has a name.
func checkRequest(a Action, path string) *FieldError {
	if !strings.HasPrefix(a.Path, "/") {
		return refuse(join(path, "path"), a.Path, `must begin with "/", as in "/apis/coordination.k8s.io/v1/namespaces/default/leases/demo"`)
	}
	for i, h := range a.Headers {
		if name, _, found := strings.Cut(h, ":"); !found || strings.TrimSpace(name) == "" {
			return refuse(index(join(path, "headers"), i), h, `must look like "Content-Type: application/json"`)
		}
	}
	return nil
}

// checkWrite: each op of a write takes its own part of the fields.
func checkWrite(a Action, path string) *FieldError {
	takesValues := a.Op == OpPut || a.Op == OpPatch
	switch {
	case a.Spec != nil && !takesValues:
		return refuseField(join(path, "spec"), "does not belong to op "+quote(a.Op)+", which writes no values")
	case a.RenewNow && !takesValues:
		return refuseField(join(path, "renewNow"), "does not belong to op "+quote(a.Op)+", which writes no values")
	case len(a.Clear) > 0 && a.Op != OpPatch:
		return refuseField(join(path, "clear"), "does not belong to op "+quote(a.Op)+"; only a patch removes single fields")
	case a.Op == OpPatch && a.Spec == nil && len(a.Clear) == 0 && !a.RenewNow:
		return refuseField(path, "a patch needs spec, clear or renewNow")
	case a.RenewNow && a.Spec != nil && a.Spec.RenewTime != nil:
		return refuseField(join(path, "spec.renewTime"), "contradicts renewNow; keep one of them")
	}
	for i, name := range a.Clear {
		inner := index(join(path, "clear"), i)
		if name == "" {
			return refuse(inner, name, "must be "+listWords(choices["Action.clear"], "or"))
		}
		if slices.Contains(a.Clear[:i], name) {
			return refuse(inner, name, "is given twice")
		}
		if a.Spec.sets(name) || (name == "renewTime" && a.RenewNow) {
			return refuse(inner, name, "is also written by this action; keep one of them")
		}
	}
	return nil
}

func (l *LeaseSpec) sets(name string) bool {
	if l == nil {
		return false
	}
	v := reflect.ValueOf(*l)
	f, known := findField(fieldsOf(v.Type()), name)
	return known && !v.Field(f.index).IsNil()
}

// target must name somebody who is there at that instant.
func (v *validator) target(a Action, path string, removed map[string]Duration) *FieldError {
	if a.Target == "" || a.Target == TargetHolder || a.Target == TargetEverybody {
		return nil
	}
	path = join(path, "target")
	joins, known := v.joined[a.Target]
	if !known {
		if at, later := v.addedLater(a.Target); later {
			return refuse(path, a.Target, "joins only at "+at.String()+", after this act at "+a.At.String())
		}
		return v.refuseNode(path, a.Target)
	}
	if left, gone := removed[a.Target]; gone {
		return refuse(path, a.Target, "was removed at "+left.String()+"; a removed node never returns")
	}
	if joins > a.At {
		return refuse(path, a.Target, "joins only at "+joins.String()+", after this act at "+a.At.String())
	}
	return nil
}

// addedLater looks among the add actions; it runs at most once, for the sentence of an error.
func (v *validator) addedLater(name string) (Duration, bool) {
	for _, a := range v.s.Actions {
		if a.Candidate == nil {
			continue
		}
		for i := range a.Candidate.count() {
			if a.Candidate.replicaName(i) == name {
				return a.At, true
			}
		}
	}
	return 0, false
}

func (v *validator) refuseNode(path, name string) *FieldError {
	for _, n := range v.names {
		if strings.HasPrefix(n, name+"-") {
			return refuse(path, name, "names no node: it has replicas; did you mean "+quote(n)+"?")
		}
	}
	if near := nearest(name, v.names); near != "" && len(v.names) > 8 {
		return refuse(path, name, "names no node; did you mean "+quote(near)+"?")
	}
	return refuse(path, name, "names no node; there are "+listWords(v.names, "and"))
}
