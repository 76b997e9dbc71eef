package scenario

import "slices"

// expandDraws is the scenario with its presets written out as settings and each shorthand as the acts that it stands
// for. What a Part says of a condition is lost: there the world skips an act that finds nothing to do. A crash or a
// stop of holder or * stays, because its second part is about the nodes that the first one met. Instants that the seed
// draws must be written down.
func expandDraws(s Scenario) Scenario {
	x := s.Clone()
	x.Preset = ""
	writeOut(presetNamed(s.Preset), &x.Elector, &x.Process)
	if all := new(Candidate); releasesAfterWork(&s, all) != releasesAfterWork(&x, all) {
		x.Elector.ReleaseAfterWork = new(releasesAfterWork(&s, all))
	}
	for i := range x.Candidates {
		c := &x.Candidates[i]
		expandCandidate(&s, &x, &s.Candidates[i], c)
	}
	x.Actions = nil
	for i := range s.Actions {
		x.Actions = append(x.Actions, expandedAct(&s, &x, &s.Actions[i])...)
	}
	return x
}

// expandedAct lists the acts that an act stands for, shorthands among them written out too.
func expandedAct(s, x *Scenario, a *Action) []Action {
	parts := Parts(*s, a)
	if parts == nil || a.Target == TargetHolder || a.Target == TargetEverybody {
		one := Scenario{Actions: []Action{*a}}.Clone().Actions
		if c := one[0].Candidate; c != nil {
			expandCandidate(s, x, a.Candidate, c)
		}
		return one
	}
	var all []Action
	for i := range parts {
		all = append(all, expandedAct(s, x, &parts[i].Action)...)
	}
	return all
}

// expandCandidate writes out the preset of a candidate, and what the scenario's preset gives it by a setting of its
// own.
func expandCandidate(s, x *Scenario, c, to *Candidate) {
	if c.Preset != "" {
		to.Preset = ""
		to.Elector, to.Process = orNew(to.Elector), orNew(to.Process)
		writeOut(presetNamed(c.Preset), to.Elector, to.Process)
	}
	if wanted := releasesAfterWork(s, c); wanted != releasesAfterWork(x, to) {
		to.Elector = orNew(to.Elector)
		to.Elector.ReleaseAfterWork = &wanted
	}
}

func releasesAfterWork(s *Scenario, c *Candidate) bool {
	return *ResolveCandidate(*s, *c)[0].Elector.ReleaseAfterWork
}

// writeOut puts a preset's settings below the given settings.
func writeOut(p *preset, e *Elector, process *Process) {
	elector, conduct := p.elector, p.process
	if slices.Contains(e.Dialect, "noRequestTimeout") {
		elector.RequestTimeout = nil
	}
	overlay(&elector, e)
	overlay(&conduct, process)
	*e, *process = elector, conduct
}

func orNew[T any](v *T) *T {
	if v == nil {
		return new(T)
	}
	return v
}
