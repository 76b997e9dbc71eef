package main

// flagsGone has what replaces each flag of an earlier version.
var flagsGone = map[string]string{
	"run --rename": "edit the names in the scenario's file; a node with the field stream keeps the draws of that name",
}
