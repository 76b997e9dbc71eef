package scenario

import (
	"reflect"
	"slices"
	"sort"
	"strings"
)

// `actions` checks the actions in the order in which they happen, because earlier actions decide which later ones are
// possible. A resume, for example, needs a pause, and an act on a node needs the node. The document may list acts in
// any order. So the check goes through a list of indices sorted by time, and the paths in errors have the author's
// numbers.
func (v *validator) actions() {
	order := make([]int, len(v.s.Actions))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return v.s.Actions[order[i]].At < v.s.Actions[order[j]].At })
	v.settings, v.removed = newSettings(v.s), map[string]Duration{}
	for _, i := range order {
		if v.full() {
			return
		}
		v.action(v.s.Actions[i], index("actions", i))
	}
}

// `action` checks one act against the state after all earlier ones. An unreadable act might end any cut and any pause,
// so after such an act the checks forget all cuts and pauses. It is better to miss an error than to report one that
// goes away when the author fixes the act.
func (v *validator) action(a Action, path string) {
	if a.At > v.s.Duration {
		v.add(refuseDuration(join(path, "at"), a.At, "lies after the end of the run at "+v.s.Duration.String()))
	} else if a.At+a.Within > v.s.Duration {
		v.add(refuseDuration(join(path, "within"), a.Within, "lets the act happen after the end of the run at "+
			v.s.Duration.String()))
	}
	v.target(a, path)
	act := ActNamed(a.Act)
	if act == nil && a.Act == "" {
		v.add(refuse(join(path, "act"), a.Act, "must be "+listWords(actWords(), "or")))
	}
	if act == nil || v.doubts[path] {
		v.cuts, v.paused = nil, nil // the act may end them
		return
	}
	if !v.checkFields(act, a, path) {
		return
	}
	if act.fits != nil {
		act.fits(v, a, path)
	}
	if act.follows != nil {
		act.follows(v, a, path)
	}
}

// checkFields checks which fields an action has. It returns false if one is missing. A field that is zero counts as
// missing, since a Scenario cannot tell the two apart. So a field for which zero means something is a pointer.
func (v *validator) checkFields(act *Act, action Action, path string) bool {
	fields := reflect.ValueOf(action)
	given := map[string]bool{}
	for _, f := range fieldsOf(fields.Type()) {
		if f.required || f.name == "within" || fields.Field(f.index).IsZero() {
			continue // every act may have it
		}
		given[f.name] = true
		if !slices.Contains(act.Takes, f.name) {
			v.add(refuseField(join(path, f.name), "does not belong to act "+quote(act.Word)+", which takes "+
				listWords(act.Takes, "and")))
		}
	}
	whole := true
	for _, name := range act.Needs {
		if !given[name] {
			v.add(refuseField(join(path, name), "missing; act "+quote(act.Word)+" needs it"))
			whole = false
		}
	}
	if len(act.OneOf) > 0 && !slices.ContainsFunc(act.OneOf, func(name string) bool { return given[name] }) {
		v.add(refuseField(path, "act "+quote(act.Word)+" needs "+listWords(act.OneOf, "or")))
		return false
	}
	return whole
}

// `target` checks that the target is a node that exists at that instant: it must have joined by then, and must not have
// left. If a name elsewhere in the document is unreadable, it might be the target's, so then `target` does not report
// unknown names.
func (v *validator) target(a Action, path string) {
	if a.Target == "" || a.Target == TargetHolder || a.Target == TargetEverybody {
		return
	}
	path = join(path, "target")
	joins, known := v.joined[a.Target]
	left, gone := v.removed[a.Target]
	switch {
	case !known && v.nameless:
	case !known:
		if at, later := v.addedLater(a.Target); later {
			v.relate(refuse(path, a.Target, "joins only at "+at.String()+", after this act at "+a.At.String()))
			return
		}
		v.add(v.refuseNode(path, a.Target))
	case gone:
		v.relate(refuse(path, a.Target, "was removed at "+left.String()+"; a removed node never returns"))
	case joins > a.At:
		v.relate(refuse(path, a.Target, "joins only at "+joins.String()+", after this act at "+a.At.String()))
	}
}

// addedLater returns the instant at which an add action adds a node with that name. Only an error message uses the
// result. The names of added candidates are unknown until their act, because the checks go forward in time.
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

// refuseNode says that no node has a name. Replicas are the usual mistake: a candidate web with replicas has no node
// web, but web-0. So the error lists names, which helps more than a guess.
func (v *validator) refuseNode(path, name string) *FieldError {
	for _, n := range v.names {
		if strings.HasPrefix(n, name+"-") {
			return refuse(path, name, "names no node: it has replicas; did you mean "+quote(n)+"?")
		}
	}
	if near := nearest(name, v.names); near != "" && len(v.names) > 8 {
		return refuse(path, name, "names no node; did you mean "+quote(near)+"?")
	}
	return refuse(path, name, "names no node; use one of "+listWords(v.names, "and"))
}
