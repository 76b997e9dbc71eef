package scenario

// ActRollback restores etcd from a backup. The resourceVersions go back, too. So a client's optimistic write may
// succeed even though the client read a version from the lost history.
const ActRollback = "rollback"

var actRollback = Act{
	Use:  Uses{Explore: No, GoTest: No, InTest: Yes, OnServer: No, AsProcesses: No},
	Word: ActRollback, Section: SectionRest, Takes: []string{"to"}, Needs: []string{"to"},
	Subject: "the store", Told: "is rolled back", Promise: "will be rolled back",
	Help: "Restores the store from a backup: everything goes back to that instant, resourceVersions included.",
	follows: func(v *validator, a Action, path string) {
		if *a.To >= a.At {
			v.add(refuseDuration(join(path, "to"), *a.To, "must lie before the act at "+a.At.String()+
				": a store can only go back"))
		}
		if len(v.s.APIServers) > 0 {
			v.add(refuse(join(path, "act"), a.Act,
				"does not work with apiServers: their controllers' caches would not go back"))
		}
	},
}
