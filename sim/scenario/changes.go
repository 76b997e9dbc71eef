package scenario

import "reflect"

// Change is a new value for a field, in the form that Set takes.
type Change struct{ Path, Value string }

// SetAll works like Set, for several fields that may depend on each other. It checks the scenario once, after all
// changes. It does not change its argument. Example: leaseDuration 8s and renewDeadline 5s. The first change alone
// would break the rule leaseDuration > renewDeadline.
func SetAll(s Scenario, changes []Change) (Scenario, error) {
	changed, err := ApplyAll(s, changes)
	if err == nil {
		err = Validate(changed)
	}
	if err != nil {
		return s, err
	}
	return changed, nil
}

// ApplyAll works like SetAll, but does not check the scenario. Its errors are about unknown paths and values of the
// wrong type. Call Validate before you run the result.
func ApplyAll(s Scenario, changes []Change) (Scenario, error) {
	changed := s.Clone()
	if err := setAll(&changed, changes); err != nil {
		return s, err
	}
	normalize(reflect.ValueOf(&changed).Elem())
	return changed, nil
}

// Fragment returns an unchecked scenario that has only these fields. The caller uses one group of it, such as
// Elector.
func Fragment(changes []Change) (Scenario, error) {
	var s Scenario
	err := setAll(&s, changes)
	return s, err
}

func setAll(s *Scenario, changes []Change) error {
	for _, c := range changes {
		v, at, err := find(reflect.ValueOf(s).Elem(), c.Path, true)
		if err == nil {
			err = setValue(v, at, c.Value)
		}
		if err != nil {
			return withoutLine(err)
		}
	}
	return nil
}

// Fill returns the scenario with every default and every inherited value written out.
func Fill(s Scenario) Scenario { return fill(s) }
