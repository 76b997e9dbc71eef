package scenario

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
	var changes []Change
	for _, f := range Settings() {
		if f.Default != "" {
			changes = append(changes, Change{f.Path, f.Default})
		}
	}
	s, err := Fragment(changes)
	if err != nil {
		panic("the table of fields has an invalid default: " + err.Error())
	}
	defaults.Elector, defaults.Network, defaults.Process, defaults.Client = s.Elector, s.Network, s.Process, s.Client
}
