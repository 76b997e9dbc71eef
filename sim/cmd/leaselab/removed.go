package main

// removedCommands says what replaces a command that earlier versions had.
var removedCommands = map[string]string{
	"bench": "run `make bench` in a checkout of leaselab to measure it",
}

// removedFlags says what replaces a flag that earlier versions had, by command and flag.
var removedFlags = map[string]string{}
