package scenario

import "reflect"

// Change is a new value for a field, as Set takes it.
type Change struct{ Path, Value string }

// SetAll is Set for several fields that may need each other: the whole is checked once, when all of them are in. The
// argument is never changed.
func SetAll(s Scenario, changes []Change) (Scenario, error) {
	changed := s.Clone()
	if err := setAll(&changed, changes); err != nil {
		return s, err
	}
	normalize(reflect.ValueOf(&changed).Elem())
	if err := Validate(changed); err != nil {
		return s, err
	}
	return changed, nil
}

// Fragment is a scenario that says nothing but these fields, unchecked: to take a group such as its Elector from.
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

// Filled is the scenario with every default and everything inherited written out: what is in force.
func Filled(s Scenario) Scenario { return fill(s) }
