package scenario

// ActRollback restores etcd from a backup. The resourceVersions go back, too. So a client's optimistic write may
// succeed even though the client read a version from the lost history.
const ActRollback = "rollback"

func checkRollback(v *validator, a Action, path string) {
	if *a.To >= a.At {
		v.add(refuseDuration(join(path, "to"), *a.To, "must lie before the act at "+a.At.String()+
			": a store can only go back"))
	}
	if len(v.s.APIServers) > 0 {
		v.add(refuse(join(path, "act"), a.Act,
			"does not work with apiServers: their controllers' caches would not go back"))
	}
}
