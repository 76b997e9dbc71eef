package scenario

// ActServer changes the capacity of the API server during a run, as a flood of other clients does.
const ActServer = "server"

var actServer = Act{
	Use:  Uses{Explore: No, GoTest: Yes, InTest: Yes, OnServer: Yes, AsProcesses: Yes},
	Word: ActServer, Section: SectionNetwork, Takes: []string{"server"}, Needs: []string{"server"},
	Subject: "the API server", Told: "gets another capacity", Promise: "will get another capacity",
	Help: "Changes how the API server copes with load: its rate, its queue, and what it does when the queue is " +
		"full.",
	follows: func(v *validator, a Action, path string) { v.checkServer(a.Server, join(path, "server")) },
}
