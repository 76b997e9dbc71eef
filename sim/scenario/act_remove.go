package scenario

// ActRemove takes a node out of the run at once, without a release or a shutdown hook. No later node may have its
// name.
const ActRemove = "remove"

func checkRemove(v *validator, a Action, path string) {
	v.removed[a.Target] = a.At
	endPause(v, a, path)
}
