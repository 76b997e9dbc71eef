package scenario

// ActAdd makes a candidate join during a run, as a Deployment that scales up does. The candidate's startAt counts from
// the instant of the act.
const ActAdd = "add"

var actAdd = Act{
	Use:  Uses{Explore: No, GoTest: Yes, InTest: Yes, OnServer: No, AsProcesses: Yes},
	Word: ActAdd, Section: SectionProcess, Takes: []string{"candidate"}, Needs: []string{"candidate"},
	On:    OnAny,
	Label: "New node", Key: "N", Told: "joins", Promise: "will join",
	Help: "One more candidate joins.",
	follows: func(v *validator, a Action, path string) {
		v.candidate(*a.Candidate, join(path, "candidate"), a.At)
		v.settings.add(v.s, *a.Candidate)
	},
}
