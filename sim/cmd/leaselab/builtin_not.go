//go:build !site

package main

import "io/fs"

// builtIn returns the page that the command was built with, nil if it was built without: see the target build of the
// Makefile.
func builtIn() fs.FS { return nil }
