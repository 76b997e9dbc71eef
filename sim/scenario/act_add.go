package scenario

// ActAdd makes a candidate join during a run, as a Deployment that scales up does. The candidate's startAt counts from
// the instant of the act.
const ActAdd = "add"

func checkAdd(v *validator, a Action, path string) {
	v.candidate(*a.Candidate, join(path, "candidate"), a.At)
	v.settings.add(v.s, *a.Candidate)
}
