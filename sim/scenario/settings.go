package scenario

// `settings` tracks every candidate's elector settings through the set actions. So Validate refuses the bad action
// itself, rather than the restart of the node an hour later. Nodes with the same terms share a group, so that a set
// for all nodes needs only one check, however many replicas there are.
type settings struct {
	used   bool // the scenario has set actions to track
	names  []string
	of     map[string]*group
	groups []*group

	servers []string
}

type group struct {
	terms   terms
	members int
}

// newSettings begins with the candidates as the scenario lists them. Without a set action, as in most scenarios, it
// tracks nothing.
func newSettings(s Scenario) settings {
	t := settings{of: map[string]*group{}}
	for _, a := range s.APIServers {
		t.servers = append(t.servers, a.Name)
	}
	for _, a := range s.Actions {
		t.used = t.used || (a.Act == ActSet && a.Elector != nil)
	}
	for _, c := range s.Candidates {
		t.add(s, c)
	}
	return t
}

// add tracks a candidate from the instant at which it joins.
func (t *settings) add(s Scenario, c Candidate) {
	if !t.used {
		return
	}
	g := t.group(termsOf(&s, &c))
	for i := range c.count() {
		t.names = append(t.names, c.replicaName(i))
		t.of[c.replicaName(i)] = g
		g.members++
	}
}

// group finds the group with these terms among the latest groups, or makes one. If it misses a match, each set action
// only needs one more check.
func (t *settings) group(want terms) *group {
	const looked = 16 // most entries of a file are alike, and a missed match is harmless
	for i := len(t.groups) - 1; i >= max(0, len(t.groups)-looked); i-- {
		if t.groups[i].terms == want {
			return t.groups[i]
		}
	}
	g := &group{terms: want}
	t.groups = append(t.groups, g)
	return g
}

// `set` checks the result for every candidate that the action may affect. Validate does not know the holder. So for an
// action on the holder, `set` checks that the new settings are valid for every candidate, and changes none of them.
// Suppose candidate a has leaseDuration 15s and b has 30s, and an action sets the holder's renewDeadline to 20s. That
// is valid for b but not for a. Either may hold the Lease at that instant, so the action is wrong.
func (t *settings) set(a Action, path string) *FieldError {
	if a.Elector == nil {
		return nil
	}
	if a.Target != TargetHolder && a.Target != TargetEverybody {
		return t.setOne(a, path)
	}
	for _, g := range t.groups {
		if g.members == 0 {
			continue
		}
		next, err := t.check(g, a, path)
		if err != nil {
			return err
		}
		if a.Target == TargetEverybody {
			g.terms = next
		}
	}
	return nil
}

// setOne moves a node out of its group, unless it is the only member.
func (t *settings) setOne(a Action, path string) *FieldError {
	g := t.of[a.Target]
	if g == nil {
		for _, s := range t.servers {
			if s == a.Target {
				return refuse(join(path, "target"), a.Target,
					"is an API server; its controllers' election has separate settings")
			}
		}
		return refuse(join(path, "target"), a.Target, "has no elector: it sends heartbeats or watches them")
	}
	next, err := t.check(g, a, path)
	if err != nil {
		return err
	}
	if g.members == 1 {
		g.terms = next
		return nil
	}
	g.members--
	own := t.group(next)
	own.members++
	t.of[a.Target] = own
	return nil
}

// check applies the action to one group and returns the new terms. The error names one node of the group, because the
// author does not know about groups.
func (t *settings) check(g *group, a Action, path string) (terms, *FieldError) {
	next := g.terms.with(a.Elector)
	all, err := checkWords(a.Elector.Dialect, false, join(path, "elector.dialect"))
	if err == nil {
		err = checkLock(a.Elector.Lock, all, a.Elector.Coordinated != nil && *a.Elector.Coordinated,
			join(path, "elector.lock"))
	}
	if err != nil {
		return next, err
	}
	refused := next.refuse([]level{{join(path, "elector"), a.Elector}})
	if len(refused) == 0 {
		return next, nil
	}
	for _, name := range t.names {
		if t.of[name] == g && (name == a.Target || a.Target == TargetHolder || a.Target == TargetEverybody) {
			refused[0].Message += ", on node " + quote(name)
			refused[0].Short += ", on node " + quote(name)
			break
		}
	}
	return next, refused[0]
}
