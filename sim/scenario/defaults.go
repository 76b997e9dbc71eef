package scenario

import "reflect"

// defaults are the settings that a candidate has when the scenario gives none, as the table of fields has them.
// Candidates share what the pointers point to: never write through them.
var defaults struct {
	Elector Elector
	Network Network
	Process Process
	Client  Client
}

// readDefaults reads the defaults from the table. A default that is no value of its field is a mistake in the table.
func readDefaults() {
	groups := reflect.ValueOf(&defaults).Elem()
	for i := range groups.NumField() {
		group := groups.Field(i)
		for _, f := range fieldsOf(group.Type()) {
			text := fieldOf(f.key).Default
			if text == "" {
				continue
			}
			n, err := nodeOf(group.Field(f.index).Type(), text)
			if err == nil {
				err = n.read(group.Field(f.index), place{f.key, f.key})
			}
			if err != nil {
				panic("the table of fields has a default that is no value: " + err.Error())
			}
		}
	}
}
