package scenario

import "time"

// client-go's NewLeaderElector refuses three durations that do not fit together. A scenario must refuse the same
// durations, because no real elector could run with them. The hard part is to find the field to blame: the three
// values may come from five layers, and usually the author has just changed one of them.

// terms are the three durations that client-go's NewLeaderElector compares. NewLeaderElector requires leaseDuration >
// renewDeadline > 1.2 × retryPeriod > 0. The first relation makes the leader give up before the followers take over,
// and the second leaves time for at least one retry.
type terms struct {
	lease, deadline, retry time.Duration
}

// termsOf applies the levels to the defaults, from the outermost to the innermost.
func termsOf(s *Scenario, c *Candidate) terms {
	t := terms{}.with(&defaults.Elector)
	for _, e := range []*Elector{&presetNamed(s.Preset).elector, &s.Elector, &presetNamed(c.Preset).elector,
		c.Elector} {
		t = t.with(e)
	}
	return t
}

// `with` returns a copy of the terms with the values that a level sets.
func (t terms) with(e *Elector) terms {
	if e != nil {
		override(&t.lease, e.LeaseDuration)
		override(&t.deadline, e.RenewDeadline)
		override(&t.retry, e.RetryPeriod)
	}
	return t
}

// level is a source of settings: the scenario, a candidate or a set action. Lists of levels go from the outermost to
// the innermost. path is the path of the level's group in the document.
type level struct {
	path    string
	elector *Elector
}

// checkElector applies the checks of NewLeaderElector in its order, with its messages. It blames the field of the
// innermost level: for leaseDuration: 8s on one candidate, the error is about that field.
func (v *validator) checkElector(t terms, levels ...level) {
	for _, e := range t.refuse(levels) {
		v.relate(e, "elector", "preset")
		v.termless = true
	}
}

// `refuse` lists the errors of NewLeaderElector. Each error is about two fields, and refuse blames the one that the
// innermost level sets; if that level sets both, it blames renewDeadline. Example: the scenario sets renewDeadline
// 10s, and candidate b sets leaseDuration 8s. The error names candidates[1].elector.leaseDuration, not the scenario.
func (t terms) refuse(levels []level) (all []*FieldError) {
	const longer, jitter = "leaseDuration must be greater than renewDeadline",
		"renewDeadline must be greater than retryPeriod*JitterFactor"
	add := func(path string, d time.Duration, rule, upstream string) {
		e := refuse(path, d.String(), rule+" (client-go refuses it: "+upstream+")")
		e.Short = refuse(path, d.String(), rule).Message
		all = append(all, e)
	}
	jittered := time.Duration(1.2 * float64(t.retry)) // as in client-go, truncated; client-go refuses equality, too
	if t.lease <= t.deadline {
		if path, ok := writtenLast(levels, "renewDeadline", "leaseDuration"); ok {
			add(path, t.deadline, "must be shorter than leaseDuration "+quote(t.lease.String()), longer)
		} else {
			path, _ = writtenLast(levels, "leaseDuration", "renewDeadline")
			add(path, t.lease, "must be longer than renewDeadline "+quote(t.deadline.String()), longer)
		}
	}
	if t.deadline <= jittered {
		if path, ok := writtenLast(levels, "renewDeadline", "retryPeriod"); ok {
			add(path, t.deadline, "must be longer than 1.2 times retryPeriod "+quote(t.retry.String())+", which is "+
				jittered.String(), jitter)
		} else {
			path, _ = writtenLast(levels, "retryPeriod", "renewDeadline")
			add(path, t.retry, "is too long: 1.2 times it, "+jittered.String()+
				", must be shorter than renewDeadline "+quote(t.deadline.String()), jitter)
		}
	}
	if t.retry < 1 {
		path, _ := writtenLast(levels, "retryPeriod", "")
		add(path, t.retry, "must be longer than zero", "retryPeriod must be greater than zero")
	}
	return all
}

// writtenLast finds the innermost level that sets the field; ok is false if a level inside that one sets the other
// field.
func writtenLast(levels []level, field, other string) (path string, ok bool) {
	for i := len(levels) - 1; i >= 0; i-- {
		if levels[i].sets(field) {
			return join(levels[i].path, field), true
		}
		if levels[i].sets(other) {
			break
		}
	}
	return join(levels[len(levels)-1].path, field), false
}

// `sets` reports whether a level itself has a value for a field.
func (l level) sets(field string) bool {
	switch field {
	case "leaseDuration":
		return l.elector.LeaseDuration != nil
	case "renewDeadline":
		return l.elector.RenewDeadline != nil
	case "retryPeriod":
		return l.elector.RetryPeriod != nil
	}
	return false
}
