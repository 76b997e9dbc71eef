package scenario

// ActCut separates nodes from the API server. A leader behind a cut keeps working until renewDeadline, and a follower
// waits for leaseDuration. Since leaseDuration is longer, the old leader stops before the new one starts.
const (
	ActCut  = "cut"
	ActHeal = "heal"
)

// Directions of a cut. With DirectionDown the server stores a renewal and its sender sees a timeout: the Lease looks
// fresh while its holder prepares to give up.
const (
	DirectionBoth = "both"
	DirectionUp   = "up"
	DirectionDown = "down"
)

// Modes of a cut. ModeDrop is like a firewall: a client waits for its own timeout. ModeRefuse is like a host whose
// server is dead: a client knows at once.
const (
	ModeDrop       = "drop"
	ModeRefuse     = "refuse"
	ModeHold       = "hold"
	ModeLate       = "late"
	ModeConnection = "connection"
)

// fillCut writes out the defaults. The checks call it first, because they compare cuts.
func fillCut(a *Action) {
	a.Direction = orDefault(a.Direction, DirectionBoth)
	a.Mode = orDefault(a.Mode, ModeDrop)
}

// openCut is a cut that may still be in effect.
type openCut struct {
	target, direction, mode string
	until                   Duration // 0 while it is open
	at                      Duration
}

// beginCut refuses a cut that contradicts another one: one direction cannot both drop and refuse messages. It also
// removes cuts that have ended before the act. The target "*" overlaps every other target. The target "holder"
// overlaps only itself and "*", since nobody knows yet which node it is.
func beginCut(v *validator, a Action, path string) {
	v.checkProbability(a, path)
	fillCut(&a)
	kept := v.cuts[:0]
	for _, c := range v.cuts {
		if c.until == 0 || c.until > a.At {
			kept = append(kept, c)
		}
	}
	v.cuts = kept
	for _, c := range v.cuts {
		sameNode := c.target == a.Target || (c.target == TargetEverybody || a.Target == TargetEverybody)
		sameWay := c.direction == a.Direction || c.direction == DirectionBoth || a.Direction == DirectionBoth
		if sameNode && sameWay && c.mode != a.Mode {
			v.add(refuse(join(path, "mode"), a.Mode, "contradicts the cut of "+quote(c.target)+" at "+c.at.String()+
				", which is still in effect with mode "+quote(c.mode)+"; heal it first"))
			return
		}
	}
	open := openCut{target: a.Target, direction: a.Direction, mode: a.Mode, at: a.At}
	if a.For > 0 {
		open.until = a.At + a.For
	}
	v.cuts = append(v.cuts, open)
}

// endCuts removes the cuts that a heal ends. If the heal names a node, a cut with the target "*" stays open.
func endCuts(v *validator, a Action, _ string) {
	kept := v.cuts[:0]
	for _, c := range v.cuts {
		if a.Target != TargetEverybody && a.Target != c.target {
			kept = append(kept, c)
		}
	}
	v.cuts = kept
}
