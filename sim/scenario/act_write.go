package scenario

import (
	"reflect"
	"slices"
)

// ActWrite is an administrator's change to the Lease: kubectl edit, or a well-meant script. If the change affects the
// spec, electors see a changed record and restart their countdown.
const ActWrite = "write"

// The ops of a write.
const (
	OpPut    = "put"
	OpPatch  = "patch"
	OpDelete = "delete"
	OpTouch  = "touch"
)

// The objects of a write.
const (
	ObjectLease     = "lease"
	ObjectConfigMap = "configmap"
)

// leaseSpecFields are the fields of a spec that a patch may remove.
var leaseSpecFields = []string{"holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaseTransitions",
	"strategy", "preferredHolder"}

// checkWrite checks that a write has only the fields that its op takes. Two ways to say the same thing must not
// contradict each other: a field in spec and in clear, or renewTime and renewNow.
func checkWrite(v *validator, a Action, path string) {
	takesValues := a.Op == OpPut || a.Op == OpPatch
	if a.Spec != nil && !takesValues {
		v.add(refuseField(join(path, "spec"), "does not belong to op "+quote(a.Op)+", which writes no values"))
	}
	if a.RenewNow && !takesValues {
		v.add(refuseField(join(path, "renewNow"), "does not belong to op "+quote(a.Op)+", which writes no values"))
	}
	if len(a.Clear) > 0 && a.Op != OpPatch {
		v.add(refuseField(join(path, "clear"), "does not belong to op "+quote(a.Op)+
			"; only a patch removes single fields"))
	}
	if a.Op == OpPatch && a.Spec == nil && len(a.Clear) == 0 && !a.RenewNow {
		v.add(refuseField(path, "a patch needs spec, clear or renewNow"))
	}
	if a.RenewNow && a.Spec != nil && a.Spec.RenewTime != nil {
		v.add(refuseField(join(path, "spec.renewTime"), "contradicts renewNow; keep one of them"))
	}
	for i, name := range a.Clear {
		inner := index(join(path, "clear"), i)
		switch {
		case name == "":
			v.add(refuse(inner, name, "must be "+listWords(leaseSpecFields, "or")))
		case slices.Contains(a.Clear[:i], name):
			v.add(refuse(inner, name, "appears twice"))
		case a.Spec.sets(name) || (name == "renewTime" && a.RenewNow):
			v.add(refuse(inner, name, "is also in this action's spec; keep one of them"))
		}
	}
}

// `sets` reports whether a spec has a value for a field.
func (l *LeaseSpec) sets(name string) bool {
	if l == nil {
		return false
	}
	v := reflect.ValueOf(*l)
	f, known := findField(fieldsOf(v.Type()), name)
	return known && !v.Field(f.index).IsNil()
}

func fillWrite(a *Action) {
	if a.Spec == nil && a.Op == OpPut {
		a.Spec = &LeaseSpec{}
	}
}
