package scenario

// ActPause stops a process as SIGSTOP, a frozen cgroup or a long garbage collection does. It is the classic cause of
// two leaders: the process cannot notice that its Lease expires, and when it resumes, it keeps working until a timer
// fires.
const (
	ActPause  = "pause"
	ActResume = "resume"
)

// pause is a pause, a suspend or a hang of one node. A second pause of the same node would have no effect, so the
// checks remember the paused nodes.
type pause struct {
	act   string
	at    Duration
	until Duration // 0: open
}

// beginPause refuses to pause a paused node. It cannot check "holder" and "*", because only the run shows which nodes
// these are. A pause may begin at the instant at which another one ends.
func beginPause(v *validator, a Action, path string) {
	if a.Target == TargetEverybody || a.Target == TargetHolder {
		return
	}
	if p, paused := v.paused[a.Target]; paused && (p.until == 0 || a.At < p.until) {
		until := "until it is resumed"
		if p.until != 0 {
			until = "until " + p.until.String()
		}
		v.add(refuse(join(path, "act"), a.Act, "overlaps the "+p.act+" of "+quote(a.Target)+" at "+p.at.String()+
			", which lasts "+until+"; a paused process cannot be paused again"))
		return
	}
	if v.paused == nil {
		v.paused = map[string]pause{}
	}
	p := pause{act: a.Act, at: a.At}
	if a.For > 0 {
		p.until = a.At + a.For
	}
	v.paused[a.Target] = p
}

// endPause records that the pause of the target has ended. A crash or a removal also ends a pause. If the act may be on
// any node, endPause forgets all pauses. It then misses some contradictions, but it never refuses a valid scenario.
func endPause(v *validator, a Action, _ string) {
	if a.Target == TargetEverybody || a.Target == TargetHolder { // the target may be any node
		v.paused = nil
	}
	delete(v.paused, a.Target)
}
