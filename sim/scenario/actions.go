package scenario

import (
	"reflect"
	"slices"
	"sort"
	"strings"
)

// actions checks the actions in the order in which they happen: an action that begins or ends something decides which
// later ones are possible.
func (v *validator) actions() *FieldError {
	order := make([]int, len(v.s.Actions))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return v.s.Actions[order[i]].At < v.s.Actions[order[j]].At })
	v.settings, v.removed = newSettings(v.s), map[string]Duration{}
	for _, i := range order {
		if err := v.action(v.s.Actions[i], index("actions", i)); err != nil {
			return err
		}
	}
	return nil
}

func (v *validator) action(a Action, path string) *FieldError {
	act := ActNamed(a.Act)
	if act == nil { // the word is empty; checkWord has refused unknown ones
		return refuse(join(path, "act"), a.Act, "must be "+listWords(actWords(), "or"))
	}
	if err := act.checkFields(a, path); err != nil {
		return err
	}
	if a.At > v.s.Duration {
		return refuseDuration(join(path, "at"), a.At, "lies after the end of the run at "+v.s.Duration.String())
	}
	if a.At+a.Within > v.s.Duration {
		return refuseDuration(join(path, "within"), a.Within, "lets the act happen after the end of the run at "+
			v.s.Duration.String())
	}
	if err := v.target(a, path); err != nil || act.follows == nil {
		return err
	}
	return act.follows(v, a, path)
}

// checkFields checks the fields of an action by themselves.
func (a *Act) checkFields(action Action, path string) *FieldError {
	v := reflect.ValueOf(action)
	given := map[string]bool{}
	for _, f := range fieldsOf(v.Type()) {
		if f.required || f.name == "within" || v.Field(f.index).IsZero() {
			continue // every act may have it
		}
		given[f.name] = true
		if !slices.Contains(a.Takes, f.name) {
			return refuseField(join(path, f.name), "does not belong to act "+quote(a.Word)+", which takes "+
				listWords(a.Takes, "and"))
		}
	}
	for _, name := range a.Needs {
		if !given[name] {
			return refuseField(join(path, name), "missing; act "+quote(a.Word)+" needs it")
		}
	}
	if len(a.OneOf) > 0 && !slices.ContainsFunc(a.OneOf, func(name string) bool { return given[name] }) {
		return refuseField(path, "act "+quote(a.Word)+" needs "+listWords(a.OneOf, "or"))
	}
	if a.fits == nil {
		return nil
	}
	return a.fits(action, path)
}

// target must name a node that is there at that instant.
func (v *validator) target(a Action, path string) *FieldError {
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
	if left, gone := v.removed[a.Target]; gone {
		return refuse(path, a.Target, "was removed at "+left.String()+"; a removed node never returns")
	}
	if joins > a.At {
		return refuse(path, a.Target, "joins only at "+joins.String()+", after this act at "+a.At.String())
	}
	return nil
}

// addedLater returns when an add action adds a node of that name. It runs at most once, for an error.
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
