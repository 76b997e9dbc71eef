package scenario

// faults follows the cuts and standstills that are open, so that what contradicts another is refused: the same direction of
// the same target cannot be silent and refusing at once, and a process that stands still cannot be stopped once more.
type faults struct {
	cuts  []openCut
	still map[string]standstill // processes that are stopped, by target
}

// standstill is a pause, a suspend or a hang of one node.
type standstill struct {
	act   string
	at    Duration
	until Duration // 0: open
}

type openCut struct {
	target, direction, mode string
	until                   Duration // 0: open
	at                      Duration
}

// act notes what an action does to the network, and checks it.
func (f *faults) act(s Scenario, a Action, path string) *FieldError {
	switch a.Act {
	case ActCut:
		return f.cut(a, path)
	case ActPause, ActSuspend, ActHang:
		return f.stop(a, path)
	case ActResume, ActCrash, ActRestart, ActRemove:
		if a.Target == TargetEverybody || a.Target == TargetHolder { // whoever that will be
			f.still = nil
		}
		delete(f.still, a.Target)
	case ActHeal:
		kept := f.cuts[:0]
		for _, c := range f.cuts {
			if a.Target != TargetEverybody && a.Target != c.target {
				kept = append(kept, c)
			}
		}
		f.cuts = kept
	case ActFail, ActLatency:
		return checkRepeated(a, path)
	case ActServer:
		return checkServer(a.Server, join(path, "server"))
	case ActRollback:
		switch {
		case *a.To >= a.At:
			return refuseDuration(join(path, "to"), *a.To, "must lie before the act at "+a.At.String()+": a store returns to what it was")
		case len(s.APIServers) > 0:
			return refuse(join(path, "act"), a.Act, "cannot be used with apiServers: what their controllers have cached would not go back")
		}
	case ActSet:
		return checkNetwork(a.Network, join(path, "network"))
	}
	return nil
}

// stop notes a standstill. Whom holder and * will mean is not known here.
func (f *faults) stop(a Action, path string) *FieldError {
	if a.Target == TargetEverybody || a.Target == TargetHolder {
		return nil
	}
	if s, stopped := f.still[a.Target]; stopped && (s.until == 0 || a.At < s.until) {
		until := "until it is resumed"
		if s.until != 0 {
			until = "until " + s.until.String()
		}
		return refuse(join(path, "act"), a.Act, "overlaps the "+s.act+" of "+quote(a.Target)+" at "+s.at.String()+", which lasts "+until+"; a process that stands still cannot be stopped again")
	}
	if f.still == nil {
		f.still = map[string]standstill{}
	}
	s := standstill{act: a.Act, at: a.At}
	if a.For > 0 {
		s.until = a.At + a.For
	}
	f.still[a.Target] = s
	return nil
}

func (f *faults) cut(a Action, path string) *FieldError {
	a.fillDefaults()
	kept := f.cuts[:0]
	for _, c := range f.cuts {
		if c.until == 0 || c.until > a.At {
			kept = append(kept, c)
		}
	}
	f.cuts = kept
	for _, c := range f.cuts {
		sameNode := c.target == a.Target || (c.target == TargetEverybody || a.Target == TargetEverybody)
		sameWay := c.direction == a.Direction || c.direction == DirectionBoth || a.Direction == DirectionBoth
		if sameNode && sameWay && c.mode != a.Mode {
			return refuse(join(path, "mode"), a.Mode, "contradicts the cut of "+quote(c.target)+" at "+c.at.String()+", which still lasts with mode "+quote(c.mode)+"; heal it first")
		}
	}
	open := openCut{target: a.Target, direction: a.Direction, mode: a.Mode, at: a.At}
	if a.For > 0 {
		open.until = a.At + a.For
	}
	f.cuts = append(f.cuts, open)
	return nil
}

// checkRepeated checks the legs of a latency, and every against for.
func checkRepeated(a Action, path string) *FieldError {
	switch {
	case a.Every == 0:
	case a.For == 0:
		return refuseDuration(join(path, "every"), a.Every, "needs for: how long it lasts each time")
	case a.For >= a.Every:
		return refuseDuration(join(path, "every"), a.Every, "must be longer than for "+quote(a.For.String())+"; leave it out for what never stops")
	case a.Error == ErrorStall:
		return refuseDuration(join(path, "every"), a.Every, "cannot be repeated with error "+quote(ErrorStall)+"; write the acts one by one")
	}
	return checkLegs(path, "request", a.Request, a.RequestDistribution, "response", a.Response, a.ResponseDistribution)
}
