package scenario

import "reflect"

// Change is a new value for a field, as Set takes it.
type Change struct{ Path, Value string }

// SetAll is Set for several fields that may need each other: it checks the scenario once, with all the changes. It does
// not change its argument.
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

// ApplyAll is SetAll without the check of the scenario: its error is of a path that matches nothing, or of a value that
// is no value of its field. Call Validate before you run the result.
func ApplyAll(s Scenario, changes []Change) (Scenario, error) {
	changed := s.Clone()
	if err := setAll(&changed, changes); err != nil {
		return s, err
	}
	normalize(reflect.ValueOf(&changed).Elem())
	return changed, nil
}

// Fragment returns a scenario with these fields only, unchecked: the caller takes a group such as its Elector.
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
