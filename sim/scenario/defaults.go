package scenario

import "reflect"

// defaults are the settings of a candidate in a scenario that sets none. They come from the table of fields.
// Candidates share the targets of the pointers, so never write through them.
var defaults struct {
	Elector Elector
	Network Network
	Process Process
	Client  Client
}

// readDefaults reads the defaults from the table. It panics if a default does not fit its field. It runs at the start
// of the program, after readFields. So only the table has the defaults, and a mistake in the table cannot reach a
// run.
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
				panic("the table of fields has an invalid default: " + err.Error())
			}
		}
	}
}
