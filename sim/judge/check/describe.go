package check

import "slices"

// Title returns the title of the rule that the violation breaks.
func (v *Violation) Title() string { return v.check().Title }

// check returns the rule that the violation breaks.
func (v *Violation) check() *check {
	k := slices.IndexFunc(allChecks, func(c check) bool { return c.Name == v.Rule })
	return &allChecks[k]
}

// Who returns the names of the candidates involved, sorted.
func (v *Violation) Who(name func(int32) string) (who []string) {
	for _, i := range append([]int32{v.First, v.Second}, v.Others...) {
		if i >= 0 {
			who = append(who, name(i))
		}
	}
	slices.Sort(who)
	return who
}

// Clause describes an open violation. It follows "From 00:36.889 on: ". name returns the name of a candidate.
func (v *Violation) Clause(name func(int32) string) string {
	rule := v.check()
	if rule.clause == nil {
		return rule.Title
	}
	return rule.clause(v, name(v.First), name(v.Second))
}

// Describe puts a violation into one sentence, with its length if it has one. name returns the name of a candidate.
func (v *Violation) Describe(name func(int32) string, lengthNs int64) string {
	const most = 3 // names of the candidates in Others
	second := name(v.Second)
	for k, i := range v.Others {
		if k == most {
			second += " and others"
			break
		}
		sep := ", "
		if k == len(v.Others)-1 {
			sep = " and "
		}
		second += sep + name(i)
	}
	return v.check().describe(v, name(v.First), second, lengthNs)
}
